//! `DECIMAL`, and the byte that ends a `DECIMAL` or `VARCHAR` before another column.

use alloc::vec::Vec;

use super::Column;
use crate::compat::Decimal;
use crate::encoding::{Decoding, Encoding, NaturalOrder, PrefixEncoding, Terminated, TextEncoding};
use crate::error::{FieldError, FieldErrorKind};
use crate::row::{Failed, Input, RowBuf, Sink};

/// The maximum number of digits of a `DECIMAL`.
const DIGITS: usize = 38;
/// The number of bytes of the longest `DECIMAL`; only shorter negative numbers get an end mark.
const LONGEST: usize = 21;
const ZERO: u8 = 0x80;
const NEGATIVE_END: u8 = 102;

/// A `VARCHAR` or `DECIMAL` that another column follows: the value, then 00.
///
/// ```
/// use tallrow_codec::{compat::{Decimal, phoenix::Separated}, Encoding, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// <Separated as Encoding<str>>::encode("ab", &mut row)?;
/// <Separated as Encoding<Decimal>>::encode(&Decimal::new(-15, -1), &mut row)?;
/// assert_eq!(row.as_slice(), [b'a', b'b', 0, 0x3e, 101 - 1, 101 - 50, 102, 0]);
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Separated {}

impl Encoding<str> for Separated {
    type Order = NaturalOrder;
    type Error = FieldError;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = true;

    fn encode<S: Sink>(value: &str, out: &mut S) -> Result<(), FieldError> {
        <Terminated<0> as TextEncoding>::put(value.as_bytes(), out)
    }
}

impl PrefixEncoding<str> for Separated {
    fn encode_start<S: Sink>(start: &str, out: &mut S) -> Result<(), FieldError> {
        <Terminated<0> as TextEncoding>::put_start(start.as_bytes(), out)
    }
}

reads!([] Separated, text, <Terminated<0> as TextEncoding>::take);

impl Encoding<Decimal> for Column {
    type Order = NaturalOrder;
    type Error = FieldError;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = false;

    /// Refuses numbers of more than 38 digits. Phoenix rounds them, as [`Decimal::rounded`] does.
    fn encode<S: Sink>(value: &Decimal, out: &mut S) -> Result<(), FieldError> {
        let value = value.normalized();
        if value.digits().is_empty() {
            out.put(&[ZERO]);
            return Ok(());
        }
        if value.digits().len() > DIGITS {
            return Err(
                FieldErrorKind::OutOfRange { allowed: "of at most 38 digits; round it" }.into()
            );
        }
        let (front, mantissa) = value.to_digit_pairs();
        let pairs = i8::try_from(front).ok().filter(|pairs| (-64..=62).contains(pairs));
        let pairs =
            pairs.ok_or(FieldErrorKind::OutOfRange { allowed: "within 100^-64 and 100^62" })?;
        let mut written = Vec::with_capacity(LONGEST);
        // Positive numbers start with 80..FE, from small to large; negative numbers start with a
        // byte below 80, in reverse.
        let size = (pairs + 64) as u8;
        written.push(if value.is_negative() { 0x7f - size } else { 0x80 + size });
        written.extend(
            mantissa.into_iter().map(
                |pair| {
                    if value.is_negative() { 101 - pair } else { pair + 1 }
                },
            ),
        );
        if value.is_negative() && written.len() < LONGEST {
            written.push(NEGATIVE_END);
        }
        out.put(&written);
        Ok(())
    }
}

impl Encoding<Decimal> for Separated {
    type Order = NaturalOrder;
    type Error = FieldError;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = true;

    fn encode<S: Sink>(value: &Decimal, out: &mut S) -> Result<(), FieldError> {
        Column::encode(value, out)?;
        out.put(&[0]);
        Ok(())
    }
}

/// Returns the number that is written as `bytes`.
fn read(bytes: &[u8]) -> Option<Decimal> {
    let (first, mantissa) = bytes.split_first()?;
    let negative = *first < 0x80;
    let size = if negative { 0x7f - first } else { first - 0x80 };
    let bytes_of_pairs = match mantissa {
        [mantissa @ .., NEGATIVE_END] if negative => mantissa,
        mantissa => mantissa,
    };
    let mut mantissa = Vec::with_capacity(DIGITS / 2 + 1);
    for byte in bytes_of_pairs {
        let pair = if negative { 101_u8.checked_sub(*byte) } else { byte.checked_sub(1) };
        let pair = pair.filter(|pair| *pair < 100 && 2 * mantissa.len() <= DIGITS)?;
        mantissa.push(pair);
    }
    let value = Decimal::from_pairs(negative, i64::from(size) - 64, &mantissa)?;
    let mut again: RowBuf<32> = RowBuf::new();
    <Column as Encoding<Decimal>>::encode(&value, &mut again).ok()?;
    (again.as_slice() == bytes).then_some(value)
}

const WRONG: FieldErrorKind =
    FieldErrorKind::NotCanonical { expected: "a DECIMAL as Phoenix writes it" };

impl Decoding<'_, Decimal> for Column {
    fn decode(input: &mut Input<'_>) -> Result<Decimal, Failed> {
        let bytes = input.read_bytes(input.remaining())?;
        read(&bytes).ok_or_else(|| input.fail(WRONG))
    }
}

impl Decoding<'_, Decimal> for Separated {
    fn decode(input: &mut Input<'_>) -> Result<Decimal, Failed> {
        let len = input.find(0).ok_or_else(|| input.fail(FieldErrorKind::Unterminated))?;
        let bytes = input.read_bytes(len)?;
        input.read_array::<1>()?;
        read(&bytes).ok_or_else(|| input.fail(WRONG))
    }
}
