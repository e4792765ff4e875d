//! The encodings that Phoenix writes for the columns of a primary key.
//!
//! | column | type | encoding, ascending | descending |
//! |---|---|---|---|
//! | `TINYINT`, `SMALLINT`, `INTEGER`, `BIGINT` | `i8`..`i64` | [`Column`]: as [`Native`](crate::Native) | `Desc` |
//! | `DATE`, `TIME` | `i64`, milliseconds | [`Column`]: as `BIGINT` | `Desc` |
//! | `UNSIGNED_TINYINT`..`UNSIGNED_LONG` | `NonNeg<i8>`.., `u8`..`u64` | [`Column`]: big-endian, at most the signed type's largest | `Desc` |
//! | `TIMESTAMP` | [`Timestamp`] | [`Column`]: `BIGINT`, then nanoseconds in 4 bytes | `Desc` |
//! | `FLOAT`, `DOUBLE` | `f32`, `f64` | [`Column`]: the bits, in order, plus 1 | `Desc` |
//! | `UNSIGNED_FLOAT`, `UNSIGNED_DOUBLE` | `f32`, `f64` | [`UnsignedFloat`]: the bits | `Desc` |
//! | `BOOLEAN` | `bool` | [`Column`]: 00, 01 | `Desc` |
//! | `BINARY(N)` | `[u8; N]` | [`Column`]: as it is | `Desc` |
//! | `CHAR(N)` | text | [`Char<N>`](Char): ASCII padded with spaces | `Desc` |
//! | `VARCHAR`, `DECIMAL` | text, [`Decimal`](super::Decimal) | [`Separated`]: then 00 | `Desc` of it: then FF, in the last column too |
//! | the same, last column | | [`Column`] | |
//! | `VARBINARY`, last column | bytes | [`Column`] | none |
//! | one of these that may be null | `Option` | [`Nullable`], last column [`NullableLast`] | over `Desc` |
//!
//! - Phoenix treats an empty text as a null. Where that changes the row, [`NonEmpty`] refuses an
//!   empty text: in descending order, where a null is one 00 and not FF; and in the last column
//!   after a `VARCHAR`, because Phoenix then omits the 00 of the `VARCHAR`.
//! - `PBoolean.toBytes` in descending order writes 00 for true and 01 for false; but rows of a
//!   table hold FE and FF, which are the bytes of [`Column`] too.
//! - In `PDecimal.toBytes`, the exponent of a number of 100^63 or more wraps around and gives the
//!   bytes of another number. Such numbers are refused.
//! - The salt is a [`Salt`](crate::Salt) with [`JavaArraysHash`](crate::JavaArraysHash) over the
//!   whole row.

mod column;
mod decimal;
mod float;
mod text;
mod timestamp;

pub use column::Column;
pub use decimal::Separated;
pub use float::UnsignedFloat;
pub use text::{Char, NonEmpty};
pub use timestamp::Timestamp;

use crate::compat::null::{NoneAsEmpty, NullByte};

/// A `VARCHAR` or `DECIMAL` that may be null and is not the last column: a null is written as 00,
/// in ascending and descending order.
///
/// `F` must write at least one byte, and the first byte must not be 00.
///
/// ```
/// use tallrow_codec::compat::phoenix::{NonEmpty, Nullable};
/// use tallrow_codec::{Desc, Encoding, RowBuf, Terminated};
///
/// let mut row = RowBuf::<8>::new();
/// <Nullable<Desc<NonEmpty<Terminated<0>>>> as Encoding<Option<String>>>::encode(&None, &mut row)?;
/// <Nullable<Desc<NonEmpty<Terminated<0>>>> as Encoding<Option<String>>>::encode(
///     &Some("a".into()),
///     &mut row,
/// )?;
/// assert_eq!(row.as_slice(), [0, !b'a', 0xff]);
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
pub type Nullable<F> = NullByte<F, 0>;

/// A last column that may be null: a null is written as no bytes.
///
/// ```
/// use tallrow_codec::compat::phoenix::{Column, NonEmpty, NullableLast};
/// use tallrow_codec::{Encoding, Native, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// <NullableLast<NonEmpty<Native>> as Encoding<Option<String>>>::encode(&None, &mut row)?;
/// assert_eq!(row.as_slice(), b"");
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
pub type NullableLast<F> = NoneAsEmpty<F, 256>;
