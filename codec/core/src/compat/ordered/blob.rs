//! Encodings of bytes: `encodeBlobVar`, and `encodeBlobCopy` for the last field.
//!
//! `encodeBlobVar` writes seven bits to a byte, so that the first bit can indicate whether more
//! bytes follow.
//!
//! HBase calls this encoding ordered, but it is not: the byte that ends a blob lacks the first bit
//! that the same byte of a longer blob has, so `01` (`37 80 40`) sorts before `00 00`
//! (`37 80 80 00`).

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::convert::Infallible;

use super::Ordered;
use crate::encoding::{Encoding, GroupedOrder, NaturalOrder, PrefixEncoding, ReversedOrder};
use crate::error::{FieldError, FieldErrorKind};
use crate::row::{Failed, Input, Sink, find};

const HEADER: u8 = 0x37;
const COPY_HEADER: u8 = 0x38;
const MORE: u8 = 0x80;

impl Encoding<[u8]> for Ordered {
    type Order = GroupedOrder;
    type Error = Infallible;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = true;

    fn encode<S: Sink>(value: &[u8], out: &mut S) -> Result<(), Infallible> {
        out.put(&[HEADER]);
        if value.is_empty() {
            out.put(&[0]);
        }
        // Seven bytes become eight; the last septet is filled up with 0.
        let groups = value.len().div_ceil(7);
        for (group, bytes) in value.chunks(7).enumerate() {
            let len = bytes.len() + 1;
            let bits = bytes.iter().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
            let bits = bits << (7 * len - 8 * bytes.len());
            for at in (0..len).rev() {
                let septet = (bits >> (7 * at)) as u8 & !MORE;
                let last = at == 0 && group + 1 == groups;
                out.put(&[if last { septet } else { septet | MORE }]);
            }
        }
        Ok(())
    }
}

fn take<'a>(input: &mut Input<'a>) -> Result<Cow<'a, [u8]>, Failed> {
    let wrong = |input: &mut Input<'a>, expected| {
        Err(input.fail(FieldErrorKind::NotCanonical { expected }))
    };
    if input.read_array()? != [HEADER] {
        return wrong(input, "a blob, which starts with 37 (C8 when descending)");
    }
    let mut held = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    let mut septets = 0_usize;
    loop {
        let [septet] = input.read_array()?;
        septets += 1;
        bits = bits << 7 | u32::from(septet & !MORE);
        count += 7;
        if count >= 8 {
            count -= 8;
            held.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
        if septet & MORE == 0 {
            break;
        }
    }
    // The 8n bits of n bytes are filled up to a multiple of 7; an empty blob takes one septet.
    let needed = if held.is_empty() { 1 } else { (held.len() * 8).div_ceil(7) };
    if bits != 0 || septets != needed {
        return wrong(input, "no bits after the last byte of a blob");
    }
    Ok(Cow::Owned(held))
}

reads!([] Ordered, bytes, take);

/// The byte 38, then the bytes of the value, to the end of the row key.
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

/// The byte C7, then the bytes of the value, each inverted, then FF: [`BlobCopy`] in descending
/// order. The value cannot contain 00.
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
        out.put(&[COPY_HEADER]);
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
        out.put(&[COPY_HEADER]);
        out.put(start);
        for byte in out.written_since(mark) {
            *byte = !*byte;
        }
        Ok(())
    }
}

fn take_copy<'a>(input: &mut Input<'a>) -> Result<Cow<'a, [u8]>, Failed> {
    let expected = "a blob that starts with 38 (C7 when descending)";
    match input.read_array()? {
        [COPY_HEADER] => input.read_bytes(input.remaining()),
        _ => Err(input.fail(FieldErrorKind::NotCanonical { expected })),
    }
}

fn take_copy_desc<'a>(input: &mut Input<'a>) -> Result<Cow<'a, [u8]>, Failed> {
    input.read_inverted(|input| {
        let expected = "a blob that starts with 38 (C7 when descending)";
        if input.read_array()? != [COPY_HEADER] {
            return Err(input.fail(FieldErrorKind::NotCanonical { expected }));
        }
        let len = input.find(0).ok_or_else(|| input.fail(FieldErrorKind::Unterminated))?;
        let held = input.read_bytes(len)?;
        input.read_array::<1>()?;
        Ok(held)
    })
}

reads!([] BlobCopy, bytes, take_copy);
reads!([] BlobCopyDesc, bytes, take_copy_desc);
