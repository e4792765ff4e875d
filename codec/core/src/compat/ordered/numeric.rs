//! `encodeNumeric`, which writes numbers of any size and type in one order.

use alloc::vec::Vec;

use crate::compat::Decimal;
use crate::const_schema::TypeName;
use crate::encoding::{Decoding, Encoding, Field, NaturalOrder, ValuesWithBoundBytes};
use crate::error::{FieldError, FieldErrorKind};
use crate::row::{Failed, Input, RowBuf, Sink};

const NEG_INF: u8 = 0x07;
const NEG_LARGE: u8 = 0x08;
const NEG_MEDIUM_0: u8 = 0x13;
const NEG_SMALL: u8 = 0x14;
const ZERO: u8 = 0x15;
const POS_SMALL: u8 = 0x16;
const POS_MEDIUM_0: u8 = 0x17;
const POS_LARGE: u8 = 0x22;
const POS_INF: u8 = 0x23;
const NAN: u8 = 0x26;

/// The maximum number of digits.
const DIGITS: usize = 31;
/// The maximum number of pairs of digits before the point, or of zeros after it.
const PAIRS: u16 = 350;

/// A number as `OrderedBytes` writes any number: 7 and 7.0 are the same bytes, whatever their
/// types.
///
/// The first byte specifies sign and size, where E is the number of pairs of digits before the
/// point: 07 for -∞; 08 for -100^10 and below; 13-E for other negative numbers; 14 above -1; 15 for
/// zero; 16 below 1; 17+E for other positive numbers; 22 for 100^10 and above; 23 for ∞; 26 for
/// NaN. E follows after 08 and 22; the number of pairs of zeros after the point follows after 14
/// and 16. This count has 1 or 2 bytes, inverted where a larger count is a smaller number. Then the
/// pairs of digits follow: a pair X is written as 2X+1, the last pair as 2X, and all are inverted
/// in negative numbers.
///
/// A [`Decimal`] can have at most 31 digits here and must lie within 100^±350. HBase rounds longer
/// numbers, as [`Decimal::rounded`] does.
///
/// ```
/// use tallrow_codec::{compat::ordered::Numeric, Encoding, RowBuf};
///
/// let mut row = RowBuf::<8>::new();
/// <Numeric as Encoding<i64>>::encode(&1234, &mut row)?;
/// assert_eq!(row.as_slice(), [0x19, 2 * 12 + 1, 2 * 34]);
/// # Ok::<(), tallrow_codec::FieldError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Numeric {}

/// A number in a field with the encoding [`Numeric`]: finite, infinite or NaN.
///
/// ```
/// use tallrow_codec::compat::{Decimal, ordered::NumericValue};
///
/// assert!(NumericValue::NegInfinity < NumericValue::Finite(Decimal::from(7_i64)));
/// assert!(NumericValue::Infinity < NumericValue::Nan);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NumericValue {
    /// Below every number.
    NegInfinity,
    /// A finite number.
    Finite(Decimal),
    /// Above every number.
    Infinity,
    /// Not a number; sorts above infinity.
    Nan,
}

#[diagnostic::do_not_recommend]
impl Field for NumericValue {
    type Arg = Self;
    const TYPE_NAME: TypeName = TypeName::word("number");

    fn as_arg(&self) -> &Self {
        self
    }
}

fn put<S: Sink>(value: &Decimal, out: &mut S) -> Result<(), FieldError> {
    let value = value.normalized();
    if value.digits().is_empty() {
        out.put(&[ZERO]);
        return Ok(());
    }
    if value.digits().len() > DIGITS {
        return Err(FieldErrorKind::OutOfRange { allowed: "of at most 31 digits; round it" }.into());
    }
    let (front, mantissa) = value.to_digit_pairs();
    let pairs = u16::try_from(front.unsigned_abs()).ok().filter(|pairs| *pairs <= PAIRS);
    let pairs =
        pairs.ok_or(FieldErrorKind::OutOfRange { allowed: "within 100^-350 and 100^350" })?;
    let negative = value.is_negative();
    let flip = |inverted: bool| if inverted { 0xff } else { 0 };
    if front <= 0 {
        out.put(&[if negative { NEG_SMALL } else { POS_SMALL }]);
        put_count(pairs, flip(!negative), out);
    } else if let Some(pairs) = u8::try_from(pairs).ok().filter(|pairs| *pairs <= 10) {
        out.put(&[if negative { NEG_MEDIUM_0 - pairs } else { POS_MEDIUM_0 + pairs }]);
    } else {
        out.put(&[if negative { NEG_LARGE } else { POS_LARGE }]);
        put_count(pairs, flip(negative), out);
    }
    for (at, pair) in mantissa.iter().enumerate() {
        let more = u8::from(at + 1 < mantissa.len());
        out.put(&[(2 * pair + more) ^ flip(negative)]);
    }
    Ok(())
}

/// Writes a count as SQLite 4 does: in one byte up to 240, in two bytes up to 2287.
fn put_count<S: Sink>(count: u16, flip: u8, out: &mut S) {
    match u8::try_from(count) {
        Ok(count) if count <= 240 => out.put(&[count ^ flip]),
        _ => {
            let [high, low] = (count - 240).to_be_bytes();
            out.put(&[(241 + high) ^ flip, low ^ flip]);
        }
    }
}

/// Reads a count; [`canonical`] checks whether a shorter encoding of the count exists.
fn read_count(flip: u8, input: &mut Input<'_>) -> Result<i64, Failed> {
    let [first] = input.read_array()?.map(|byte: u8| byte ^ flip);
    match first {
        0..=240 => Ok(i64::from(first)),
        241..=248 => {
            let [second] = input.read_array()?.map(|byte: u8| byte ^ flip);
            Ok(240 + 256 * i64::from(first - 241) + i64::from(second))
        }
        _ => Err(input.fail(WRONG)),
    }
}

const WRONG: FieldErrorKind =
    FieldErrorKind::NotCanonical { expected: "a number as OrderedBytes writes it" };

fn take(input: &mut Input<'_>) -> Result<NumericValue, Failed> {
    let [first] = input.read_array()?;
    let (negative, pairs) = match first {
        NEG_INF => return Ok(NumericValue::NegInfinity),
        ZERO => return Ok(NumericValue::Finite(Decimal::default())),
        POS_INF => return Ok(NumericValue::Infinity),
        NAN => return Ok(NumericValue::Nan),
        NEG_LARGE => (true, read_count(0xff, input)?),
        0x09..=0x12 => (true, i64::from(NEG_MEDIUM_0 - first)),
        NEG_SMALL => (true, -read_count(0, input)?),
        POS_SMALL => (false, -read_count(0xff, input)?),
        0x18..=0x21 => (false, i64::from(first - POS_MEDIUM_0)),
        POS_LARGE => (false, read_count(0, input)?),
        _ => return Err(input.fail(WRONG)),
    };
    let mut written: RowBuf<24> = RowBuf::new();
    written.put(&[first]);
    let mut mantissa = Vec::with_capacity(DIGITS.div_ceil(2) + 1);
    loop {
        let [byte] = input.read_array()?;
        let byte = if negative { !byte } else { byte };
        if byte >= 200 || 2 * mantissa.len() > DIGITS {
            return Err(input.fail(WRONG));
        }
        mantissa.push(byte / 2);
        if byte % 2 == 0 {
            break;
        }
    }
    let value = Decimal::from_pairs(negative, pairs, &mantissa);
    value.map(NumericValue::Finite).ok_or_else(|| input.fail(WRONG))
}

/// Reads a number and refuses bytes other than its encoding.
fn canonical(input: &mut Input<'_>) -> Result<NumericValue, Failed> {
    let before = input.clone();
    let number = take(input)?;
    let mut again: RowBuf<24> = RowBuf::new();
    Numeric::encode(&number, &mut again).map_err(|fault| input.fail(fault))?;
    let read = before.clone().read_bytes(input.position() - before.position());
    match read {
        Ok(read) if *read == *again.as_slice() => Ok(number),
        _ => Err(input.fail(WRONG)),
    }
}

const TYPE: FieldErrorKind =
    FieldErrorKind::NotCanonical { expected: "a number that the field's type holds" };

impl Encoding<NumericValue> for Numeric {
    type Order = NaturalOrder;
    type Error = FieldError;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = true;

    fn encode<S: Sink>(value: &NumericValue, out: &mut S) -> Result<(), FieldError> {
        match value {
            NumericValue::NegInfinity => out.put(&[NEG_INF]),
            NumericValue::Finite(value) => return put(value, out),
            NumericValue::Infinity => out.put(&[POS_INF]),
            NumericValue::Nan => out.put(&[NAN]),
        }
        Ok(())
    }
}

impl Decoding<'_, NumericValue> for Numeric {
    fn decode(input: &mut Input<'_>) -> Result<NumericValue, Failed> {
        canonical(input)
    }
}

impl Encoding<Decimal> for Numeric {
    type Order = NaturalOrder;
    type Error = FieldError;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = true;

    fn encode<S: Sink>(value: &Decimal, out: &mut S) -> Result<(), FieldError> {
        put(value, out)
    }
}

impl Decoding<'_, Decimal> for Numeric {
    fn decode(input: &mut Input<'_>) -> Result<Decimal, Failed> {
        match canonical(input)? {
            NumericValue::Finite(value) => Ok(value),
            _ => Err(input.fail(TYPE)),
        }
    }
}

impl Encoding<f64> for Numeric {
    type Order = NaturalOrder;
    type Error = FieldError;
    const WIDTH: Option<usize> = None;
    const PREFIX_FREE: bool = true;

    /// Writes the shortest number that rounds to the float; 0.0 and -0.0 have the same bytes.
    fn encode<S: Sink>(value: &f64, out: &mut S) -> Result<(), FieldError> {
        let number = match Decimal::try_from(*value) {
            Ok(value) => NumericValue::Finite(value),
            Err(_) if value.is_nan() => NumericValue::Nan,
            Err(_) if *value < 0.0 => NumericValue::NegInfinity,
            Err(_) => NumericValue::Infinity,
        };
        Self::encode(&number, out)
    }

    fn encode_bound<S: Sink>(
        bound: &f64,
        out: &mut S,
    ) -> Result<Option<ValuesWithBoundBytes>, FieldError> {
        Self::encode(bound, out)?;
        let zero = *bound == 0.0;
        let below = zero && bound.is_sign_positive();
        Ok(Some(ValuesWithBoundBytes { below, equal: true, above: zero && !below }))
    }
}

impl Decoding<'_, f64> for Numeric {
    fn decode(input: &mut Input<'_>) -> Result<f64, Failed> {
        match canonical(input)? {
            NumericValue::NegInfinity => Ok(f64::NEG_INFINITY),
            NumericValue::Infinity => Ok(f64::INFINITY),
            NumericValue::Nan => Ok(f64::NAN),
            NumericValue::Finite(number) => {
                let value = f64::from(&number);
                let exact = Decimal::try_from(value).is_ok_and(|back| back == number);
                exact.then_some(value).ok_or_else(|| input.fail(TYPE))
            }
        }
    }
}

macro_rules! whole {
    ($($int:ty)*) => {$(
        impl Encoding<$int> for Numeric {
            type Order = NaturalOrder;
            type Error = FieldError;
            const WIDTH: Option<usize> = None;
            const PREFIX_FREE: bool = true;

            fn encode<S: Sink>(value: &$int, out: &mut S) -> Result<(), FieldError> {
                put(&Decimal::from(*value), out)
            }
        }

        impl Decoding<'_, $int> for Numeric {
            fn decode(input: &mut Input<'_>) -> Result<$int, Failed> {
                match canonical(input)? {
                    NumericValue::Finite(value) => {
                        <$int>::try_from(&value).map_err(|_| input.fail(TYPE))
                    }
                    _ => Err(input.fail(TYPE)),
                }
            }
        }
    )*};
}

whole!(i8 i16 i32 i64 u8 u16 u32 u64);
