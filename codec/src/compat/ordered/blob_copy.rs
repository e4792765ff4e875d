//! `encodeBlobCopy`: bytes as they are, for the last field.

use alloc::borrow::Cow;
use core::convert::Infallible;

use crate::error::{Fault, FaultKind};
use crate::find::find;
use crate::form::{Form, StartForm};
use crate::input::{Failed, Input};
use crate::order::{Natural, Reversed};
use crate::sink::Sink;

const HEADER: u8 = 0x38;

/// Bytes behind 38, to the end of the row key.
///
/// ```
/// use tallrow_codec::{compat::ordered::BlobCopy, Form, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// BlobCopy::encode(b"\0a", &mut row).unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), b"\x38\0a");
/// ```
#[derive(Clone, Copy, Debug)]
pub enum BlobCopy {}

/// Bytes behind C7, each inverted, then FF: [`BlobCopy`] in descending order, which holds no 00.
///
/// ```
/// use tallrow_codec::{compat::ordered::BlobCopyDesc, Form, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// BlobCopyDesc::encode(b"a", &mut row)?;
/// assert_eq!(row.as_slice(), [0xc7, !b'a', 0xff]);
/// # Ok::<(), tallrow_codec::Fault>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum BlobCopyDesc {}

impl Form<[u8]> for BlobCopy {
    type Order = Natural;
    type Fault = Infallible;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = false;

    fn encode<S: Sink>(value: &[u8], out: &mut S) -> Result<(), Infallible> {
        out.put(&[HEADER]);
        out.put(value);
        Ok(())
    }
}

impl StartForm<[u8]> for BlobCopy {
    fn encode_start<S: Sink>(start: &[u8], out: &mut S) -> Result<(), Fault> {
        Ok(Self::encode(start, out)?)
    }
}

impl Form<[u8]> for BlobCopyDesc {
    type Order = Reversed;
    type Fault = Fault;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = true;

    fn encode<S: Sink>(value: &[u8], out: &mut S) -> Result<(), Fault> {
        Self::encode_start(value, out)?;
        out.put(&[0xff]);
        Ok(())
    }
}

impl StartForm<[u8]> for BlobCopyDesc {
    fn encode_start<S: Sink>(start: &[u8], out: &mut S) -> Result<(), Fault> {
        if let Some(at) = find(0, start) {
            return Err(FaultKind::Reserved { byte: 0, at }.into());
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
        _ => Err(input.fail(FaultKind::NotCanonical { expected })),
    }
}

fn take_desc<'a>(input: &mut Input<'a>) -> Result<Cow<'a, [u8]>, Failed> {
    input.inverted(|input| {
        let expected = "a blob that starts with 38 (C7 when descending)";
        if input.array()? != [HEADER] {
            return Err(input.fail(FaultKind::NotCanonical { expected }));
        }
        let len = input.find(0).ok_or_else(|| input.fail(FaultKind::NoEnd))?;
        let held = input.bytes(len)?;
        input.array::<1>()?;
        Ok(held)
    })
}

reads!([] BlobCopy, bytes, take);
reads!([] BlobCopyDesc, bytes, take_desc);
