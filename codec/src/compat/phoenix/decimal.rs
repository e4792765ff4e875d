//! `DECIMAL`, and what ends it and `VARCHAR` in front of other columns.

use alloc::vec::Vec;

use super::Column;
use crate::compat::Decimal;
use crate::error::{Fault, FaultKind};
use crate::form::{DecodeForm, End, Form, StartForm, TextForm};
use crate::input::{Failed, Input};
use crate::order::Natural;
use crate::row_buf::RowBuf;
use crate::sink::Sink;

/// Digits a `DECIMAL` may have.
const DIGITS: usize = 38;
/// The bytes of the longest one; only shorter negative numbers get an end mark of their own.
const LONGEST: usize = 21;
const ZERO: u8 = 0x80;
const NEGATIVE_END: u8 = 102;

/// A `VARCHAR` or `DECIMAL` in front of another column: the value, then 00.
///
/// ```
/// use tallrow_codec::{compat::{Decimal, phoenix::Ended}, Form, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// <Ended as Form<str>>::encode("ab", &mut row)?;
/// <Ended as Form<Decimal>>::encode(&Decimal::new(-15, -1), &mut row)?;
/// assert_eq!(row.as_slice(), [b'a', b'b', 0, 0x3e, 101 - 1, 101 - 50, 102, 0]);
/// # Ok::<(), tallrow_codec::Fault>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Ended {}

impl Form<str> for Ended {
    type Order = Natural;
    type Fault = Fault;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = true;

    fn encode<S: Sink>(value: &str, out: &mut S) -> Result<(), Fault> {
        <End<0> as TextForm>::put(value.as_bytes(), out)
    }
}

impl StartForm<str> for Ended {
    fn encode_start<S: Sink>(start: &str, out: &mut S) -> Result<(), Fault> {
        <End<0> as TextForm>::put_start(start.as_bytes(), out)
    }
}

reads!([] Ended, text, <End<0> as TextForm>::take);

impl Form<Decimal> for Column {
    type Order = Natural;
    type Fault = Fault;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = false;

    /// Refuses more than 38 digits, which Phoenix rounds; [`Decimal::rounded`] does the same.
    fn encode<S: Sink>(value: &Decimal, out: &mut S) -> Result<(), Fault> {
        let value = value.normalized();
        let digits = value.digits();
        if digits.is_empty() {
            out.put(&[ZERO]);
            return Ok(());
        }
        if digits.len() > DIGITS {
            return Err(FaultKind::OutOfRange { allowed: "of at most 38 digits; round it" }.into());
        }
        // 0.digits * 10^point; the pairs begin so that the point stands between two of them.
        let point = value.point();
        let pairs = i8::try_from((point + 1).div_euclid(2)).ok();
        let pairs = pairs.filter(|pairs| (-64..=62).contains(pairs));
        let pairs = pairs.ok_or(FaultKind::OutOfRange { allowed: "within 100^-64 and 100^62" })?;
        let mut written = Vec::with_capacity(LONGEST);
        // 80..FE from small to large, negative numbers the other way round below that.
        let size = (pairs + 64) as u8;
        written.push(if value.is_negative() { 0x7f - size } else { 0x80 + size });
        let mut even = Vec::with_capacity(DIGITS + 2);
        if point.rem_euclid(2) == 1 {
            even.push(0);
        }
        even.extend_from_slice(digits);
        if even.len() % 2 == 1 {
            even.push(0);
        }
        written.extend(even.chunks(2).map(|pair| {
            let pair = pair.iter().fold(0, |sum, digit| sum * 10 + digit);
            if value.is_negative() { 101 - pair } else { pair + 1 }
        }));
        if value.is_negative() && written.len() < LONGEST {
            written.push(NEGATIVE_END);
        }
        out.put(&written);
        Ok(())
    }
}

impl Form<Decimal> for Ended {
    type Order = Natural;
    type Fault = Fault;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = true;

    fn encode<S: Sink>(value: &Decimal, out: &mut S) -> Result<(), Fault> {
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
    let mantissa = match mantissa {
        [mantissa @ .., NEGATIVE_END] if negative => mantissa,
        mantissa => mantissa,
    };
    let mut digits = Vec::with_capacity(DIGITS + 2);
    for byte in mantissa {
        let pair = if negative { 101_u8.checked_sub(*byte) } else { byte.checked_sub(1) };
        let pair = pair.filter(|pair| *pair < 100 && digits.len() <= DIGITS)?;
        digits.extend([pair / 10, pair % 10]);
    }
    let fraction = i32::try_from(digits.len()).ok()?;
    let exponent = 2 * (i32::from(size) - 64) - fraction;
    let value = Decimal::of(negative, &digits, exponent).normalized();
    let mut again: RowBuf<32> = RowBuf::new();
    <Column as Form<Decimal>>::encode(&value, &mut again).ok()?;
    (again.as_slice() == bytes).then_some(value)
}

const WRONG: FaultKind = FaultKind::NotCanonical { expected: "a DECIMAL as Phoenix writes it" };

impl DecodeForm<'_, Decimal> for Column {
    fn decode(input: &mut Input<'_>) -> Result<Decimal, Failed> {
        let bytes = input.bytes(input.remaining())?;
        read(&bytes).ok_or_else(|| input.fail(WRONG))
    }
}

impl DecodeForm<'_, Decimal> for Ended {
    fn decode(input: &mut Input<'_>) -> Result<Decimal, Failed> {
        let len = input.find(0).ok_or_else(|| input.fail(FaultKind::NoEnd))?;
        let bytes = input.bytes(len)?;
        input.array::<1>()?;
        read(&bytes).ok_or_else(|| input.fail(WRONG))
    }
}
