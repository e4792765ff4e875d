//! The values that a column can be compared with, and the order of the bytes of the column's cells.
//! From this order, the client makes the comparisons of bytes that the server evaluates.

use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt;
use std::ops::{Bound, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use bytes::Bytes;

use crate::Counter;
use crate::Timestamp;
use crate::key::compat::hbase;
use crate::key::{self, Decoding, Encoding, Field, RowBuf, UnixCount, UnixTime};
use crate::model::value::{
    CellValue, DecodeCell, EncodeCell, NativeCodec, Ordered, Phoenix, Truncated, UnixTimeCodec,
};
use crate::request::filter::CompareOperator;

/// The way in which the order of a type's values follows from the order of their bytes. The server
/// compares only bytes, so the client uses this order to express a comparison of values as
/// comparisons of bytes.
///
/// See [`OrderedCell`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CellOrder {
    /// A smaller value has smaller bytes: unsigned numbers, text, bytes, and encodings that keep
    /// the order.
    Bytes,
    /// Two's complement, big-endian, all of one width: negative numbers sort after the others.
    Signed,
    /// IEEE 754 of 4 bytes, big-endian: negative numbers sort after the others, in reverse.
    F32,
    /// IEEE 754 of 8 bytes, big-endian.
    F64,
    /// The encoding of 4-byte floats in row keys: the bytes sort by the total order of floats, but
    /// comparisons treat `-0.0` as equal to `0.0`, and a NaN as not comparable with any value.
    OrderedF32,
    /// The encoding of 8-byte floats in row keys: the bytes sort by the total order of floats, but
    /// comparisons treat `-0.0` as equal to `0.0`, and a NaN as not comparable with any value.
    OrderedF64,
    /// One byte: `00` for the smaller of two values, any other byte for the greater one.
    Bool,
}

/// A cell value that the server can compare by its bytes.
///
/// A custom type specifies the [`CellOrder`] of its bytes, which must agree with its `PartialOrd`.
/// A type whose bytes have no such order, such as numbers as text without padding, does not
/// implement this trait; comparisons with such a type do not compile.
///
/// ```
/// use tallrow::{column::{CellOrder, OrderedCell}, value::{CellValue, ValueError}};
///
/// /// A temperature, as tenths of a degree above absolute zero.
/// #[derive(Clone, Debug, PartialEq, PartialOrd)]
/// struct Kelvin(u32);
///
/// impl CellValue for Kelvin {
///     fn write_cell(&self, out: &mut Vec<u8>) {
///         self.0.write_cell(out);
///     }
///     fn from_cell(bytes: &[u8]) -> Result<Self, ValueError> {
///         u32::from_cell(bytes).map(Self)
///     }
/// }
///
/// impl OrderedCell for Kelvin {
///     const ORDER: CellOrder = CellOrder::Bytes;
/// }
/// assert_eq!(<i64 as OrderedCell>::ORDER, CellOrder::Signed);
/// ```
#[diagnostic::on_unimplemented(
    message = "the server cannot compare values of `{Self}`",
    label = "the order of its bytes is not known",
    note = "implement OrderedCell for it if its bytes sort as its values do, or in another order that CellOrder names"
)]
pub trait OrderedCell: CellValue + PartialOrd + fmt::Debug {
    /// How the order of the type's values follows from their bytes.
    const ORDER: CellOrder;
}

macro_rules! ordered {
    ($order:ident: $($value:ty)*) => {
        $(impl OrderedCell for $value {
            const ORDER: CellOrder = CellOrder::$order;
        })*
    };
}
ordered!(Bytes: u8 u16 u32 u64 String char Vec<u8> Bytes Timestamp);
ordered!(Signed: i16 i32 i64);
ordered!(F32: f32);
ordered!(F64: f64);
ordered!(Bool: bool);

#[diagnostic::do_not_recommend]
impl<const N: usize> OrderedCell for [u8; N] {
    const ORDER: CellOrder = CellOrder::Bytes;
}

/// A codec whose cells can be compared on the server, by their bytes.
///
/// [`NativeCodec`] compares every [`OrderedCell`], and counters. [`Ordered`] compares every
/// [`OrderedCell`] that a row key can always encode. [`Phoenix`] compares all its values except
/// floats and decimals. [`UnixMillis`](crate::value::UnixMillis) and the codecs for other units
/// compare all points in time, even those between two whole units. A custom codec specifies which
/// [`CellOrder`] its cells have. Columns with other codecs can only be tested for presence;
/// comparisons with them do not compile.
///
/// ```
/// use tallrow::{Counter, column::{CellOrder, CompareCell}, value::{NativeCodec, Ordered}};
/// assert_eq!(<NativeCodec as CompareCell<i64>>::ORDER, CellOrder::Signed);
/// assert_eq!(<NativeCodec as CompareCell<Counter>>::ORDER, CellOrder::Signed);
/// assert_eq!(<Ordered as CompareCell<i64>>::ORDER, CellOrder::Bytes);
/// ```
#[diagnostic::on_unimplemented(
    message = "the server cannot compare values of `{V}` that `{Self}` writes",
    label = "the order of their bytes is not known",
    note = "implement OrderedCell for the type, or CompareCell for its codec, if the bytes sort as the values do, or in another order that CellOrder names"
)]
pub trait CompareCell<V>: DecodeCell<V> {
    /// How the order of the values follows from their bytes.
    const ORDER: CellOrder;

    /// Returns the bytes of `value`, with which the bytes of cells are compared.
    fn operand_bytes(value: &V) -> Vec<u8>;

    /// Finds the largest value that this codec can write and that is not greater than `value`.
    /// Returns the bytes of that value, and whether it is `value` itself; `None` if all values that
    /// the codec can write are greater than `value`. A codec that can write every value does not
    /// need to implement this function.
    fn largest_bytes_at_most(value: &V) -> Option<(Vec<u8>, bool)> {
        Some((Self::operand_bytes(value), true))
    }
}

/// A condition may compare with any time, although a cell holds only whole units.
#[diagnostic::do_not_recommend]
impl<V: UnixTime, const NANOS: u64> CompareCell<V> for UnixTimeCodec<NANOS> {
    const ORDER: CellOrder = CellOrder::Signed;

    fn operand_bytes(value: &V) -> Vec<u8> {
        Self::largest_bytes_at_most(value).map_or_else(Vec::new, |(bytes, _)| bytes)
    }

    fn largest_bytes_at_most(value: &V) -> Option<(Vec<u8>, bool)> {
        type Count<const NANOS: u64> = UnixCount<hbase::Bytes, NANOS>;
        let mut bytes = RowBuf::<8>::new();
        match Count::<NANOS>::encode_bound(value, &mut bytes) {
            Ok(at) => at.map(|at| (bytes.to_vec(), at.equal)),
            // Every number of units can be written.
            Err(_) => None,
        }
    }
}

#[diagnostic::do_not_recommend]
impl<V: UnixTime, const NANOS: u64> CompareCell<V> for Truncated<UnixTimeCodec<NANOS>> {
    const ORDER: CellOrder = CellOrder::Signed;

    fn operand_bytes(value: &V) -> Vec<u8> {
        UnixTimeCodec::<NANOS>::operand_bytes(value)
    }

    fn largest_bytes_at_most(value: &V) -> Option<(Vec<u8>, bool)> {
        UnixTimeCodec::<NANOS>::largest_bytes_at_most(value)
    }
}

impl<V: OrderedCell> CompareCell<V> for NativeCodec {
    const ORDER: CellOrder = V::ORDER;

    fn operand_bytes(value: &V) -> Vec<u8> {
        value.to_cell()
    }
}

#[diagnostic::do_not_recommend]
impl CompareCell<Counter> for NativeCodec {
    const ORDER: CellOrder = CellOrder::Signed;

    fn operand_bytes(value: &Counter) -> Vec<u8> {
        value.0.to_cell()
    }
}

impl<V> CompareCell<V> for Ordered
where
    V: OrderedCell + Field,
    key::Native: Encoding<V::Arg, Error = Infallible> + for<'a> Decoding<'a, V>,
{
    const ORDER: CellOrder = match V::ORDER {
        CellOrder::F32 => CellOrder::OrderedF32,
        CellOrder::F64 => CellOrder::OrderedF64,
        _ => CellOrder::Bytes,
    };

    fn operand_bytes(value: &V) -> Vec<u8> {
        let mut bytes = Vec::new();
        match Self::encode(value, &mut bytes) {
            // Every value of the type can be encoded.
            Ok(()) | Err(_) => bytes,
        }
    }
}

macro_rules! phoenix_compares {
    ($($value:ty: $bytes:expr;)*) => {
        $(#[diagnostic::do_not_recommend]
        impl CompareCell<$value> for Phoenix {
            const ORDER: CellOrder = CellOrder::Bytes;

            fn operand_bytes(value: &$value) -> Vec<u8> {
                let bytes: fn(&$value) -> Vec<u8> = $bytes;
                bytes(value)
            }
        })*
    };
}

fn in_phoenix<V>(value: &V) -> Vec<u8>
where
    Phoenix: EncodeCell<V>,
{
    let mut bytes = Vec::new();
    match Phoenix::encode(value, &mut bytes) {
        // Only an empty value is refused, and it has no bytes.
        Ok(()) | Err(_) => bytes,
    }
}

phoenix_compares! {
    i8: in_phoenix;
    i16: in_phoenix;
    i32: in_phoenix;
    i64: in_phoenix;
    bool: in_phoenix;
    String: in_phoenix;
    Vec<u8>: in_phoenix;
    key::compat::phoenix::Timestamp: in_phoenix;
    // This includes numbers above the largest number of the SQL type: cells can still be compared
    // with them.
    u8: |value| value.to_be_bytes().to_vec();
    u16: |value| value.to_be_bytes().to_vec();
    u32: |value| value.to_be_bytes().to_vec();
    u64: |value| value.to_be_bytes().to_vec();
}

/// A value that a column of `V` can be compared with, or set to: a `V`, a reference to a `V`, or
/// for text and bytes a slice.
///
/// ```
/// use tallrow::{Counter, column::Operand};
/// let text: String = "C".into_operand();
/// let count: Counter = 3.into_operand();
/// assert_eq!((text.as_str(), count), ("C", Counter(3)));
/// ```
#[diagnostic::on_unimplemented(
    message = "a column of `{V}` takes a value of `{V}`, not of `{Self}`",
    label = "not a value of this column",
    note = "a column takes a reference to its value too, one of text &str, one of bytes &[u8], a counter i64; the column of an \
            `Option<V>` takes a `V`, and `set_option` an `Option`"
)]
pub trait Operand<V> {
    /// Returns the value as a `V`.
    fn into_operand(self) -> V;
}

#[diagnostic::do_not_recommend]
impl<V> Operand<V> for V {
    fn into_operand(self) -> V {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<V: Clone> Operand<V> for &V {
    fn into_operand(self) -> V {
        self.clone()
    }
}

#[diagnostic::do_not_recommend]
impl Operand<String> for &str {
    fn into_operand(self) -> String {
        self.to_owned()
    }
}

/// For the items of an iterator over `&[&str]`.
#[diagnostic::do_not_recommend]
impl Operand<String> for &&str {
    fn into_operand(self) -> String {
        (*self).to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl Operand<String> for Cow<'_, str> {
    fn into_operand(self) -> String {
        self.into_owned()
    }
}

#[diagnostic::do_not_recommend]
impl Operand<Vec<u8>> for &[u8] {
    fn into_operand(self) -> Vec<u8> {
        self.to_vec()
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize> Operand<Vec<u8>> for &[u8; N] {
    fn into_operand(self) -> Vec<u8> {
        self.to_vec()
    }
}

#[diagnostic::do_not_recommend]
impl Operand<Bytes> for &[u8] {
    fn into_operand(self) -> Bytes {
        Bytes::copy_from_slice(self)
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize> Operand<Bytes> for &[u8; N] {
    fn into_operand(self) -> Bytes {
        Bytes::copy_from_slice(self)
    }
}

#[diagnostic::do_not_recommend]
impl Operand<Counter> for i64 {
    fn into_operand(self) -> Counter {
        Counter(self)
    }
}

/// A range of values that a column of `V` can be compared with.
///
/// ```
/// use std::ops::Bound;
/// use tallrow::column::OperandRange;
///
/// let bounds: (Bound<String>, Bound<String>) = ("a".."c").bounds();
/// assert_eq!(bounds, (Bound::Included("a".into()), Bound::Excluded("c".into())));
/// ```
#[diagnostic::on_unimplemented(
    message = "a column of `{V}` takes a range of `{V}`, not `{Self}`",
    label = "not a range of values of this column"
)]
pub trait OperandRange<V> {
    /// Returns the start and the end of the range.
    fn bounds(self) -> (Bound<V>, Bound<V>);
}

#[diagnostic::do_not_recommend]
impl<V> OperandRange<V> for RangeFull {
    fn bounds(self) -> (Bound<V>, Bound<V>) {
        (Bound::Unbounded, Bound::Unbounded)
    }
}

macro_rules! ranges {
    ($($range:ty: $bounds:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<V, O: Operand<V>> OperandRange<V> for $range {
            fn bounds(self) -> (Bound<V>, Bound<V>) {
                let bounds: fn(Self) -> (Bound<O>, Bound<O>) = $bounds;
                let (from, to) = bounds(self);
                (from.map(Operand::into_operand), to.map(Operand::into_operand))
            }
        }
    )*};
}
ranges! {
    Range<O>: |range| (Bound::Included(range.start), Bound::Excluded(range.end));
    RangeFrom<O>: |range| (Bound::Included(range.start), Bound::Unbounded);
    RangeTo<O>: |range| (Bound::Unbounded, Bound::Excluded(range.end));
    RangeToInclusive<O>: |range| (Bound::Unbounded, Bound::Included(range.end));
    RangeInclusive<O>: |range| {
        let (from, to) = range.into_inner();
        (Bound::Included(from), Bound::Included(to))
    };
    (Bound<O>, Bound<O>): |bounds| bounds;
}

/// A cell value that is a number whose bits can be tested: its cells are its bits, the highest
/// first.
///
/// ```
/// use tallrow::column::BitCell;
/// fn width<V: BitCell>(bits: V) -> usize { bits.to_cell().len() }
/// assert_eq!(width(5_u32), 4);
/// ```
#[diagnostic::on_unimplemented(
    message = "the bits of a `{Self}` cannot be tested",
    label = "for columns of integers",
    note = "the column is an integer, such as u8 or u32"
)]
pub trait BitCell: OrderedCell {}

macro_rules! bits {
    ($($value:ty)*) => {
        $(#[diagnostic::do_not_recommend] impl BitCell for $value {})*
    };
}
bits!(u8 u16 u32 u64 i16 i32 i64);

/// A cell value that is text or bytes.
///
/// ```
/// use tallrow::column::TextCell;
/// fn starts<V: TextCell>(part: &V::Part) -> usize { part.as_ref().len() }
/// assert_eq!(starts::<String>("né"), 3);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither text nor bytes",
    label = "for columns of text or bytes",
    note = "compare other values by `eq`, `lt` and the like"
)]
pub trait TextCell: CellValue {
    /// The type of a part of such a value: `str` or `[u8]`.
    type Part: AsRef<[u8]> + ?Sized;
}

#[diagnostic::do_not_recommend]
impl TextCell for String {
    type Part = str;
}

#[diagnostic::do_not_recommend]
impl TextCell for Vec<u8> {
    type Part = [u8];
}

#[diagnostic::do_not_recommend]
impl TextCell for Bytes {
    type Part = [u8];
}

/// Whether a comparison holds, as Rust compares; the server's filters are tested against this
/// function.
pub(super) fn holds<V: PartialOrd>(value: &V, compare: CompareOperator, operand: &V) -> bool {
    match compare {
        CompareOperator::Less => value < operand,
        CompareOperator::LessOrEqual => value <= operand,
        CompareOperator::Equal => value == operand,
        CompareOperator::NotEqual => value != operand,
        CompareOperator::GreaterOrEqual => value >= operand,
        CompareOperator::Greater => value > operand,
    }
}
