//! What Phoenix writes for the columns of a primary key.
//!
//! | column | type | encoding, ascending | descending |
//! |---|---|---|---|
//! | `TINYINT`, `SMALLINT`, `INTEGER`, `BIGINT` | `i8`..`i64` | [`Column`]: as [`Native`](crate::Native) | `Desc` |
//! | `DATE`, `TIME` | `i64`, milliseconds | [`Column`]: as `BIGINT` | `Desc` |
//! | `UNSIGNED_TINYINT`..`UNSIGNED_LONG` | `NonNeg<i8>`.., `u8`..`u64` | [`Column`]: big-endian, at most the signed type's largest | `Desc` |
//! | `TIMESTAMP` | [`Timestamp`] | [`Column`]: `BIGINT`, then nanoseconds in 4 bytes | `Desc` |
//! | `FLOAT`, `DOUBLE` | `f32`, `f64` | [`Column`]: the bits, in order, plus 1 | `Desc` |
//! | `UNSIGNED_FLOAT`, `UNSIGNED_DOUBLE` | `f32`, `f64` | [`Unsigned`]: the bits | `Desc` |
//! | `BOOLEAN` | `bool` | [`Column`]: 00, 01 | `Desc` |
//! | `BINARY(N)` | `[u8; N]` | [`Column`]: as it is | `Desc` |
//! | `CHAR(N)` | text | [`Char<N>`](Char): ASCII padded with spaces | `Desc` |
//! | `VARCHAR`, `DECIMAL` | text, [`Decimal`](super::Decimal) | [`Separated`]: then 00 | `Desc` of it: then FF, in the last column too |
//! | the same, last column | | [`Column`] | |
//! | `VARBINARY`, last column | bytes | [`Column`] | none |
//! | one of these that may be null | `Option` | [`Nullable`], last column [`NullableLast`] | over `Desc` |
//!
//! - To Phoenix an empty text is a null. Where that changes the row, [`NonEmpty`] refuses it: in descending
//!   order, where a null is one 00 and not FF; and in the last column after a `VARCHAR`, whose 00 Phoenix
//!   then omits.
//! - `PBoolean.toBytes` in descending order writes 00 for true and 01 for false; rows of a table hold FE and
//!   FF, and so does [`Column`].
//! - In `PDecimal.toBytes` exponents from 100^63 on wrap around and give the bytes of other numbers; they are refused.
//! - The salt is [`Salt`](crate::Salt) of [`JavaArraysHash`](crate::JavaArraysHash) over the whole row.

mod column;
mod decimal;
mod float;
mod null;
mod text;
mod timestamp;

pub use column::Column;
pub use decimal::Separated;
pub use float::Unsigned;
pub use null::{Nullable, NullableLast};
pub use text::{Char, NonEmpty};
pub use timestamp::Timestamp;
