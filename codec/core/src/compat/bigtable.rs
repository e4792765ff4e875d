//! The encodings that a key schema of Bigtable (`RowKeySchema`, a `Type.Struct`) reads: fields in
//! ordered code.
//!
//! | `Type` | type | encoding, last field | encoding, any other field |
//! |---|---|---|---|
//! | `Int64`, `ordered_code_bytes` | `i64` | [`LastPart<OrderedCodeInt64>`](LastPart) | [`Part<OrderedCodeInt64>`](Part) |
//! | `Int64`, `big_endian_bytes` | `NonNeg<i64>` | [`LastPart<Native>`](LastPart) | [`Part<Native>`](Part) |
//! | `Timestamp`, `unix_micros_int64` | microseconds as one of these two | | |
//! | `String`, `Bytes` | text, bytes | [`LastText`] | [`Text`] |
//!
//! Fields are joined by `00 01`; a 00 inside a field is written as `00 FF`, an empty field as
//! `00 00`. Bigtable omits empty fields at the end together with their separators. Therefore
//! `LastText` refuses an empty text. A key of one field has the bytes of that field alone
//! ([`OrderedCodeInt64`], [`Native`](crate::Native)). With `delimited_bytes`, each field is a text
//! that ends with a separator: [`Sep`](crate::Sep), [`SortedSep`](crate::SortedSep).
//!
//! Bigtable has no classes to compare with; the tests use the examples in the protocol's own text
//! and those of Google's `orderedcode` library.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::marker::PhantomData;

use crate::encoding::{
    Decoding, Encoding, Escaped, NaturalOrder, PrefixEncoding, TextEncoding, ValuesWithBoundBytes,
};
use crate::error::{FieldError, FieldErrorKind};
use crate::row::{Failed, Input, RowBuf, Sink};

/// An `i64` in 1 to 10 bytes: the nearer a number is to zero, the fewer bytes it takes. The first
/// bits hold the number of bytes.
///
/// ```
/// use tallrow_codec::{compat::bigtable::OrderedCodeInt64, Encoding, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// OrderedCodeInt64::encode(&-1, &mut row).unwrap_or_else(|never| match never {});
/// OrderedCodeInt64::encode(&64, &mut row).unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), [0x7f, 0xc0, 0x40]);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum OrderedCodeInt64 {}

/// A number that another field follows: its bytes, with 00 written as `00 FF`, then `00 01`.
///
/// ```
/// use tallrow_codec::{compat::bigtable::{OrderedCodeInt64, Part}, Encoding, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// let encoded = <Part<OrderedCodeInt64> as Encoding<i64>>::encode(&256, &mut row);
/// encoded.unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), [0xc1, 0x00, 0xff, 0x00, 0x01]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Part<F>(PhantomData<F>);

/// A number in the last of several fields: its bytes, with 00 written as `00 FF`.
///
/// ```
/// use tallrow_codec::{
///     Encoding, RowBuf,
///     compat::bigtable::{OrderedCodeInt64, LastPart},
/// };
///
/// let mut row = RowBuf::<8>::new();
/// <LastPart<OrderedCodeInt64> as Encoding<i64>>::encode(&256, &mut row)
///     .unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), [0xc1, 0x00, 0xff]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LastPart<F>(PhantomData<F>);

/// Text or bytes that another field follows. A byte 00 is written as `00 FF`, an empty value as
/// `00 00`. The end mark `00 01` follows the value.
///
/// ```
/// use tallrow_codec::{compat::bigtable::Text, Encoding, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// <Text as Encoding<str>>::encode("", &mut row).unwrap_or_else(|never| match never {});
/// assert_eq!(row.as_slice(), [0, 0, 0, 1]);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Text {}

/// Text or bytes, not empty, in the last of several fields: 00 is written as `00 FF`.
///
/// ```
/// use tallrow_codec::{compat::bigtable::LastText, Encoding, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// <LastText as Encoding<str>>::encode("a\0", &mut row)?;
/// assert!(<LastText as Encoding<str>>::encode("", &mut row).is_err());
/// assert_eq!(row.as_slice(), b"a\0\xff");
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum LastText {}

/// Returns the first bits of a number of `len` bytes: `len` ones, then a zero.
fn header(len: usize) -> [u8; 2] {
    let ones = (u32::from(u16::MAX) << (16 - len)) as u16;
    match len {
        1 => [0x80, 0],
        _ => ones.to_be_bytes(),
    }
}

impl Encoding<i64> for OrderedCodeInt64 {
    type Order = NaturalOrder;
    type Error = core::convert::Infallible;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = true;

    fn encode<S: Sink>(value: &i64, out: &mut S) -> Result<(), Self::Error> {
        // Each byte holds seven bits of the number. One bit of the number is the sign.
        let bits = 64 - (*value ^ (*value >> 63)).leading_zeros() as usize;
        let len = bits / 7 + 1;
        let wide = i128::from(*value).to_be_bytes();
        let mut bytes = [0; 10];
        for (to, from) in bytes.iter_mut().rev().zip(wide.iter().rev()) {
            *to = *from;
        }
        let written = bytes.get_mut(10 - len..).unwrap_or_default();
        for (byte, bits) in written.iter_mut().zip(header(len)) {
            *byte ^= bits;
        }
        out.put(written);
        Ok(())
    }
}

impl Decoding<'_, i64> for OrderedCodeInt64 {
    fn decode(input: &mut Input<'_>) -> Result<i64, Failed> {
        let wrong = FieldErrorKind::NotCanonical { expected: "an int64 in ordered code" };
        let mut ahead = input.clone();
        let [first] = ahead.read_array()?;
        let ones =
            |byte: u8| if first & 0x80 == 0 { byte.leading_zeros() } else { byte.leading_ones() };
        let len = match ones(first) {
            8 => {
                let [second] = ahead.read_array()?;
                8 + ones(second)
            }
            len => len,
        };
        let len = usize::try_from(len).ok().filter(|len| *len <= 10);
        let len = len.ok_or_else(|| input.fail(wrong))?;
        let written = input.read_bytes(len)?;
        let mut bytes = [if first & 0x80 == 0 { 0xff } else { 0 }; 16];
        for (to, from) in bytes.iter_mut().rev().zip(written.iter().rev()) {
            *to = *from;
        }
        for (byte, bits) in bytes.iter_mut().skip(16 - len).zip(header(len)) {
            *byte ^= bits;
        }
        let value = i64::try_from(i128::from_be_bytes(bytes)).map_err(|_| input.fail(wrong))?;
        let mut again: RowBuf<16> = RowBuf::new();
        let Ok(()) = Self::encode(&value, &mut again);
        if again.as_slice() == &*written { Ok(value) } else { Err(input.fail(wrong)) }
    }
}

/// Writes `bytes`, each 00 as `00 FF`.
fn escaped<S: Sink>(bytes: &[u8], out: &mut S) {
    for (at, part) in bytes.split(|byte| *byte == 0).enumerate() {
        if at > 0 {
            out.put(&[0, 0xff]);
        }
        out.put(part);
    }
}

macro_rules! parts {
    ($($encoding:ident, $prefix_free:literal, $end:expr, $take:ident;)*) => {$(
        impl<A, F: Encoding<A, Order = NaturalOrder>> Encoding<A> for $encoding<F> {
            type Order = NaturalOrder;
            type Error = F::Error;
            const WIDTH: Option<usize> = None;
            const PREFIX_FREE: bool = $prefix_free;

            fn encode<S: Sink>(value: &A, out: &mut S) -> Result<(), F::Error> {
                let mut plain: RowBuf<16> = RowBuf::new();
                F::encode(value, &mut plain)?;
                escaped(&plain, out);
                out.put($end);
                Ok(())
            }

            fn encode_bound<S: Sink>(
                bound: &A,
                out: &mut S,
            ) -> Result<Option<ValuesWithBoundBytes>, F::Error> {
                let mut plain: RowBuf<16> = RowBuf::new();
                let at = F::encode_bound(bound, &mut plain)?;
                if at.is_some() {
                    escaped(&plain, out);
                    out.put($end);
                }
                Ok(at)
            }
        }

        impl<T, F: for<'p> Decoding<'p, T>> Decoding<'_, T> for $encoding<F> {
            fn decode(input: &mut Input<'_>) -> Result<T, Failed> {
                let plain = $take(input)?;
                let mut part = Input::new(&plain);
                let value = F::decode(&mut part);
                let value = value.and_then(|value| part.expect_end().map(|()| value));
                value.map_err(|failed| part.fault().map_or(failed, |fault| input.fail(fault)))
            }
        }
    )*};
}

parts! {
    Part, true, &[0, 1], take;
    LastPart, false, &[], take_last;
}

/// Reads a value up to the `00 01` that ends it.
fn take<'a>(input: &mut Input<'a>) -> Result<Cow<'a, [u8]>, Failed> {
    let mut ahead = input.clone();
    if matches!(ahead.read_array(), Ok([0, 0, 0, 1])) {
        *input = ahead;
        return Ok(Cow::Borrowed(&[]));
    }
    let held = <Escaped as TextEncoding>::take(input)?;
    if held.is_empty() {
        return Err(
            input.fail(FieldErrorKind::NotCanonical { expected: "00 00 for an empty field" })
        );
    }
    Ok(held)
}

/// Reads a value to the end of the row.
fn take_last<'a>(input: &mut Input<'a>) -> Result<Cow<'a, [u8]>, Failed> {
    let held = input.read_bytes(input.remaining())?;
    if held.is_empty() {
        return Err(input.fail(FieldErrorKind::UnexpectedEnd { need: 1, found: 0 }));
    }
    if !held.contains(&0) {
        return Ok(held);
    }
    let mut plain = Vec::with_capacity(held.len());
    let mut rest = held.iter();
    while let Some(byte) = rest.next() {
        if *byte == 0 && rest.next() != Some(&0xff) {
            return Err(input.fail(FieldErrorKind::NotCanonical { expected: "ff after a 00" }));
        }
        plain.push(*byte);
    }
    Ok(Cow::Owned(plain))
}

macro_rules! texts {
    ($($arg:ty, $kind:ident;)*) => {$(
        impl Encoding<$arg> for Text {
            type Order = NaturalOrder;
            type Error = core::convert::Infallible;
            const WIDTH: Option<usize> = None;
            const PREFIX_FREE: bool = true;

            fn encode<S: Sink>(value: &$arg, out: &mut S) -> Result<(), Self::Error> {
                if value.is_empty() {
                    out.put(&[0, 0]);
                }
                Escaped::encode(value, out)
            }
        }

        impl PrefixEncoding<$arg> for Text {
            fn encode_start<S: Sink>(start: &$arg, out: &mut S) -> Result<(), FieldError> {
                Escaped::encode_start(start, out)
            }
        }

        impl Encoding<$arg> for LastText {
            type Order = NaturalOrder;
            type Error = FieldError;
            const WIDTH: Option<usize> = None;
            const PREFIX_FREE: bool = false;

            fn encode<S: Sink>(value: &$arg, out: &mut S) -> Result<(), FieldError> {
                if value.is_empty() {
                    let allowed = "not empty, because Bigtable leaves out empty fields at the end";
                    return Err(FieldErrorKind::OutOfRange { allowed }.into());
                }
                Escaped::encode_start(value, out)
            }
        }

        impl PrefixEncoding<$arg> for LastText {
            fn encode_start<S: Sink>(start: &$arg, out: &mut S) -> Result<(), FieldError> {
                Escaped::encode_start(start, out)
            }
        }

        reads!([] Text, $kind, take);
        reads!([] LastText, $kind, take_last);
    )*};
}

texts! {
    str, text;
    [u8], bytes;
}
