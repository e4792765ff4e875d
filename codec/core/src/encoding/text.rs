//! Text (as its UTF-8 bytes) and bytes, and the ways to end them inside a row key.
//!
//! | attribute | encoding | bytes of `ab` | order | may contain | may be followed by a field |
//! |---|---|---|---|---|---|
//! | none | [`Native`] (raw) | `61 62` | natural | anything | no |
//! | `escaped` | [`Escaped`] | `61 62 00 01`, an inner 00 as `00 FF` | natural | anything | yes |
//! | `width = 4` | [`Fixed<4>`](Fixed) | `61 62 00 00` | natural | up to 4 bytes, the last not 00 | yes |
//! | `nul_terminated` | [`Terminated<0>`](Terminated) | `61 62 00` | natural | no 00 | yes |
//! | `sep = '\|'` | [`Sep<b'\|'>`](Sep) | `61 62 7C` | grouped | no `\|` | yes |

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::str;

use super::{Decoding, Encoding, Native, PrefixEncoding};
use crate::encoding::{EncodingOrder, Fallibility, GroupedOrder, NaturalOrder};
use crate::error::{FieldError, FieldErrorKind};
use crate::row::{Failed, Input, Sink, find};

/// An encoding of both text and bytes: they are written in the same way, and differ only in what is
/// accepted when a row is decoded.
///
/// ```
/// use tallrow_codec::{Fixed, RowBuf, TextEncoding};
///
/// let mut row = RowBuf::<16>::new();
/// <Fixed<4> as TextEncoding>::put(b"ab", &mut row)?;
/// assert_eq!(row.as_slice(), b"ab\0\0");
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
pub trait TextEncoding {
    /// How the order of the bytes relates to the order of the values.
    type Order: EncodingOrder;
    /// [`Infallible`] when every value fits, else [`FieldError`].
    type Error: Fallibility + Into<FieldError>;
    /// The number of bytes, when it is the same for every value.
    const WIDTH: Option<usize>;
    /// Whether no encoded value is a prefix of another, so that a field may follow.
    const PREFIX_FREE: bool;

    /// Appends the bytes of `value`.
    ///
    /// # Errors
    /// When the value does not fit the encoding.
    fn put<S: Sink>(value: &[u8], out: &mut S) -> Result<(), Self::Error>;

    /// Appends the bytes that all values starting with `start` share.
    ///
    /// # Errors
    /// When no value can start with `start`.
    fn put_start<S: Sink>(start: &[u8], out: &mut S) -> Result<(), FieldError>;

    /// Reads one value, borrowed where the row key holds it unchanged.
    ///
    /// # Errors
    /// When the bytes are not what this encoding writes.
    fn take<'a>(input: &mut Input<'a>) -> Result<Cow<'a, [u8]>, Failed>;
}

/// A type that can be made from the text or bytes in a row key: `&str`, `String` or `Cow<str>` for
/// text; `&[u8]`, `Vec<u8>` or `Cow<[u8]>` for bytes.
///
/// ```
/// use tallrow_codec::FromKeyText;
///
/// assert_eq!(String::from_text("bob".into())?, "bob");
/// assert!(<&str>::from_text(String::from("bob").into()).is_err());
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
pub trait FromKeyText<'a, S: ?Sized + alloc::borrow::ToOwned + 'a>: Sized {
    /// Returns `text` as this type.
    ///
    /// # Errors
    /// When this type borrows its text and `text` is owned.
    fn from_text(text: Cow<'a, S>) -> Result<Self, FieldError>;
}

impl<'a, S: ?Sized + alloc::borrow::ToOwned + 'a> FromKeyText<'a, S> for Cow<'a, S> {
    #[inline]
    fn from_text(text: Cow<'a, S>) -> Result<Self, FieldError> {
        Ok(text)
    }
}

macro_rules! borrowed {
    ($($text:ty)*) => {$(
        impl<'a> FromKeyText<'a, $text> for &'a $text {
            #[inline]
            fn from_text(text: Cow<'a, $text>) -> Result<Self, FieldError> {
                match text {
                    Cow::Borrowed(text) => Ok(text),
                    Cow::Owned(_) => Err(FieldErrorKind::NotBorrowed.into()),
                }
            }
        }
    )*};
}

borrowed! { str [u8] }

impl<'a> FromKeyText<'a, str> for String {
    #[inline]
    fn from_text(text: Cow<'a, str>) -> Result<Self, FieldError> {
        Ok(text.into_owned())
    }
}

impl<'a> FromKeyText<'a, [u8]> for Vec<u8> {
    #[inline]
    fn from_text(text: Cow<'a, [u8]>) -> Result<Self, FieldError> {
        Ok(text.into_owned())
    }
}

/// A value that is written as the bytes of a text.
#[doc(hidden)]
pub trait TextBytes {
    /// Returns the bytes.
    fn text_bytes(&self) -> &[u8];
}

impl TextBytes for str {
    #[inline(always)]
    fn text_bytes(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl TextBytes for [u8] {
    #[inline(always)]
    fn text_bytes(&self) -> &[u8] {
        self
    }
}

/// Returns `bytes` as text.
#[inline]
pub(crate) fn utf8(bytes: Cow<'_, [u8]>) -> Result<Cow<'_, str>, FieldError> {
    let wrong = |valid| FieldError::from(FieldErrorKind::NotUtf8 { valid });
    match bytes {
        Cow::Borrowed(bytes) => {
            str::from_utf8(bytes).map(Cow::Borrowed).map_err(|e| wrong(e.valid_up_to()))
        }
        Cow::Owned(bytes) => String::from_utf8(bytes)
            .map(Cow::Owned)
            .map_err(|e| wrong(e.utf8_error().valid_up_to())),
    }
}

/// Returns `bytes` unchecked: the counterpart of [`utf8`] for a field that holds bytes.
#[inline(always)]
fn unchanged(bytes: Cow<'_, [u8]>) -> Result<Cow<'_, [u8]>, FieldError> {
    Ok(bytes)
}

macro_rules! text_and_bytes {
    ($($encoding:ty, [$($params:tt)*];)*) => {$(
        impl<$($params)*> Encoding<str> for $encoding {
            type Order = <Self as TextEncoding>::Order;
            type Error = <Self as TextEncoding>::Error;
            const WIDTH: Option<usize> = <Self as TextEncoding>::WIDTH;
            const PREFIX_FREE: bool = <Self as TextEncoding>::PREFIX_FREE;

            #[inline]
            fn encode<S: Sink>(value: &str, out: &mut S) -> Result<(), Self::Error> {
                <Self as TextEncoding>::put(value.as_bytes(), out)
            }
        }

        impl<$($params)*> Encoding<[u8]> for $encoding {
            type Order = <Self as TextEncoding>::Order;
            type Error = <Self as TextEncoding>::Error;
            const WIDTH: Option<usize> = <Self as TextEncoding>::WIDTH;
            const PREFIX_FREE: bool = <Self as TextEncoding>::PREFIX_FREE;

            #[inline]
            fn encode<S: Sink>(value: &[u8], out: &mut S) -> Result<(), Self::Error> {
                <Self as TextEncoding>::put(value, out)
            }
        }

        impl<$($params)*> PrefixEncoding<str> for $encoding {
            #[inline]
            fn encode_start<S: Sink>(start: &str, out: &mut S) -> Result<(), FieldError> {
                <Self as TextEncoding>::put_start(start.as_bytes(), out)
            }
        }

        impl<$($params)*> PrefixEncoding<[u8]> for $encoding {
            #[inline]
            fn encode_start<S: Sink>(start: &[u8], out: &mut S) -> Result<(), FieldError> {
                <Self as TextEncoding>::put_start(start, out)
            }
        }

        text_and_bytes! { @decode [$($params)*] $encoding;
            &'a str, str, utf8; String, str, utf8; Cow<'a, str>, str, utf8;
            &'a [u8], [u8], unchanged; Vec<u8>, [u8], unchanged; Cow<'a, [u8]>, [u8], unchanged; }
    )*};
    (@decode $params:tt $encoding:ty; $($name:ty, $arg:ty, $check:ident;)*) => {$(
        text_and_bytes! { @one $params $encoding; $name, $arg, $check }
    )*};
    (@one [$($params:tt)*] $encoding:ty; $name:ty, $arg:ty, $check:ident) => {
        impl<'a, $($params)*> Decoding<'a, $name> for $encoding {
            #[inline]
            fn decode(input: &mut Input<'a>) -> Result<$name, Failed> {
                let bytes = <Self as TextEncoding>::take(input)?;
                $check(bytes)
                    .and_then(<$name as FromKeyText<'a, $arg>>::from_text)
                    .map_err(|fault| input.fail(fault))
            }
        }
    };
}

text_and_bytes! {
    Native, [];
    Escaped, [];
    Fixed<N, PAD>, [const N: usize, const PAD: u8];
    Terminated<BYTE>, [const BYTE: u8];
    Sep<BYTE>, [const BYTE: u8];
    SortedSep<BYTE>, [const BYTE: u8];
}

impl TextEncoding for Native {
    type Order = NaturalOrder;
    type Error = Infallible;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = false;

    #[inline]
    fn put<S: Sink>(value: &[u8], out: &mut S) -> Result<(), Infallible> {
        out.put(value);
        Ok(())
    }

    #[inline]
    fn put_start<S: Sink>(start: &[u8], out: &mut S) -> Result<(), FieldError> {
        out.put(start);
        Ok(())
    }

    #[inline]
    fn take<'a>(input: &mut Input<'a>) -> Result<Cow<'a, [u8]>, Failed> {
        input.read_bytes(input.remaining())
    }
}

/// Text or bytes of any content, 00 written as `00 FF`, ended by `00 01`; `#[key(escaped)]`.
///
/// The bytes sort as the text does, and no encoded text is a prefix of another: the end mark sorts
/// below every continuation.
#[derive(Clone, Copy, Debug)]
pub enum Escaped {}

impl Escaped {
    const END: [u8; 2] = [0, 1];
    const ZERO: [u8; 2] = [0, 0xff];

    #[inline]
    fn content<S: Sink>(value: &[u8], out: &mut S) {
        if find(0, value).is_none() {
            return out.put(value);
        }
        Self::content_with_zeros(value, out);
    }

    #[cold]
    fn content_with_zeros<S: Sink>(value: &[u8], out: &mut S) {
        let mut parts = value.split(|b| *b == 0);
        out.put(parts.next().unwrap_or_default());
        for part in parts {
            out.put(&Self::ZERO);
            out.put(part);
        }
    }
}

impl TextEncoding for Escaped {
    type Order = NaturalOrder;
    type Error = Infallible;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = true;

    #[inline]
    fn put<S: Sink>(value: &[u8], out: &mut S) -> Result<(), Infallible> {
        Self::content(value, out);
        out.put(&Self::END);
        Ok(())
    }

    #[inline]
    fn put_start<S: Sink>(start: &[u8], out: &mut S) -> Result<(), FieldError> {
        Self::content(start, out);
        Ok(())
    }

    #[inline]
    fn take<'a>(input: &mut Input<'a>) -> Result<Cow<'a, [u8]>, Failed> {
        let mut whole: Option<Vec<u8>> = None;
        loop {
            let len = input.find(0).ok_or_else(|| input.fail(FieldErrorKind::Unterminated))?;
            let part = input.read_bytes(len)?;
            match input.read_array()? {
                Self::END => {
                    return Ok(match whole {
                        None => part,
                        Some(mut whole) => {
                            whole.extend_from_slice(&part);
                            Cow::Owned(whole)
                        }
                    });
                }
                Self::ZERO => {
                    let whole = whole.get_or_insert_default();
                    whole.extend_from_slice(&part);
                    whole.push(0);
                }
                _ => {
                    return Err(input.fail(FieldErrorKind::NotCanonical {
                        expected: "01 (end of text) or ff (an escaped 00) after a 00",
                    }));
                }
            }
        }
    }
}

/// Text or bytes of at most `N` bytes, padded with `PAD`; `#[key(width = N, pad = PAD)]`.
///
/// A value may not end in the padding, which would be lost. If `PAD` is not 0, a value may not
/// contain a byte below `PAD`. The bytes sort as the values do.
#[derive(Clone, Copy, Debug)]
pub enum Fixed<const N: usize, const PAD: u8 = 0> {}

/// Refuses a value that cannot be padded to `width` with `pad`.
#[inline]
pub(crate) fn check_fixed(value: &[u8], width: usize, pad: u8) -> Result<(), FieldError> {
    if value.len() > width {
        return Err(FieldErrorKind::TooLong { found: value.len(), width }.into());
    }
    if pad != 0
        && let Some((at, byte)) = value.iter().enumerate().find(|(_, b)| **b < pad)
    {
        return Err(FieldErrorKind::Reserved { byte: *byte, at }.into());
    }
    match value {
        [.., last] if *last == pad => {
            Err(FieldErrorKind::Reserved { byte: pad, at: value.len() - 1 }.into())
        }
        _ => Ok(()),
    }
}

/// Reads a value that is padded to `width` with `pad`.
#[inline]
pub(crate) fn take_fixed<'a>(
    input: &mut Input<'a>,
    width: usize,
    pad: u8,
) -> Result<Cow<'a, [u8]>, Failed> {
    let padded = input.read_bytes(width)?;
    let len = padded.iter().rposition(|b| *b != pad).map_or(0, |last| last + 1);
    let value = match padded {
        Cow::Borrowed(padded) => Cow::Borrowed(padded.get(..len).unwrap_or_default()),
        Cow::Owned(mut padded) => {
            padded.truncate(len);
            Cow::Owned(padded)
        }
    };
    if pad != 0 && value.iter().any(|b| *b < pad) {
        return Err(
            input.fail(FieldErrorKind::NotCanonical { expected: "no byte below the padding" })
        );
    }
    Ok(value)
}

impl<const N: usize, const PAD: u8> TextEncoding for Fixed<N, PAD> {
    type Order = NaturalOrder;
    type Error = FieldError;
    const WIDTH: Option<usize> = Some(N);
    const PREFIX_FREE: bool = true;

    #[inline]
    fn put<S: Sink>(value: &[u8], out: &mut S) -> Result<(), FieldError> {
        check_fixed(value, N, PAD)?;
        let mut padded = [PAD; N];
        for (to, from) in padded.iter_mut().zip(value) {
            *to = *from;
        }
        out.put(&padded);
        Ok(())
    }

    /// Refuses a prefix that ends in the padding: the rows of the text without the padding would
    /// match too.
    #[inline]
    fn put_start<S: Sink>(start: &[u8], out: &mut S) -> Result<(), FieldError> {
        check_fixed(start, N, PAD)?;
        out.put(start);
        Ok(())
    }

    #[inline]
    fn take<'a>(input: &mut Input<'a>) -> Result<Cow<'a, [u8]>, Failed> {
        take_fixed(input, N, PAD)
    }
}

/// Refuses a value that contains the byte that marks its end.
#[inline]
pub(crate) fn check_absent(value: &[u8], byte: u8) -> Result<(), FieldError> {
    match find(byte, value) {
        None => Ok(()),
        Some(at) => Err(FieldErrorKind::Reserved { byte, at }.into()),
    }
}

/// Reads a value up to the first `byte`, and skips that byte.
#[inline]
pub(crate) fn take_terminated<'a>(
    input: &mut Input<'a>,
    byte: u8,
) -> Result<Cow<'a, [u8]>, Failed> {
    let len = input.find(byte).ok_or_else(|| input.fail(FieldErrorKind::Unterminated))?;
    let value = input.read_bytes(len)?;
    input.read_array::<1>()?;
    Ok(value)
}

macro_rules! ended {
    ($($(#[$doc:meta])* $encoding:ident, $order:ty;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $encoding<const BYTE: u8> {}

        impl<const BYTE: u8> TextEncoding for $encoding<BYTE> {
            type Order = $order;
            type Error = FieldError;
            const WIDTH: Option<usize> = None;
            const PREFIX_FREE: bool = true;

            #[inline]
            fn put<S: Sink>(value: &[u8], out: &mut S) -> Result<(), FieldError> {
                check_absent(value, BYTE)?;
                out.put(value);
                out.put(&[BYTE]);
                Ok(())
            }

            #[inline]
            fn put_start<S: Sink>(start: &[u8], out: &mut S) -> Result<(), FieldError> {
                check_absent(start, BYTE)?;
                out.put(start);
                Ok(())
            }

            #[inline]
            fn take<'a>(input: &mut Input<'a>) -> Result<Cow<'a, [u8]>, Failed> {
                take_terminated(input, BYTE)
            }
        }
    )*};
}

ended! {
    /// Text or bytes ended by `BYTE`, which they may not contain. `#[key(nul_terminated)]` is
    /// `Terminated<0>`; it sorts as the text does, because no byte is below 00. For other end
    /// bytes, use [`Sep`].
    Terminated, NaturalOrder;
    /// Text or bytes ended by a separator, which they may not contain; `#[key(sep = '|')]`. Rows of
    /// one value are next to each other, but `user10|` sorts before `user1|`, because `|` sorts
    /// above the digits.
    Sep, GroupedOrder;
    /// [`Sep`] for a separator that sorts below every character of the field's `chars`, so that
    /// rows sort as the texts do.
    SortedSep, NaturalOrder;
}
