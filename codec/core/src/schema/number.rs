//! Encoding of whole numbers into bytes, and the limits of their types.

use core::num::NonZero;

use tallrow_layout::{Attributes, Int, Limit, RevTsKind, Unit};

use super::error::{A_NUMBER, ValueError, out_of_range};
use super::time::Time;
use super::value::Value;
use crate::encoding::number::{floor_to, write_digits_reversed};
use crate::encoding::{Encoding, InvertedRevTs, Native, NonNeg, RawBe, RevTs};
use crate::row::{RowBuf, Sink};

/// A signed or unsigned whole number.
#[derive(Clone, Copy)]
pub(super) enum WholeNumber {
    Unsigned(u128),
    Signed(i128),
}

/// Returns the number that a value holds; a time is converted to the unit of the field.
pub(super) fn whole_number(
    attributes: &Attributes,
    value: &Value,
) -> Result<WholeNumber, ValueError> {
    match (value, attributes.display_time) {
        (Value::Unsigned(number), _) => Ok(WholeNumber::Unsigned(*number)),
        (Value::Signed(number), _) => Ok(WholeNumber::Signed(*number)),
        (Value::Time(time), Some(unit)) => time_in_unit(*time, unit)
            .map(WholeNumber::Signed)
            .ok_or_else(|| out_of_range("a whole number of the field's unit of time")),
        _ => Err(out_of_range(A_NUMBER)),
    }
}

pub(super) fn time_in_unit(time: Time, unit: Unit) -> Option<i128> {
    let (from, to) = (i128::from(time.unit.nanos()), i128::from(unit.nanos()));
    let nanos = time.count.checked_mul(from)?;
    (nanos % to == 0).then_some(nanos / to)
}

pub(super) fn put_integer(
    int: Int,
    attributes: &Attributes,
    value: WholeNumber,
    row: &mut RowBuf,
) -> Result<(), ValueError> {
    let wrong = || out_of_range(A_NUMBER);
    match attributes.rev_ts {
        Some(RevTsKind::Max) if int.signed => {
            return Ok(<RevTs as Encoding<i64>>::encode(&value.narrow().ok_or_else(wrong)?, row)?);
        }
        Some(RevTsKind::Max) => {
            return Ok(<RevTs as Encoding<u64>>::encode(&value.narrow().ok_or_else(wrong)?, row)?);
        }
        Some(RevTsKind::Inverted) => {
            return Ok(<InvertedRevTs as Encoding<u64>>::encode(
                &value.narrow().ok_or_else(wrong)?,
                row,
            )?);
        }
        None => {}
    }
    let value = match attributes.floor_period() {
        Some(step) => {
            let number = value.narrow::<i128>().ok_or_else(wrong)?;
            // A number that does not fit the type is refused before it is converted.
            if number < least(int) || u128::try_from(number).is_ok_and(|n| n > largest(int)) {
                return Err(wrong());
            }
            WholeNumber::Signed(floor_to(step, number, least(int)).unwrap_or(number))
        }
        None => value,
    };
    match attributes.digits {
        Some(len) => {
            let number = value.narrow::<u128>().filter(|n| *n <= largest(int)).ok_or_else(wrong)?;
            let mut digits = [0; 39];
            let digits = digits.get_mut(..len).unwrap_or_default();
            write_digits_reversed(number, digits)?;
            if !attributes.reverse {
                digits.reverse();
            }
            row.put(digits);
            Ok(())
        }
        None => native_int(int, attributes.raw_be, value, row),
    }
}

impl WholeNumber {
    pub(super) fn narrow<T: TryFrom<u128> + TryFrom<i128>>(self) -> Option<T> {
        match self {
            Self::Unsigned(number) => number.try_into().ok(),
            Self::Signed(number) => number.try_into().ok(),
        }
    }
}

/// Writes a number in the encoding of its type.
fn native_int(int: Int, raw: bool, value: WholeNumber, row: &mut RowBuf) -> Result<(), ValueError> {
    let wrong = || out_of_range(A_NUMBER);
    macro_rules! write {
        ($($signed:ident $unsigned:ident $bytes:literal;)*) => {
            match (int.bytes, int.signed, int.limit) {
                $(
                    ($bytes, true, Limit::Any) if raw => {
                        RawBe::encode(&value.narrow::<$signed>().ok_or_else(wrong)?, row)?;
                    }
                    ($bytes, true, Limit::Any) => {
                        Native::encode(&value.narrow::<$signed>().ok_or_else(wrong)?, row)?;
                    }
                    ($bytes, true, Limit::NonZero) => {
                        let number = value.narrow::<$signed>().ok_or_else(wrong)?;
                        let number = NonZero::new(number);
                        Native::encode(&number.ok_or_else(|| out_of_range("a number other than 0"))?, row)?;
                    }
                    ($bytes, true, Limit::NonNeg) => {
                        let number = value.narrow::<$signed>().ok_or_else(wrong)?;
                        Native::encode(&NonNeg::<$signed>::try_from(number)?, row)?;
                    }
                    ($bytes, false, Limit::NonZero) => {
                        let number = value.narrow::<$unsigned>().ok_or_else(wrong)?;
                        let number = NonZero::new(number);
                        Native::encode(&number.ok_or_else(|| out_of_range("a number other than 0"))?, row)?;
                    }
                    ($bytes, false, _) => {
                        Native::encode(&value.narrow::<$unsigned>().ok_or_else(wrong)?, row)?;
                    }
                )*
                _ => return Err(wrong()),
            }
        };
    }
    write! { i8 u8 1; i16 u16 2; i32 u32 4; i64 u64 8; i128 u128 16; }
    Ok(())
}

/// Returns the largest number of a type.
pub(super) fn largest(int: Int) -> u128 {
    let bits = 8 * int.bytes.min(16) as u32 - u32::from(int.signed);
    u128::MAX >> (128 - bits)
}

/// Returns the smallest number of a type.
pub(super) fn least(int: Int) -> i128 {
    if int.signed { -1 - (largest(int) as i128) } else { 0 }
}
