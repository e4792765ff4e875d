//! The types of values, and how they are encoded as the bytes of cells and qualifiers.
//!
//! The type of a field and its codec determine the bytes of its cell:
//!
//! | attribute | codec | bytes of `-2` in an `i32` | sort as the values | read by |
//! |---|---|---|---|---|
//! | none | [`NativeCodec`], by [`CellValue`] | `ff ff ff fe` | not if negative | `Bytes.toInt` of HBase |
//! | `codec = ordered` | [`Ordered`] | `7f ff ff fe` | yes | this library |
//! | `codec = phoenix` | [`Phoenix`] | `7f ff ff fe` | integers do | Phoenix |
//! | `codec = KeyEncoded::<E>` | [`KeyEncoded`] | those of `E` as the last field of a row key | as those | whoever reads such keys |
//! | `codec = json` | `Json`, feature `json` | `2d 32`, the text `-2` | no | everyone |
//! | `codec = cbor` | `Cbor`, feature `cbor` | `21` | no | CBOR readers |
//! | `codec = Protobuf` | [`Protobuf`] | messages only | no | Protocol Buffers |
//! | `codec = UnixMillis` | [`UnixMillis`], [`UnixSeconds`], [`UnixMicros`], [`UnixDays`] | points in time only | not before 1970 | `Bytes.toLong` |
//! | `codec = Truncated::<UnixMillis>` | [`Truncated`]: of any time the start of its unit, as `Utc::now()` needs | points in time only | not before 1970 | `Bytes.toLong` |
//! | `codec = Packed` | [`Packed`] | lists only, each item with its length | | Protocol Buffers' `readDelimited..` |
//! | `codec = MyCodec` | an implementation of [`EncodeCell`] and [`DecodeCell`] | | | |
//!
//! ```
//! use tallrow::value::{Cbor, EncodeCell, Json, NativeCodec, Ordered, Phoenix, ValueError};
//!
//! fn bytes<C: EncodeCell<i32>>(value: i32) -> Result<Vec<u8>, ValueError> {
//!     let mut cell = Vec::new();
//!     C::encode(&value, &mut cell)?;
//!     Ok(cell)
//! }
//!
//! assert_eq!(bytes::<NativeCodec>(-2)?, [0xff, 0xff, 0xff, 0xfe]);
//! assert_eq!(bytes::<Ordered>(-2)?, [0x7f, 0xff, 0xff, 0xfe]);
//! assert_eq!(bytes::<Phoenix>(-2)?, [0x7f, 0xff, 0xff, 0xfe]);
//! assert_eq!(bytes::<Json>(-2)?, b"-2");
//! assert_eq!(bytes::<Cbor>(-2)?, [0x21]);
//! // Filters and conditions of the server compare bytes.
//! assert!(bytes::<NativeCodec>(-2)? > bytes::<NativeCodec>(1)?);
//! assert!(bytes::<Ordered>(-2)? < bytes::<Ordered>(1)?);
//! # Ok::<(), ValueError>(())
//! ```
//!
//! [Conditions](crate::column::Condition) on a column compare values, not bytes, if the codec of
//! the column has an order. If a cell may be absent, its field is an `Option` or has a default.

mod cell_value;
mod codec;
mod field;
mod floor_offset;
mod qualifier;
mod versions;

pub use cell_value::{CellValue, ValueError};
#[cfg(feature = "cbor")]
pub use codec::Cbor;
#[cfg(feature = "json")]
pub use codec::Json;
pub(crate) use codec::PackedItems;
pub use codec::{
    DecodeCell, EncodeCell, KeyEncoded, NativeCodec, Ordered, Packed, Phoenix, Protobuf, Truncated,
    UnixDays, UnixMicros, UnixMillis, UnixSeconds, UnixTimeCodec,
};
pub use field::{
    Aggregated, CellField, Counter, FieldOfAggregate, IncrementableValue, OfExtremum, OfSketch,
    OfSum, ValueOrOption,
};
pub use qualifier::{KeyQualifier, Qualifier};
pub use versions::{Versions, VersionsField};
