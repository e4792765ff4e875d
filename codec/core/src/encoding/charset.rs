//! Text restricted to a set of ASCII characters.
#![expect(
    clippy::indexing_slicing,
    reason = "const code has no `get`; each index is compared with the length"
)]

use alloc::borrow::Cow;
use core::marker::PhantomData;

use super::{Decoding, Encoding, PrefixEncoding, TextBytes, TextEncoding};
use crate::error::{FieldError, FieldErrorKind};
use crate::row::{Failed, Input, Sink};

/// Text in the encoding `F` whose characters are all in `SET`, which has one bit for each ASCII
/// character; `#[key(chars = "..")]`.
///
/// ```
/// use tallrow_codec::{Encoding, Native, Charset, RowBuf, char_set};
///
/// type Digits = Charset<Native, { char_set("0-9") }>;
/// let mut row = RowBuf::<8>::new();
/// <Digits as Encoding<str>>::encode("42", &mut row)?;
/// let fault = <Digits as Encoding<str>>::encode("4x", &mut row).unwrap_err();
/// assert_eq!(fault.to_string(), "byte 0x78 at 1 is outside the field's chars");
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Charset<F, const SET: u128>(PhantomData<F>);

/// Returns the set of characters in `chars`, where `a-z` means all from `a` to `z` and a `-` at
/// either end is the character itself; characters outside ASCII are ignored.
///
/// ```
/// use tallrow_codec::char_set;
///
/// assert_eq!(char_set("0-9"), char_set("0123456789"));
/// assert_eq!(char_set("a-").count_ones(), 2);
/// assert_eq!(char_set("a-a"), char_set("a"));
/// ```
pub const fn char_set(chars: &str) -> u128 {
    let chars = chars.as_bytes();
    let mut set = 0;
    let mut i = 0;
    while i < chars.len() {
        let from = chars[i];
        let is_range = i + 2 < chars.len() && chars[i + 1] == b'-';
        let to = if is_range { chars[i + 2] } else { from };
        i += if is_range { 3 } else { 1 };
        let mut c = from;
        while c <= to && c < 128 {
            set |= 1 << c;
            c += 1;
        }
    }
    set
}

/// Refuses text with a character outside `set`.
#[inline]
pub(crate) fn check_chars(value: &[u8], set: u128) -> Result<(), FieldErrorKind> {
    let outside = |byte: &u8| *byte >= 128 || set >> *byte & 1 == 0;
    match value.iter().enumerate().find(|(_, byte)| outside(byte)) {
        None => Ok(()),
        Some((at, byte)) => Err(FieldErrorKind::DisallowedChar { byte: *byte, at }),
    }
}

impl<F: TextEncoding, const SET: u128> TextEncoding for Charset<F, SET> {
    type Order = F::Order;
    type Error = FieldError;
    const WIDTH: Option<usize> = F::WIDTH;
    const PREFIX_FREE: bool = F::PREFIX_FREE;

    #[inline]
    fn put<S: Sink>(value: &[u8], out: &mut S) -> Result<(), FieldError> {
        check_chars(value, SET)?;
        F::put(value, out).map_err(Into::into)
    }

    #[inline]
    fn put_start<S: Sink>(start: &[u8], out: &mut S) -> Result<(), FieldError> {
        check_chars(start, SET)?;
        F::put_start(start, out)
    }

    #[inline]
    fn take<'a>(input: &mut Input<'a>) -> Result<Cow<'a, [u8]>, Failed> {
        let value = F::take(input)?;
        match check_chars(&value, SET) {
            Ok(()) => Ok(value),
            Err(fault) => Err(input.fail(fault)),
        }
    }
}

impl<F: TextEncoding, A: ?Sized + TextBytes, const SET: u128> Encoding<A> for Charset<F, SET>
where
    F: Encoding<A>,
{
    type Order = <Self as TextEncoding>::Order;
    type Error = FieldError;
    const WIDTH: Option<usize> = <Self as TextEncoding>::WIDTH;
    const PREFIX_FREE: bool = <Self as TextEncoding>::PREFIX_FREE;

    #[inline]
    fn encode<S: Sink>(value: &A, out: &mut S) -> Result<(), FieldError> {
        Self::put(value.text_bytes(), out)
    }
}

impl<F: TextEncoding, A: ?Sized + TextBytes, const SET: u128> PrefixEncoding<A> for Charset<F, SET>
where
    F: Encoding<A>,
{
    #[inline]
    fn encode_start<S: Sink>(start: &A, out: &mut S) -> Result<(), FieldError> {
        Self::put_start(start.text_bytes(), out)
    }
}

impl<'a, F: TextEncoding, T, const SET: u128> Decoding<'a, T> for Charset<F, SET>
where
    T: super::FromKeyText<'a, str>,
{
    #[inline]
    fn decode(input: &mut Input<'a>) -> Result<T, Failed> {
        let bytes = Self::take(input)?;
        super::text::utf8(bytes).and_then(T::from_text).map_err(|fault| input.fail(fault))
    }
}
