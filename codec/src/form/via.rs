//! Fields whose type is a parameter of their key.

use core::marker::PhantomData;

use super::{DecodeForm, Field, Form, Shares};
use crate::error::Fault;
use crate::input::{Failed, Input};
use crate::order::Order;
use crate::sink::Sink;

/// A field that has the form `F`: the bound of a type parameter.
///
/// It is a trait of the field's type and not of the form, because a bound on a form would send the
/// compiler looking for keys of keys without end.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a row key in the form `{F}`",
    label = "no row-key form for `{Self}`",
    note = "the type that a parameter of a key stands for is what any field is: a number, [u8; N], text, bytes, \
            Option of these, or a type with #[derive(RowKey)]"
)]
pub trait Takes<F>: Field {
    #[doc(hidden)]
    type Order: Order;
    #[doc(hidden)]
    const WIDTH: Option<usize>;
    #[doc(hidden)]
    const PREFIX_FREE: bool;

    #[doc(hidden)]
    fn put<S: Sink>(&self, out: &mut S) -> Result<(), Fault>;

    #[doc(hidden)]
    fn shares(&self) -> Shares;
}

impl<T: Field, F: Form<T::Arg, Fault: Into<Fault>>> Takes<F> for T {
    type Order = F::Order;
    const WIDTH: Option<usize> = F::WIDTH;
    const PREFIX_FREE: bool = F::PREFIX_FREE;

    #[inline]
    fn put<S: Sink>(&self, out: &mut S) -> Result<(), Fault> {
        F::encode(self.arg(), out).map_err(Into::into)
    }

    #[inline]
    fn shares(&self) -> Shares {
        F::shares(self.arg())
    }
}

/// A value that can be read back from the form `F`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read back from the form `{F}`",
    label = "not readable as `{Self}`"
)]
pub trait ReadFrom<'a, F>: Sized {
    #[doc(hidden)]
    fn read(input: &mut Input<'a>) -> Result<Self, Failed>;
}

impl<'a, T, F: DecodeForm<'a, T>> ReadFrom<'a, F> for T {
    #[inline]
    fn read(input: &mut Input<'a>) -> Result<Self, Failed> {
        F::decode(input)
    }
}

/// The form `F`, asked of the type of the field.
#[derive(Clone, Copy, Debug)]
pub struct Via<F>(PhantomData<F>);

impl<F, T: Takes<F>> Form<T> for Via<F> {
    type Order = T::Order;
    type Fault = Fault;
    const WIDTH: Option<usize> = T::WIDTH;
    const PREFIX_FREE: bool = T::PREFIX_FREE;

    #[inline]
    fn encode<S: Sink>(value: &T, out: &mut S) -> Result<(), Fault> {
        value.put(out)
    }

    #[inline]
    fn shares(value: &T) -> Shares {
        value.shares()
    }
}

impl<'a, F, T: ReadFrom<'a, F>> DecodeForm<'a, T> for Via<F> {
    #[inline]
    fn decode(input: &mut Input<'a>) -> Result<T, Failed> {
        T::read(input)
    }
}
