//! Encodings of values that may be missing.

use core::marker::PhantomData;

use crate::encoding::{
    Decoding, Encoding, EncodingOrder, Field, NaturalOrder, ValuesWithBoundBytes,
};
use crate::error::FieldErrorKind;
use crate::row::{Failed, Input, Sink};

/// An `Option` whose value has the encoding `F`. `None` is written as the byte `NULL`; no value
/// starts with this byte.
#[derive(Clone, Copy, Debug)]
pub struct NullByte<F, const NULL: u8>(PhantomData<F>);

impl<T: Field, F: Encoding<T::Arg>, const NULL: u8> Encoding<Option<T>> for NullByte<F, NULL> {
    type Order = <NaturalOrder as EncodingOrder>::Then<F::Order>;
    type Error = F::Error;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = F::PREFIX_FREE;

    fn encode<S: Sink>(value: &Option<T>, out: &mut S) -> Result<(), F::Error> {
        match value {
            Some(value) => F::encode(value.as_arg(), out),
            None => {
                out.put(&[NULL]);
                Ok(())
            }
        }
    }

    fn encode_bound<S: Sink>(
        bound: &Option<T>,
        out: &mut S,
    ) -> Result<Option<ValuesWithBoundBytes>, F::Error> {
        if let Some(value) = bound
            && let Some(at) = F::encode_bound(value.as_arg(), out)?
        {
            return Ok(Some(at));
        }
        out.put(&[NULL]);
        Ok(Some(if bound.is_some() {
            ValuesWithBoundBytes::BELOW
        } else {
            ValuesWithBoundBytes::BOUND_ONLY
        }))
    }
}

impl<'a, T, F: Decoding<'a, T>, const NULL: u8> Decoding<'a, Option<T>> for NullByte<F, NULL> {
    fn decode(input: &mut Input<'a>) -> Result<Option<T>, Failed> {
        if input.find(NULL) == Some(0) {
            input.read_array::<1>()?;
            return Ok(None);
        }
        F::decode(input).map(Some)
    }
}

/// An `Option` in the last field of a row, whose value has the encoding `F`. `None` is written as
/// no bytes. When rows are decoded, a value that starts with `REJECTED_BYTE` is rejected; a
/// `REJECTED_BYTE` of 256 or more rejects no value.
#[derive(Clone, Copy, Debug)]
pub struct NoneAsEmpty<F, const REJECTED_BYTE: u16>(PhantomData<F>);

impl<T: Field, F: Encoding<T::Arg>, const REJECTED_BYTE: u16> Encoding<Option<T>>
    for NoneAsEmpty<F, REJECTED_BYTE>
{
    type Order = <NaturalOrder as EncodingOrder>::Then<F::Order>;
    type Error = F::Error;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = false;

    fn encode<S: Sink>(value: &Option<T>, out: &mut S) -> Result<(), F::Error> {
        value.as_ref().map_or(Ok(()), |value| F::encode(value.as_arg(), out))
    }

    fn encode_bound<S: Sink>(
        bound: &Option<T>,
        out: &mut S,
    ) -> Result<Option<ValuesWithBoundBytes>, F::Error> {
        let Some(value) = bound else { return Ok(Some(ValuesWithBoundBytes::BOUND_ONLY)) };
        Ok(F::encode_bound(value.as_arg(), out)?.or(Some(ValuesWithBoundBytes::BELOW)))
    }
}

impl<'a, T, F: Decoding<'a, T>, const REJECTED_BYTE: u16> Decoding<'a, Option<T>>
    for NoneAsEmpty<F, REJECTED_BYTE>
{
    fn decode(input: &mut Input<'a>) -> Result<Option<T>, Failed> {
        if input.remaining() == 0 {
            return Ok(None);
        }
        if u8::try_from(REJECTED_BYTE).is_ok_and(|null| input.find(null) == Some(0)) {
            let expected = "nothing at all for a value missing at the end";
            return Err(input.fail(FieldErrorKind::NotCanonical { expected }));
        }
        F::decode(input).map(Some)
    }
}
