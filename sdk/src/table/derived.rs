//! The functions and types that the code of `#[derive(Table)]` uses.

use std::fmt::{Debug, Display};
use std::ops::RangeBounds;

use crate::key::{DecodeError, DecodeRowKey, EncodeError, RowKey};

use super::cell_reader::CellReader;
use super::names::ColumnName;
use super::{GroupColumns, Table};
use crate::model::value::{CellField, DecodeCell, FieldOfAggregate, ValueError, ValueOrOption};
use crate::table::column::Constraint;
use crate::table::column::{CellMap, Column, DynamicColumns};
use crate::{Error, ErrorKind, Result, Row};

/// Returns the column of a field without a codec.
pub const fn column<T, F: CellField>(
    family: &'static str,
    qualifier: &'static [u8],
) -> Column<T, F::Value> {
    Column::new(family, qualifier).with_required(<F as CellField>::REQUIRED)
}

/// Returns the column of a field with a codec.
pub const fn column_with_codec<T, F: ValueOrOption<V>, V, C>(
    family: &'static str,
    qualifier: &'static [u8],
) -> Column<T, V, C> {
    Column::new(family, qualifier).with_required(F::REQUIRED)
}

/// Marks a column as optional, because its field has a value even if the cell is absent.
pub const fn optional<T, V, C>(column: Column<T, V, C>) -> Column<T, V, C> {
    column.with_required(false)
}

/// Gives the column a constraint.
pub const fn with_constraint<T, V, C>(
    column: Column<T, V, C>,
    constraint: Constraint<V>,
) -> Column<T, V, C> {
    column.with_constraint(constraint)
}

/// Fails the build if a field of this type cannot be a cell of a family that is an aggregate `A`.
pub const fn assert_field_of_aggregate<F: FieldOfAggregate<A>, A>() {}

/// Returns the columns of a field with dynamic cells.
pub const fn dynamic_columns<T, M: CellMap, C>(
    family: &'static str,
    prefix: &'static [u8],
) -> DynamicColumns<T, M::Qualifier, M::Value, C> {
    DynamicColumns::new(family, prefix)
}

/// Returns the columns of a group of cells in a row type.
pub const fn group_columns<T, G>(columns: &'static [ColumnName]) -> GroupColumns<T, G> {
    GroupColumns::new(columns)
}

/// Returns the larger of two numbers of versions.
pub const fn larger_version_count(a: u32, b: u32) -> u32 {
    if a < b { b } else { a }
}

/// The column that a cell of a projection has in the full row type of its table.
#[derive(Debug)]
pub struct ProjectedColumn<T, V, C>(pub Column<T, V, C>);

impl<T, V, C: DecodeCell<V>> ProjectedColumn<T, V, C> {
    /// Reads the cell with the codec of the full row type.
    pub fn read<F: ValueOrOption<V>>(self, cells: &mut CellReader<'_>, index: usize) -> Result<F> {
        cells.field_with_codec::<F, V, C>(index)
    }
}

/// Returns the version after this one.
pub const fn next_version(version: u64) -> u64 {
    version.wrapping_add(1)
}

/// Returns the family and the qualifier of a column.
pub const fn name<T, V, C>(column: Column<T, V, C>) -> ColumnName {
    (column.family(), column.qualifier())
}

/// Checks that a value is in the range that its constraint allows.
pub fn in_range<V: PartialOrd + Debug>(
    value: &V,
    range: &(impl RangeBounds<V> + Debug),
) -> Result<(), ValueError> {
    match range.contains(value) {
        true => Ok(()),
        false => Err(ValueError::new(format!("{range:?}"), format!("{value:?}"))),
    }
}

/// The return type of a function that checks a constraint.
#[diagnostic::on_unimplemented(
    message = "a `validate` function returns a `Result<(), E>` whose error can be displayed, not `{Self}`",
    label = "expected `Result<(), E>`, found `{Self}`",
    note = "for a condition: `fn is_short(text: &String) -> Result<(), &'static str>`, `Ok(())` if it holds"
)]
pub trait ConstraintResult {
    /// Converts the error, if there is one.
    fn checked(self) -> Result<(), ValueError>;
}

#[diagnostic::do_not_recommend]
impl<E: Display> ConstraintResult for std::result::Result<(), E> {
    fn checked(self) -> Result<(), ValueError> {
        self.map_err(|e| ValueError::custom(e.to_string()))
    }
}

/// Returns the result of a constraint function, with its error converted to a [`ValueError`].
pub fn constraint_result(checked: impl ConstraintResult) -> Result<(), ValueError> {
    checked.checked()
}

/// Fails the build if a constant is not a valid table name.
pub const fn assert_table_name(name: &str) {
    assert!(
        is_table_name(name.as_bytes()),
        "a table is named `table` or `namespace:table`; both consist of letters, digits and `_`, the table also of `-` and `.`"
    );
}

const fn is_table_name(mut name: &[u8]) -> bool {
    let (mut in_namespace, mut len) = (false, 0_usize);
    let mut has_sign = false;
    while let [byte, rest @ ..] = name {
        name = rest;
        match *byte {
            b':' if in_namespace || len == 0 || has_sign => return false,
            b':' => (in_namespace, len) = (true, 0),
            b'-' | b'.' if len == 0 => return false,
            b'-' | b'.' => (has_sign, len) = (true, len + 1),
            b'_' | 0x80.. => len += 1,
            letter if letter.is_ascii_alphanumeric() => len += 1,
            _ => return false,
        }
    }
    len > 0
}

/// Fails the build if the key of a table is a newtype whose values grow with time.
pub const fn assert_key_does_not_grow<T: Table>() {
    assert!(
        !<T::Key as RowKey>::GROWS,
        "the row key is a newtype that grows with time, so all new rows go to one region: add a field before it, or \
         `salt(buckets = ..)` or `allow(hotspot)` to the newtype"
    );
}

/// Decodes the row key of a row.
pub fn read_key<K: DecodeRowKey>(row: &Row) -> Result<K> {
    K::decode_key(row.key()).map_err(|e| {
        let text = format!(
            "the row key is not one of this table's type: {e}; were rows written with another type of \
             keys, or before the layout was changed?"
        );
        Error::new(ErrorKind::Decode, text)
            .with_operation_if_unset("decode row")
            .on_row(&row.copy_key())
            .caused_by(e)
    })
}

/// Returns the error for a row whose key belongs to a record that the row type does not have.
pub fn wrong_record<T>(row: &Row) -> Result<T> {
    let text = "the row key is of another record than this type has";
    Err(Error::new(ErrorKind::Decode, text)
        .with_operation_if_unset("decode row")
        .on_row(&row.copy_key()))
}

/// The key that a row type gets if its own key is wrong, so that it does not compile.
#[derive(Debug)]
#[allow(clippy::exhaustive_enums, reason = "it has no value")]
pub enum InvalidKey {}

#[diagnostic::do_not_recommend]
impl RowKey for InvalidKey {
    type Encoded = [u8; 0];

    const SCHEMA: &'static str = "";

    fn encode_key(&self) -> std::result::Result<[u8; 0], EncodeError> {
        match *self {}
    }
}

#[diagnostic::do_not_recommend]
impl DecodeRowKey for InvalidKey {
    fn decode_key(_: &[u8]) -> std::result::Result<Self, DecodeError> {
        crate::key::__private::v1::unreachable_value()
    }
}
