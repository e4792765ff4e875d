//! `CHAR`, and text that is not empty.

use alloc::borrow::Cow;
use core::marker::PhantomData;

use crate::encoding::{Encoding, Fixed, NaturalOrder, PrefixEncoding, TextEncoding};
use crate::error::{FieldError, FieldErrorKind};
use crate::row::{Failed, Input, Sink};

/// `CHAR(N)`: ASCII padded with spaces to `N` bytes.
///
/// Phoenix removes spaces at the end of a text. Here such a text is refused, and so are characters
/// that sort below a space.
///
/// ```
/// use tallrow_codec::{compat::phoenix::Char, Encoding, RowBuf};
///
/// let mut row = RowBuf::<4>::new();
/// <Char<4> as Encoding<str>>::encode("ab", &mut row)?;
/// assert_eq!(row.as_slice(), b"ab  ");
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Char<const N: usize> {}

/// Text in the encoding `F`; an empty text is refused, because Phoenix treats it as a null.
///
/// ```
/// use tallrow_codec::{compat::phoenix::NonEmpty, Terminated, Encoding, RowBuf};
///
/// let mut row = RowBuf::<4>::new();
/// <NonEmpty<Terminated<0>> as Encoding<str>>::encode("ab", &mut row)?;
/// assert!(<NonEmpty<Terminated<0>> as Encoding<str>>::encode("", &mut row).is_err());
/// assert_eq!(row.as_slice(), b"ab\0");
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NonEmpty<F>(PhantomData<F>);

fn ascii(text: &[u8]) -> Result<(), FieldError> {
    match text.iter().position(|byte| !byte.is_ascii()) {
        None => Ok(()),
        Some(at) => {
            let byte = text.get(at).copied().unwrap_or_default();
            Err(FieldErrorKind::DisallowedChar { byte, at }.into())
        }
    }
}

impl<const N: usize> Encoding<str> for Char<N> {
    type Order = NaturalOrder;
    type Error = FieldError;
    const WIDTH: Option<usize> = Some(N);
    const PREFIX_FREE: bool = true;

    fn encode<S: Sink>(value: &str, out: &mut S) -> Result<(), FieldError> {
        ascii(value.as_bytes())?;
        <Fixed<N, b' '> as TextEncoding>::put(value.as_bytes(), out)
    }
}

impl<const N: usize> PrefixEncoding<str> for Char<N> {
    fn encode_start<S: Sink>(start: &str, out: &mut S) -> Result<(), FieldError> {
        ascii(start.as_bytes())?;
        <Fixed<N, b' '> as TextEncoding>::put_start(start.as_bytes(), out)
    }
}

fn take_char<'a, const N: usize>(input: &mut Input<'a>) -> Result<Cow<'a, [u8]>, Failed> {
    let held = <Fixed<N, b' '> as TextEncoding>::take(input)?;
    match ascii(&held) {
        Ok(()) => Ok(held),
        Err(fault) => Err(input.fail(fault)),
    }
}

reads!([const N: usize] Char<N>, text, take_char::<N>);

const EMPTY: &str = "not empty, because Phoenix takes an empty text for a null";

impl<F: TextEncoding<Order = NaturalOrder>> Encoding<str> for NonEmpty<F> {
    type Order = NaturalOrder;
    type Error = FieldError;
    const WIDTH: Option<usize> = F::WIDTH;
    const PREFIX_FREE: bool = F::PREFIX_FREE;

    fn encode<S: Sink>(value: &str, out: &mut S) -> Result<(), FieldError> {
        if value.is_empty() {
            return Err(FieldErrorKind::OutOfRange { allowed: EMPTY }.into());
        }
        F::put(value.as_bytes(), out).map_err(Into::into)
    }
}

impl<F: TextEncoding<Order = NaturalOrder>> PrefixEncoding<str> for NonEmpty<F> {
    fn encode_start<S: Sink>(start: &str, out: &mut S) -> Result<(), FieldError> {
        F::put_start(start.as_bytes(), out)
    }
}

fn take_non_empty<'a, F: TextEncoding>(input: &mut Input<'a>) -> Result<Cow<'a, [u8]>, Failed> {
    let held = F::take(input)?;
    if held.is_empty() {
        return Err(
            input.fail(FieldErrorKind::NotCanonical { expected: "a text that is not empty" })
        );
    }
    Ok(held)
}

reads!([F: TextEncoding<Order = NaturalOrder>] NonEmpty<F>, text, take_non_empty::<F>);
