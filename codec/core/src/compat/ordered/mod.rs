//! The encodings that `org.apache.hadoop.hbase.util.OrderedBytes` writes.
//!
//! A value starts with a byte for its type, so that values of different types sort separately and a
//! missing value sorts first. All encodings sort as their values do except `encodeBlobVar`, where
//! `01` sorts before `00 00`, although its class says otherwise. The descending variants are
//! [`Desc`](crate::Desc): every byte inverted.
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
mod fixed;
mod numeric;
mod text;

pub use blob::{BlobCopy, BlobCopyDesc};
pub use numeric::{Numeric, NumericValue};

use crate::compat::null::{NoneAsEmpty, NullByte};

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

/// The byte of `encodeNull`.
const NULL: u8 = 0x05;

/// An `Option` whose value has an encoding of [`ordered`](super): `None` is written as 05, which
/// sorts first.
///
/// ```
/// use tallrow_codec::{compat::ordered::{Nullable, Ordered}, Encoding, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// <Nullable<Ordered> as Encoding<Option<String>>>::encode(&None, &mut row)?;
/// assert_eq!(row.as_slice(), [5]);
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
pub type Nullable<F> = NullByte<F, NULL>;

/// An `Option` in the last field of a `Struct`; `None` is written as no bytes.
///
/// A row without the value is a prefix of the rows with a value, so no field may follow and there
/// is no descending variant.
///
/// ```
/// use tallrow_codec::{compat::ordered::{NullableLast, Ordered}, Encoding, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// <NullableLast<Ordered> as Encoding<Option<String>>>::encode(&None, &mut row)?;
/// assert_eq!(row.as_slice(), b"");
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
pub type NullableLast<F> = NoneAsEmpty<F, { NULL as u16 }>;
