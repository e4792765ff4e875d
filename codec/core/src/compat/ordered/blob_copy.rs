//! `encodeBlobCopy`: bytes as they are, for the last field.

use alloc::borrow::Cow;
use core::convert::Infallible;

use crate::encoding::{Encoding, PrefixEncoding};
use crate::error::{FieldError, FieldErrorKind};
use crate::find::find;
use crate::input::{Failed, Input};
use crate::order::{NaturalOrder, ReversedOrder};
use crate::sink::Sink;

const HEADER: u8 = 0x38;

/// Bytes after 38, to the end of the row key.
///
/// ```
/// use tallrow_codec::{compat::ordered::BlobCopy, Encoding, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// BlobCopy::encode(b"\0a", &mut row).unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), b"\x38\0a");
/// ```
#[derive(Clone, Copy, Debug)]
pub enum BlobCopy {}

/// Bytes after C7, each inverted, then FF: [`BlobCopy`] in descending order, which cannot contain 00.
///
/// ```
/// use tallrow_codec::{compat::ordered::BlobCopyDesc, Encoding, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// BlobCopyDesc::encode(b"a", &mut row)?;
/// assert_eq!(row.as_slice(), [0xc7, !b'a', 0xff]);
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum BlobCopyDesc {}

impl Encoding<[u8]> for BlobCopy {
    type Order = NaturalOrder;
    type Error = Infallible;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = false;

    fn encode<S: Sink>(value: &[u8], out: &mut S) -> Result<(), Infallible> {
        out.put(&[HEADER]);
        out.put(value);
        Ok(())
    }
}

impl PrefixEncoding<[u8]> for BlobCopy {
    fn encode_start<S: Sink>(start: &[u8], out: &mut S) -> Result<(), FieldError> {
        Ok(Self::encode(start, out)?)
    }
}

impl Encoding<[u8]> for BlobCopyDesc {
    type Order = ReversedOrder;
    type Error = FieldError;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = true;

    fn encode<S: Sink>(value: &[u8], out: &mut S) -> Result<(), FieldError> {
        Self::encode_start(value, out)?;
        out.put(&[0xff]);
        Ok(())
    }
}

impl PrefixEncoding<[u8]> for BlobCopyDesc {
    fn encode_start<S: Sink>(start: &[u8], out: &mut S) -> Result<(), FieldError> {
        if let Some(at) = find(0, start) {
            return Err(FieldErrorKind::Reserved { byte: 0, at }.into());
        }
        let mark = out.position();
        out.put(&[HEADER]);
        out.put(start);
        for byte in out.written(mark) {
            *byte = !*byte;
        }
        Ok(())
    }
}

fn take<'a>(input: &mut Input<'a>) -> Result<Cow<'a, [u8]>, Failed> {
    let expected = "a blob that starts with 38 (C7 when descending)";
    match input.array()? {
        [HEADER] => input.bytes(input.remaining()),
        _ => Err(input.fail(FieldErrorKind::NotCanonical { expected })),
    }
}

fn take_desc<'a>(input: &mut Input<'a>) -> Result<Cow<'a, [u8]>, Failed> {
    input.inverted(|input| {
        let expected = "a blob that starts with 38 (C7 when descending)";
        if input.array()? != [HEADER] {
            return Err(input.fail(FieldErrorKind::NotCanonical { expected }));
        }
        let len = input.find(0).ok_or_else(|| input.fail(FieldErrorKind::Unterminated))?;
        let held = input.bytes(len)?;
        input.array::<1>()?;
        Ok(held)
    })
}

reads!([] BlobCopy, bytes, take);
reads!([] BlobCopyDesc, bytes, take_desc);
