//! What `org.apache.hadoop.hbase.util.OrderedBytes` writes.
//!
//! A value starts with a byte for its type, so that values of different types sort separately and a
//! missing value sorts first. All encodings sort as their values do except `encodeBlobVar`, where
//! `01` sorts before `00 00`, although its class says otherwise. Descending is [`Desc`](crate::Desc): every byte inverted.
//!
//! | type | encoding | bytes |
//! |---|---|---|
//! | `i8`, `i16`, `i32`, `i64` | [`Ordered`] | 29, 2A, 2B, 2C, then the number with its first bit inverted |
//! | `f32`, `f64` | [`Ordered`] | 30, 31, then the bits: positive: first bit inverted, negative: all |
//! | text | [`Ordered`] | 34, UTF-8, 00; contains no 00 |
//! | bytes | [`Ordered`] | 37, seven bits to a byte, first bit set in all but the last; grouped |
//! | bytes | [`BlobCopy`], [`BlobCopyDesc`] | 38, as they are; last field only |
//! | any number | [`Numeric`] | see there |
//! | `Option` of these | [`Nullable`], last field [`NullableLast`] | 05 for none; nothing at all |

mod blob;
mod blob_copy;
mod fixed;
mod nullable;
mod numeric;
mod text;

pub use blob_copy::{BlobCopy, BlobCopyDesc};
pub use nullable::{Nullable, NullableLast};
pub use numeric::{Number, Numeric};

/// The encoding of `OrderedBytes` for numbers of a fixed width, text (`encodeString`) and bytes
/// (`encodeBlobVar`).
///
/// ```
/// use tallrow_codec::{compat::ordered::Ordered, Encoding, RowBuf};
///
/// let mut row = RowBuf::<16>::new();
/// <Ordered as Encoding<str>>::encode("ab", &mut row)?;
/// <Ordered as Encoding<i16>>::encode(&-2, &mut row).unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), [0x34, b'a', b'b', 0, 0x2a, 0x7f, 0xfe]);
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Ordered {}
