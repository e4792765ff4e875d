//! `CHAR`, and text that is not empty.

use alloc::borrow::Cow;
use core::marker::PhantomData;

use crate::error::{Fault, FaultKind};
use crate::form::{Fixed, Form, StartForm, TextForm};
use crate::input::{Failed, Input};
use crate::order::Natural;
use crate::sink::Sink;

/// `CHAR(N)`: ASCII filled with spaces to `N` bytes.
///
/// Text that ends in a space loses it in Phoenix; here that is refused, and so is what sorts below a space.
///
/// ```
/// use tallrow_codec::{compat::phoenix::Char, Form, RowBuf};
///
/// let mut row = RowBuf::<4>::new();
/// <Char<4> as Form<str>>::encode("ab", &mut row)?;
/// assert_eq!(row.as_slice(), b"ab  ");
/// # Ok::<(), tallrow_codec::Fault>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Char<const N: usize> {}

/// Text in the form `F` that is not empty, because Phoenix takes an empty text for a null.
///
/// ```
/// use tallrow_codec::{compat::phoenix::Filled, End, Form, RowBuf};
///
/// let mut row = RowBuf::<4>::new();
/// <Filled<End<0>> as Form<str>>::encode("ab", &mut row)?;
/// assert!(<Filled<End<0>> as Form<str>>::encode("", &mut row).is_err());
/// assert_eq!(row.as_slice(), b"ab\0");
/// # Ok::<(), tallrow_codec::Fault>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Filled<F>(PhantomData<F>);

fn ascii(text: &[u8]) -> Result<(), Fault> {
    match text.iter().position(|byte| !byte.is_ascii()) {
        None => Ok(()),
        Some(at) => {
            let byte = text.get(at).copied().unwrap_or_default();
            Err(FaultKind::Char { byte, at }.into())
        }
    }
}

impl<const N: usize> Form<str> for Char<N> {
    type Order = Natural;
    type Fault = Fault;
    const WIDTH: Option<usize> = Some(N);
    const PREFIX_FREE: bool = true;

    fn encode<S: Sink>(value: &str, out: &mut S) -> Result<(), Fault> {
        ascii(value.as_bytes())?;
        <Fixed<N, b' '> as TextForm>::put(value.as_bytes(), out)
    }
}

impl<const N: usize> StartForm<str> for Char<N> {
    fn encode_start<S: Sink>(start: &str, out: &mut S) -> Result<(), Fault> {
        ascii(start.as_bytes())?;
        <Fixed<N, b' '> as TextForm>::put_start(start.as_bytes(), out)
    }
}

fn take_char<'a, const N: usize>(input: &mut Input<'a>) -> Result<Cow<'a, [u8]>, Failed> {
    let held = <Fixed<N, b' '> as TextForm>::take(input)?;
    match ascii(&held) {
        Ok(()) => Ok(held),
        Err(fault) => Err(input.fail(fault)),
    }
}

reads!([const N: usize] Char<N>, text, take_char::<N>);

const EMPTY: &str = "not empty, because Phoenix takes an empty text for a null";

impl<F: TextForm<Order = Natural>> Form<str> for Filled<F> {
    type Order = Natural;
    type Fault = Fault;
    const WIDTH: Option<usize> = F::WIDTH;
    const PREFIX_FREE: bool = F::PREFIX_FREE;

    fn encode<S: Sink>(value: &str, out: &mut S) -> Result<(), Fault> {
        if value.is_empty() {
            return Err(FaultKind::OutOfRange { allowed: EMPTY }.into());
        }
        F::put(value.as_bytes(), out).map_err(Into::into)
    }
}

impl<F: TextForm<Order = Natural>> StartForm<str> for Filled<F> {
    fn encode_start<S: Sink>(start: &str, out: &mut S) -> Result<(), Fault> {
        F::put_start(start.as_bytes(), out)
    }
}

fn take_filled<'a, F: TextForm>(input: &mut Input<'a>) -> Result<Cow<'a, [u8]>, Failed> {
    let held = F::take(input)?;
    if held.is_empty() {
        return Err(input.fail(FaultKind::NotCanonical { expected: "a text that is not empty" }));
    }
    Ok(held)
}

reads!([F: TextForm<Order = Natural>] Filled<F>, text, take_filled::<F>);
