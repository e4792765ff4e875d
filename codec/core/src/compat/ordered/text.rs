//! `encodeString`.

use alloc::borrow::Cow;

use super::Ordered;
use crate::encoding::{Encoding, NaturalOrder, PrefixEncoding};
use crate::error::{FieldError, FieldErrorKind};
use crate::row::{Failed, Input, Sink, find};

const HEADER: u8 = 0x34;

impl Encoding<str> for Ordered {
    type Order = NaturalOrder;
    type Error = FieldError;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = true;

    #[inline]
    fn encode<S: Sink>(value: &str, out: &mut S) -> Result<(), FieldError> {
        Self::encode_start(value, out)?;
        out.put(&[0]);
        Ok(())
    }
}

impl PrefixEncoding<str> for Ordered {
    #[inline]
    fn encode_start<S: Sink>(start: &str, out: &mut S) -> Result<(), FieldError> {
        if let Some(at) = find(0, start.as_bytes()) {
            return Err(FieldErrorKind::Reserved { byte: 0, at }.into());
        }
        out.put(&[HEADER]);
        out.put(start.as_bytes());
        Ok(())
    }
}

fn take<'a>(input: &mut Input<'a>) -> Result<Cow<'a, [u8]>, Failed> {
    let expected = "a text, which starts with 34 (CB when descending)";
    if input.read_array()? != [HEADER] {
        return Err(input.fail(FieldErrorKind::NotCanonical { expected }));
    }
    let len = input.find(0).ok_or_else(|| input.fail(FieldErrorKind::Unterminated))?;
    let held = input.read_bytes(len)?;
    input.read_array::<1>()?;
    Ok(held)
}

reads!([] Ordered, text, take);
