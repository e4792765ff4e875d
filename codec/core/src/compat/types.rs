//! The encodings that `org.apache.hadoop.hbase.types` adds to [`Bytes`](super::hbase) and
//! [`OrderedBytes`](super::ordered).
//!
//! | class | ascending | descending |
//! |---|---|---|
//! | `RawByte`..`RawDouble` | [`Bytes`](super::hbase::Bytes) | none |
//! | `RawString` | [`Native`](crate::Native), last field only | every byte inverted; not in order |
//! | `RawBytes` | [`Native`](crate::Native), last field only | the same as ascending |
//! | `RawStringTerminated` | [`Terminated`](crate::Terminated), [`Sep`](crate::Sep) | [`Desc`](crate::Desc) of them |
//! | `RawBytesTerminated` | the same | the value as it is, the terminator inverted |
//! | `RawStringFixedLength` | [`Fixed`](crate::Fixed) | the text inverted, then 00; not in order |
//! | `RawBytesFixedLength` | [`Fixed`](crate::Fixed) | the same as ascending |
//! | `OrderedInt8`..`OrderedFloat64`, `OrderedString`, `OrderedBlobVar` | [`Ordered`](super::ordered::Ordered) | `Desc` of it |
//! | `OrderedBlob` | [`BlobCopy`](super::ordered::BlobCopy) | [`BlobCopyDesc`](super::ordered::BlobCopyDesc) |
//! | `OrderedNumeric` | [`Numeric`](super::ordered::Numeric) | `Desc` of it |
//! | `FixedLengthWrapper` | [`pad_to_width`] | the same |
//! | `TerminatedWrapper` | [`append_terminator`] | [`append_terminator`] with the terminator inverted |
//! | `Struct` | the fields one after the other, nulls at the end omitted | field by field |
//!
//! Where the classes break the order of rows:
//!
//! - `RawBytes` has no descending order: it writes the same bytes for both directions, inside
//!   wrappers too.
//! - `OrderedBlob` writes a null in descending order as `FA FF`, one byte more than any other type.
//! - `FixedLengthWrapper` pads with 00 in descending order too, so that `a` sorts before `ab` in
//!   both directions; and it returns the padding as part of the value.
//! - `TerminatedWrapper` checks only that the value does not contain the terminator. A terminator
//!   that sorts above a byte of the value, such as `/` or `|`, sorts `user10/` before `user1/`.
//! - `TerminatedWrapper` in descending order inverts the array of its caller; if two wrappers are
//!   made from one array, the second uses the terminator uninverted.
//! - `Struct` accepts a field without an end before another field, and then cannot read the two
//!   fields.

use alloc::vec::Vec;

use crate::error::{FieldError, FieldErrorKind};

/// Returns `encoded` padded with 00 to `width` bytes, as `FixedLengthWrapper` does in both
/// directions.
///
/// # Errors
/// When `encoded` is longer than `width`.
///
/// ```
/// use tallrow_codec::compat::types;
///
/// assert_eq!(types::pad_to_width(b"ab".to_vec(), 4)?, b"ab\0\0");
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
pub fn pad_to_width(mut encoded: Vec<u8>, width: usize) -> Result<Vec<u8>, FieldError> {
    if encoded.len() > width {
        return Err(FieldErrorKind::TooLong { found: encoded.len(), width }.into());
    }
    encoded.resize(width, 0);
    Ok(encoded)
}

/// Returns `encoded` followed by the terminator, as `TerminatedWrapper` does; in descending order,
/// pass both arguments inverted.
///
/// # Errors
/// When `encoded` contains the terminator, or the terminator is empty.
///
/// ```
/// use tallrow_codec::compat::types;
///
/// assert_eq!(types::append_terminator(b"ab".to_vec(), b"/")?, b"ab/");
/// assert!(types::append_terminator(b"a/b".to_vec(), b"/").is_err());
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
pub fn append_terminator(mut encoded: Vec<u8>, terminator: &[u8]) -> Result<Vec<u8>, FieldError> {
    let first = terminator.first();
    let byte =
        *first.ok_or(FieldErrorKind::OutOfRange { allowed: "ended by one byte at least" })?;
    if let Some(at) = encoded.windows(terminator.len()).position(|part| part == terminator) {
        return Err(FieldErrorKind::Reserved { byte, at }.into());
    }
    encoded.extend_from_slice(terminator);
    Ok(encoded)
}
