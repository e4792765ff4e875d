//! The types that the field for a cell may have: a value, an `Option` of a value, a `Counter`, or
//! an `Aggregated` value.

use std::fmt;

use super::{CellValue, ValueError};

/// A counter: an 8-byte cell that is changed only by increments.
///
/// A field of this type is read with its row, and is 0 if the cell is absent, but it is **not
/// written with its row**: see [`TypedTable::put`](crate::TypedTable::put).
///
/// See [`TypedTable`](crate::TypedTable) for an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(clippy::exhaustive_structs, reason = "a number with another name")]
pub struct Counter(pub i64);

impl fmt::Display for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The value of a cell in an aggregate family of Bigtable, to which
/// [`Update::add`](crate::Update::add) adds numbers; `None` if nothing was added yet.
///
/// `Aggregated<i64>` is the smallest or the largest number that was added, or the sum, depending on
/// the family; a sum can be a [`Counter`] as well. `Aggregated<Vec<u8>>` is the sketch of a family
/// that counts different numbers, in a format of Google's.
///
/// A field of this type is read with its row, but it is **not written with its row**, like a
/// `Counter`.
///
/// ```
/// use tallrow::{Aggregated, RowKey, Table, TableDescriptor};
///
/// #[derive(RowKey)]
/// struct Station { id: u32 }
///
/// #[derive(Table)]
/// #[table(name = "weather")]
/// #[family("h", aggregate = "max")]
/// #[family("l", aggregate = "min")]
/// struct Weather {
///     #[key]
///     station: Station,
///     #[cell("h:t")]
///     hottest: Aggregated<i64>,
///     #[cell("l:t")]
///     coldest: Aggregated<i64>,
/// }
///
/// let table = TableDescriptor::of::<Weather>()?;
/// assert_eq!(table.families()[0].get("AGGREGATE"), Some("MAX"));
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(clippy::exhaustive_structs, reason = "an Option with another name")]
pub struct Aggregated<V>(pub Option<V>);

/// The type of a field without a codec in its attribute: a value, an `Option` of a value, a
/// [`Counter`], or an [`Aggregated`] value.
///
/// ```
/// use tallrow::{Counter, value::CellField};
///
/// let mut cell = Vec::new();
/// assert!(7i32.write_field(&mut cell));
/// assert_eq!(cell, [0, 0, 0, 7]);
/// assert!(!None::<i32>.write_field(&mut cell));
/// assert!(!Counter(7).write_field(&mut cell));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be kept in a cell",
    label = "no bytes for this type",
    note = "cells hold u8 to u64, i16 to i64, f32, f64, bool, char, String, Vec<u8>, Bytes, [u8; N], Timestamp, an Option of these, \
            or a Counter; usize and isize change with the machine: use u64 or i64",
    note = "other types need a codec: `codec = UnixMillis` for a point in time of chrono, jiff or time, `codec = ordered` for a `Uuid` \
            (each with the feature of its crate), `codec = ordered` too for an enum or newtype with \
            #[derive(RowKey)], `codec = json` for any type of serde, as in `#[cell(\"d:q\", codec = json)]`; a \
            type of your own may implement CellValue instead"
)]
pub trait CellField: ValueOrOption<<Self as CellField>::Value> {
    /// The type of the value in the cell.
    type Value;

    /// Whether the cell must exist.
    #[doc(hidden)]
    const REQUIRED: bool = <Self as ValueOrOption<<Self as CellField>::Value>>::REQUIRED;

    /// Appends the bytes to write; returns false if no cell is to be written.
    fn write_field(&self, out: &mut Vec<u8>) -> bool;
}

#[diagnostic::do_not_recommend]
impl<V: CellValue> CellField for V {
    type Value = V;

    fn write_field(&self, out: &mut Vec<u8>) -> bool {
        self.write_cell(out);
        true
    }
}

#[diagnostic::do_not_recommend]
impl<V: CellValue> CellField for Option<V> {
    type Value = V;

    fn write_field(&self, out: &mut Vec<u8>) -> bool {
        self.as_ref().is_some_and(|value| value.write_field(out))
    }
}

#[diagnostic::do_not_recommend]
impl CellField for Counter {
    type Value = Self;

    const REQUIRED: bool = false;

    fn write_field(&self, _: &mut Vec<u8>) -> bool {
        false
    }
}

#[diagnostic::do_not_recommend]
impl<V: CellValue> CellField for Aggregated<V> {
    type Value = Self;

    const REQUIRED: bool = false;

    fn write_field(&self, _: &mut Vec<u8>) -> bool {
        false
    }
}

/// The type of a field that holds the value of a cell: a value, if the cell must exist, or an
/// `Option` of a value.
///
/// ```
/// use tallrow::value::ValueOrOption;
///
/// assert_eq!(<Option<i32> as ValueOrOption<i32>>::from_option(None).unwrap(), None);
/// assert!(<i32 as ValueOrOption<i32>>::from_option(None).is_err());
/// assert_eq!(ValueOrOption::<i32>::as_option(&Some(7)), Some(&7));
/// ```
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` does not hold values of type `{V}`",
    label = "not `{V}`, and not an Option of it"
)]
pub trait ValueOrOption<V>: Sized {
    /// Whether the cell must exist.
    #[doc(hidden)]
    const REQUIRED: bool;

    /// Makes the field from the value of the cell, if there is one.
    ///
    /// # Errors
    /// There is no value, but the field must hold a value.
    fn from_option(value: Option<V>) -> Result<Self, ValueError>;

    /// The value, if there is one.
    fn as_option(&self) -> Option<&V>;
}

#[diagnostic::do_not_recommend]
impl<V> ValueOrOption<V> for V {
    const REQUIRED: bool = true;

    fn from_option(value: Option<V>) -> Result<Self, ValueError> {
        value.ok_or_else(|| {
            ValueError::new("a value", "no such cell; an Option field may be absent")
        })
    }

    fn as_option(&self) -> Option<&V> {
        Some(self)
    }
}

#[diagnostic::do_not_recommend]
impl<V> ValueOrOption<V> for Option<V> {
    const REQUIRED: bool = false;

    fn from_option(value: Option<V>) -> Result<Self, ValueError> {
        Ok(value)
    }

    fn as_option(&self) -> Option<&V> {
        self.as_ref()
    }
}

/// The type of a column that can be added to: [`Counter`] or [`Aggregated`]. This trait exists only
/// for the compiler's error about a column of another type.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a column of `{Self}` cannot be added to",
    label = "not the column of a counter",
    note = "make the field a `Counter`, or write the new value with `set`"
)]
pub trait IncrementableValue {}

impl IncrementableValue for Counter {}

impl<V> IncrementableValue for Aggregated<V> {}

/// The type of a field in a family that is an aggregate `A`: [`OfSum`], [`OfExtremum`] or
/// [`OfSketch`]. This trait exists only for the compiler's error about a field of another type.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be a cell of this family, which is an aggregate",
    label = "not what this aggregate returns",
    note = "in a family with `aggregate = \"sum\"`, make the field a `Counter`; with \"min\" or \"max\", an \
            `Aggregated<i64>`; with \"hll\", an `Aggregated<Vec<u8>>`"
)]
pub trait FieldOfAggregate<A> {}

/// A family with `aggregate = "sum"`.
#[doc(hidden)]
#[derive(Debug)]
#[allow(clippy::exhaustive_enums, reason = "it has no value")]
pub enum OfSum {}

/// A family with `aggregate = "min"` or `aggregate = "max"`.
#[doc(hidden)]
#[derive(Debug)]
#[allow(clippy::exhaustive_enums, reason = "it has no value")]
pub enum OfExtremum {}

/// A family with `aggregate = "hll"`.
#[doc(hidden)]
#[derive(Debug)]
#[allow(clippy::exhaustive_enums, reason = "it has no value")]
pub enum OfSketch {}

impl FieldOfAggregate<OfSum> for Counter {}
impl FieldOfAggregate<OfSum> for Aggregated<i64> {}
impl FieldOfAggregate<OfExtremum> for Aggregated<i64> {}
impl FieldOfAggregate<OfSketch> for Aggregated<Vec<u8>> {}
impl FieldOfAggregate<OfSketch> for Aggregated<bytes::Bytes> {}
