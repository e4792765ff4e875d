//! Values that may be missing.

use core::marker::PhantomData;

use crate::encoding::{Decoding, Encoding, Field};
use crate::input::{Failed, Input};
use crate::order::{EncodingOrder, NaturalOrder};
use crate::sink::Sink;

/// An `Option` whose value has the encoding `F`. None is the byte `NULL`, with which no value starts.
#[derive(Clone, Copy, Debug)]
pub struct NullByte<F, const NULL: u8>(PhantomData<F>);

impl<T: Field, F: Encoding<T::Arg>, const NULL: u8> Encoding<Option<T>> for NullByte<F, NULL> {
    type Order = <NaturalOrder as EncodingOrder>::Then<F::Order>;
    type Error = F::Error;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = F::PREFIX_FREE;

    fn encode<S: Sink>(value: &Option<T>, out: &mut S) -> Result<(), F::Error> {
        match value {
            Some(value) => F::encode(value.arg(), out),
            None => {
                out.put(&[NULL]);
                Ok(())
            }
        }
    }
}

impl<'a, T, F: Decoding<'a, T>, const NULL: u8> Decoding<'a, Option<T>> for NullByte<F, NULL> {
    fn decode(input: &mut Input<'a>) -> Result<Option<T>, Failed> {
        if input.find(NULL) == Some(0) {
            input.array::<1>()?;
            return Ok(None);
        }
        F::decode(input).map(Some)
    }
}
