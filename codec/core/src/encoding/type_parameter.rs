//! Fields whose type is a type parameter of their key: the bounds on the parameter, and the
//! encoding that uses these bounds.

use core::marker::PhantomData;

use super::{Decoding, Encoding, Field, ValuesWithBoundBytes};
use crate::encoding::EncodingOrder;
use crate::error::FieldError;
use crate::row::{Failed, Input, Sink};

/// A field that has the encoding `F`: the bound of a type parameter.
///
/// The field's type, and not the encoding, implements this trait. With a bound on an encoding, the
/// compiler would search endlessly for keys inside keys.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a row key in the encoding `{F}`",
    label = "no encoding for `{Self}`",
    note = "a parameter of a key stands for the type of a field: a number, [u8; N], text, bytes, \
            Option of these, or a type with #[derive(RowKey)]"
)]
pub trait EncodesAs<F>: Field {
    #[doc(hidden)]
    type Order: EncodingOrder;
    #[doc(hidden)]
    const WIDTH: Option<usize>;
    #[doc(hidden)]
    const PREFIX_FREE: bool;

    #[doc(hidden)]
    fn put<S: Sink>(&self, out: &mut S) -> Result<(), FieldError>;

    #[doc(hidden)]
    fn put_bound<S: Sink>(&self, out: &mut S) -> Result<Option<ValuesWithBoundBytes>, FieldError>;
}

impl<T: Field, F: Encoding<T::Arg, Error: Into<FieldError>>> EncodesAs<F> for T {
    type Order = F::Order;
    const WIDTH: Option<usize> = F::WIDTH;
    const PREFIX_FREE: bool = F::PREFIX_FREE;

    #[inline]
    fn put<S: Sink>(&self, out: &mut S) -> Result<(), FieldError> {
        F::encode(self.as_arg(), out).map_err(Into::into)
    }

    #[inline]
    fn put_bound<S: Sink>(&self, out: &mut S) -> Result<Option<ValuesWithBoundBytes>, FieldError> {
        F::encode_bound(self.as_arg(), out).map_err(Into::into)
    }
}

/// A value that can be read back from the encoding `F`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be decoded from `{F}`",
    label = "not decodable as `{Self}`"
)]
pub trait DecodesAs<'a, F>: Sized {
    #[doc(hidden)]
    fn read(input: &mut Input<'a>) -> Result<Self, Failed>;
}

impl<'a, T, F: Decoding<'a, T>> DecodesAs<'a, F> for T {
    #[inline]
    fn read(input: &mut Input<'a>) -> Result<Self, Failed> {
        F::decode(input)
    }
}

/// The encoding `F` of a field whose type is a type parameter. The bytes are those that the type
/// writes with [`EncodesAs`].
#[derive(Clone, Copy, Debug)]
pub struct ParameterEncoding<F>(PhantomData<F>);

impl<F, T: EncodesAs<F>> Encoding<T> for ParameterEncoding<F> {
    type Order = T::Order;
    type Error = FieldError;
    const WIDTH: Option<usize> = T::WIDTH;
    const PREFIX_FREE: bool = T::PREFIX_FREE;

    #[inline]
    fn encode<S: Sink>(value: &T, out: &mut S) -> Result<(), FieldError> {
        value.put(out)
    }

    #[inline]
    fn encode_bound<S: Sink>(
        bound: &T,
        out: &mut S,
    ) -> Result<Option<ValuesWithBoundBytes>, FieldError> {
        bound.put_bound(out)
    }
}

impl<'a, F, T: DecodesAs<'a, F>> Decoding<'a, T> for ParameterEncoding<F> {
    #[inline]
    fn decode(input: &mut Input<'a>) -> Result<T, Failed> {
        T::read(input)
    }
}
