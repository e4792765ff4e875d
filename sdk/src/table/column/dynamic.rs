//! Columns whose qualifiers are data: the columns of a `#[cells(..)]` field, which holds a map.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use super::Column;
use crate::model::value::{NativeCodec, Qualifier};

/// A marker for type parameters without a value.
type Of<T> = PhantomData<fn() -> T>;

/// The type of a field with `#[cells("d:*")]`: a `BTreeMap` or a `Vec` of qualifiers and values.
///
/// ```
/// use std::collections::BTreeMap;
/// use tallrow::column::CellMap;
///
/// let mut map = BTreeMap::new();
/// CellMap::put(&mut map, "a".to_string(), 1.5);
/// assert_eq!(map.entries().next(), Some((&"a".to_string(), &1.5)));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not hold dynamic cells",
    label = "not a BTreeMap or Vec of qualifiers and values",
    note = "use BTreeMap<Q, V> or Vec<(Q, V)>, with a Qualifier Q"
)]
pub trait CellMap: Default {
    /// The qualifiers, without the prefix in the field's attribute.
    type Qualifier: Qualifier;
    /// The values.
    type Value;

    /// Adds a cell that was read; cells are added in the order of the bytes of their qualifiers.
    fn put(&mut self, qualifier: Self::Qualifier, value: Self::Value);

    /// Returns the cells to write, each as qualifier and value.
    fn entries(&self) -> impl Iterator<Item = (&Self::Qualifier, &Self::Value)>;
}

impl<Q: Qualifier + Ord, V> CellMap for BTreeMap<Q, V> {
    type Qualifier = Q;
    type Value = V;

    fn put(&mut self, qualifier: Q, value: V) {
        self.insert(qualifier, value);
    }

    fn entries(&self) -> impl Iterator<Item = (&Q, &V)> {
        self.iter()
    }
}

impl<Q: Qualifier, V> CellMap for Vec<(Q, V)> {
    type Qualifier = Q;
    type Value = V;

    fn put(&mut self, qualifier: Q, value: V) {
        self.push((qualifier, value));
    }

    fn entries(&self) -> impl Iterator<Item = (&Q, &V)> {
        self.iter().map(|(qualifier, value)| (qualifier, value))
    }
}

/// The dynamic columns of a `#[cells(..)]` field: the family, the prefix that all their qualifiers
/// have, the type of the rest of a qualifier, and the type of the values.
///
/// `#[derive(Table)]` makes a constant of this type for each such field.
///
/// ```
/// use std::collections::BTreeMap;
/// use tallrow::{RowKey, Table, column::AnyColumn};
///
/// #[derive(RowKey)]
/// struct Id { id: u64 }
///
/// #[derive(Table)]
/// #[table(name = "readings")]
/// #[family("d")]
/// struct Reading {
///     #[key]
///     id: Id,
///     #[cells("d:p/*")]
///     probes: BTreeMap<String, f32>,
/// }
///
/// let column = Reading::PROBES.at(&"oil".to_string());
/// assert_eq!((column.family(), &column.qualifier()[..]), ("d", &b"p/oil"[..]));
/// ```
pub struct DynamicColumns<T, Q, V, C = NativeCodec> {
    family: &'static str,
    prefix: &'static [u8],
    of: Of<(T, Q, V, C)>,
}

impl<T, Q: Qualifier, V, C> DynamicColumns<T, Q, V, C> {
    pub(crate) const fn new(family: &'static str, prefix: &'static [u8]) -> Self {
        Self { family, prefix, of: PhantomData }
    }

    pub(crate) fn family(self) -> &'static str {
        self.family
    }

    pub(crate) fn prefix(self) -> &'static [u8] {
        self.prefix
    }

    /// Returns the column whose qualifier is the prefix followed by `qualifier`.
    ///
    /// See [`DynamicColumns`] for an example.
    pub fn at(self, qualifier: &Q) -> DynamicColumn<T, V, C> {
        let mut bytes = self.prefix.to_vec();
        qualifier.write_qualifier(&mut bytes);
        DynamicColumn { family: self.family, qualifier: bytes, of: PhantomData }
    }
}

impl<T, Q, V, C> Clone for DynamicColumns<T, Q, V, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, Q, V, C> Copy for DynamicColumns<T, Q, V, C> {}

impl<T, Q, V, C> fmt::Debug for DynamicColumns<T, Q, V, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}*", crate::model::show::column(self.family.as_bytes(), self.prefix))
    }
}

/// A single column of the [`DynamicColumns`] of a field.
///
/// See [`DynamicColumns`] for an example.
pub struct DynamicColumn<T, V, C = NativeCodec> {
    family: &'static str,
    qualifier: Vec<u8>,
    of: Of<(T, V, C)>,
}

impl<T, V, C> Clone for DynamicColumn<T, V, C> {
    fn clone(&self) -> Self {
        Self { qualifier: self.qualifier.clone(), ..*self }
    }
}

impl<T, V, C> fmt::Debug for DynamicColumn<T, V, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::model::show::column(self.family.as_bytes(), &self.qualifier))
    }
}

/// A column of the row type `T`: a [`Column`] or a [`DynamicColumn`].
///
/// See [`DynamicColumns`] for an example.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a column of the row type `{T}`",
    label = "not a column of `{T}`",
    note = "a column is the constant of its field, in capitals: `Book::TITLE` for `title`; the cells of a map have \
            `Book::DAYS.at(..)`"
)]
pub trait AnyColumn<T> {
    /// The type of the values in this column.
    type Value;
    /// The codec of the values.
    type Codec;

    /// The family.
    fn family(&self) -> &'static str;

    /// The qualifier.
    fn qualifier(&self) -> Vec<u8>;

    /// Whether a row without this cell cannot be read, because the cell's field is not an `Option`
    /// and has no default.
    fn is_required(&self) -> bool {
        false
    }

    /// Checks whether a value satisfies the constraint of the field, if the field has one.
    ///
    /// # Errors
    /// The value does not satisfy the constraint.
    fn validate(&self, value: &Self::Value) -> Result<(), crate::model::value::ValueError>;
}

#[diagnostic::do_not_recommend]
impl<T, V, C> AnyColumn<T> for Column<T, V, C> {
    type Value = V;
    type Codec = C;

    fn family(&self) -> &'static str {
        Column::family(*self)
    }

    fn qualifier(&self) -> Vec<u8> {
        Column::qualifier(*self).into()
    }

    fn is_required(&self) -> bool {
        Column::is_required(*self)
    }

    fn validate(&self, value: &V) -> Result<(), crate::model::value::ValueError> {
        Column::validate(*self, value)
    }
}

#[diagnostic::do_not_recommend]
impl<T, V, C> AnyColumn<T> for DynamicColumn<T, V, C> {
    type Value = V;
    type Codec = C;

    fn family(&self) -> &'static str {
        self.family
    }

    fn qualifier(&self) -> Vec<u8> {
        self.qualifier.clone()
    }

    fn validate(&self, _: &V) -> Result<(), crate::model::value::ValueError> {
        Ok(())
    }
}
