//! Reversed text, so that the characters that change fastest are the first.

use alloc::borrow::Cow;
use alloc::string::String;
use core::marker::PhantomData;

use super::{Decoding, Encoding, FromKeyText, TextEncoding, text};
use crate::encoding::GroupedOrder;
use crate::row::{Failed, Input, RowBuf, Sink};

/// The characters of a text from last to first, in the encoding `F`, for a phone number or user id
/// whose last digits spread the rows; `#[key(reverse)]`.
///
/// ```
/// use tallrow_codec::{ReversedChars, Fixed, Encoding, RowBuf};
///
/// let mut row = RowBuf::<16>::new();
/// <ReversedChars<Fixed<6>> as Encoding<str>>::encode("1380", &mut row)?;
/// assert_eq!(row.as_slice(), b"0831\0\0");
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ReversedChars<F>(PhantomData<F>);

/// Returns the characters of `text`, last to first.
pub(crate) fn reverse_chars(text: &str) -> RowBuf<64> {
    let mut back = RowBuf::new();
    for c in text.chars().rev() {
        back.put(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
    back
}

impl<F: TextEncoding> Encoding<str> for ReversedChars<F> {
    type Order = GroupedOrder;
    type Error = F::Error;
    const WIDTH: Option<usize> = F::WIDTH;
    const PREFIX_FREE: bool = F::PREFIX_FREE;

    #[inline]
    fn encode<S: Sink>(value: &str, out: &mut S) -> Result<(), F::Error> {
        F::put(&reverse_chars(value), out)
    }
}

impl<'a, F: TextEncoding, T: FromKeyText<'a, str>> Decoding<'a, T> for ReversedChars<F> {
    fn decode(input: &mut Input<'a>) -> Result<T, Failed> {
        let back = F::take(input)?;
        text::utf8(back)
            .and_then(|back| T::from_text(Cow::Owned(back.chars().rev().collect::<String>())))
            .map_err(|fault| input.fail(fault))
    }
}
