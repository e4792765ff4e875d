//! Decimal numbers of any length.
//!
//! Written by hand, because it must be `no_std` and as exact as Java's `BigDecimal`, whose scale is
//! part of the stored bytes.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::{self, Write as _};
use core::hash::{Hash, Hasher};
use core::str::FromStr;

use crate::const_schema::TypeName;
use crate::encoding::Field;

/// A decimal number: digits and a power of ten, as in `java.math.BigDecimal`.
///
/// `1.5` and `1.50` are equal, but their [`exponent`](Self::exponent)s differ, because
/// [`Bytes`](super::hbase::Bytes) writes the two differently.
///
/// ```
/// use tallrow_codec::compat::Decimal;
///
/// let price: Decimal = "-12.50".parse()?;
/// assert_eq!(price, Decimal::new(-125, -1));
/// assert_eq!(price.to_string(), "-12.50");
/// assert!(price < Decimal::from(0_i64));
/// # Ok::<(), tallrow_codec::compat::DecimalError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Decimal {
    negative: bool,
    /// Each is 0..=9, and the first is not 0; the number zero has no digits.
    digits: Vec<u8>,
    exponent: i32,
}

/// The error of a conversion between a [`Decimal`] and a text, a float or an integer.
///
/// ```
/// use tallrow_codec::compat::Decimal;
///
/// let error = "1,5".parse::<Decimal>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "read a decimal number: expected digits with at most one point and e, as in -12.5e3"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecimalError(&'static str);

impl fmt::Display for DecimalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "read a decimal number: expected {}", self.0)
    }
}

impl core::error::Error for DecimalError {}

const GRAMMAR: DecimalError = DecimalError("digits with at most one point and e, as in -12.5e3");

impl Decimal {
    /// The maximum number of digits of a number read from text or bytes.
    pub const MAX_DIGITS: usize = 10_000;

    /// Returns `unscaled` times ten to the power of `exponent`.
    ///
    /// ```
    /// use tallrow_codec::compat::Decimal;
    ///
    /// assert_eq!(Decimal::new(1234, -2).to_string(), "12.34");
    /// ```
    pub fn new(unscaled: i128, exponent: i32) -> Self {
        let mut digits = Vec::new();
        let mut rest = unscaled.unsigned_abs();
        while rest > 0 {
            digits.push((rest % 10) as u8);
            rest /= 10;
        }
        digits.reverse();
        Self { negative: unscaled < 0, digits, exponent }
    }

    /// Returns the number with these digits, without leading zeros.
    pub(super) fn from_digits(negative: bool, digits: &[u8], exponent: i32) -> Self {
        let zeros = digits.iter().take_while(|digit| **digit == 0).count();
        let digits = digits.get(zeros..).unwrap_or_default().to_vec();
        Self { negative: negative && !digits.is_empty(), digits, exponent }
    }

    /// Returns whether the number is less than zero.
    ///
    /// ```
    /// assert!(tallrow_codec::compat::Decimal::new(-1, 0).is_negative());
    /// ```
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// Returns the digits, 0 to 9 each, most significant first; the number zero has no digits.
    ///
    /// ```
    /// assert_eq!(tallrow_codec::compat::Decimal::new(-120, 3).digits(), [1, 2, 0]);
    /// ```
    pub fn digits(&self) -> &[u8] {
        &self.digits
    }

    /// Returns the power of ten of the last digit: the scale of a `BigDecimal`, negated.
    ///
    /// ```
    /// assert_eq!(tallrow_codec::compat::Decimal::new(125, -2).exponent(), -2);
    /// ```
    pub fn exponent(&self) -> i32 {
        self.exponent
    }

    /// Returns the same number without zeros at its end.
    ///
    /// ```
    /// use tallrow_codec::compat::Decimal;
    ///
    /// assert_eq!(Decimal::new(1500, -2).normalized().to_string(), "15");
    /// ```
    #[must_use]
    pub fn normalized(&self) -> Self {
        let len = self.digits.iter().rposition(|digit| *digit != 0).map_or(0, |last| last + 1);
        if len == 0 {
            return Self::default();
        }
        let dropped = i32::try_from(self.digits.len() - len).unwrap_or(i32::MAX);
        Self {
            negative: self.negative,
            digits: self.digits.get(..len).unwrap_or_default().to_vec(),
            exponent: self.exponent.saturating_add(dropped),
        }
    }

    /// Returns the nearest number of at most `digits` digits; a number halfway between two is
    /// rounded away from zero.
    ///
    /// ```
    /// use tallrow_codec::compat::Decimal;
    ///
    /// assert_eq!(Decimal::new(12_345, 0).rounded(4), Decimal::new(12_350, 0));
    /// assert_eq!(Decimal::new(-99_95, 0).rounded(2), Decimal::new(-10_000, 0));
    /// ```
    #[must_use]
    pub fn rounded(&self, digits: usize) -> Self {
        let Some((kept, [next, ..])) = self.digits.split_at_checked(digits) else {
            return self.clone();
        };
        let mut kept = kept.to_vec();
        if *next >= 5 {
            let nines = kept.iter().rev().take_while(|digit| **digit == 9).count();
            let (stay, carried) = kept.split_at_mut(digits.saturating_sub(nines));
            carried.fill(0);
            match stay.last_mut() {
                Some(last) => *last += 1,
                None => kept.insert(0, 1),
            }
        }
        let dropped = i32::try_from(self.digits.len() - digits).unwrap_or(i32::MAX);
        Self::from_digits(self.negative, &kept, self.exponent.saturating_add(dropped))
    }

    /// Returns the power of ten by which 0.digits is multiplied to give the number.
    fn point(&self) -> i64 {
        i64::from(self.exponent) + i64::try_from(self.digits.len()).unwrap_or(i64::MAX)
    }

    /// Returns the number of digit pairs before the point, and all pairs, 0 to 99 each. Zeros are
    /// added so that the point is between two pairs. A negative number of pairs counts the pairs of
    /// zeros after the point.
    pub(super) fn to_digit_pairs(&self) -> (i64, Vec<u8>) {
        let point = self.point();
        let odd = usize::from(point.rem_euclid(2) == 1);
        let mut digits = alloc::vec![0; odd];
        digits.extend_from_slice(&self.digits);
        let pair = |pair: &[u8]| match pair {
            [tens, ones] => tens * 10 + ones,
            alone => alone.iter().sum::<u8>() * 10,
        };
        ((point + 1).div_euclid(2), digits.chunks(2).map(pair).collect())
    }

    /// Returns the decimal number that has these [`to_digit_pairs`](Self::to_digit_pairs),
    /// normalized; `None` if its exponent does not fit an `i32`.
    pub(super) fn from_pairs(negative: bool, front: i64, pairs: &[u8]) -> Option<Self> {
        let digits: Vec<u8> = pairs.iter().flat_map(|pair| [pair / 10, pair % 10]).collect();
        let exponent = i32::try_from(2 * front - i64::try_from(digits.len()).ok()?).ok()?;
        Some(Self::from_digits(negative, &digits, exponent).normalized())
    }

    /// Returns the digits and the sign as a whole number, in big-endian two's complement with as
    /// few bytes as possible.
    pub(super) fn to_unscaled_bytes(&self) -> Vec<u8> {
        let mut bytes = base_256(&self.digits);
        if bytes.first().is_none_or(|first| *first >= 0x80) {
            bytes.insert(0, 0);
        }
        if self.negative {
            negate(&mut bytes);
            if let [0xff, second, ..] = *bytes
                && second >= 0x80
            {
                bytes.remove(0);
            }
        }
        bytes
    }

    /// Returns the number for which [`to_unscaled_bytes`](Self::to_unscaled_bytes) returns `bytes`.
    pub(super) fn from_unscaled(bytes: &[u8], exponent: i32) -> Option<Self> {
        let negative = *bytes.first()? >= 0x80;
        let mut magnitude = bytes.to_vec();
        if negative {
            negate(&mut magnitude);
        }
        // Each byte takes less than 3 digits: log10(256) < 2.41.
        if magnitude.len() > Self::MAX_DIGITS / 3 {
            return None;
        }
        let this = Self::from_digits(negative, &base_10(&magnitude), exponent);
        (this.to_unscaled_bytes() == bytes).then_some(this)
    }
}

/// Turns digits into bytes, both most significant first.
fn base_256(digits: &[u8]) -> Vec<u8> {
    convert(digits, 10, 256)
}

/// Turns bytes into digits, both most significant first.
fn base_10(bytes: &[u8]) -> Vec<u8> {
    convert(bytes, 256, 10)
}

fn convert(from: &[u8], base: u32, to: u32) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    for digit in from {
        let mut carry = u32::from(*digit);
        for place in &mut out {
            carry += u32::from(*place) * base;
            *place = (carry % to) as u8;
            carry /= to;
        }
        while carry > 0 {
            out.push((carry % to) as u8);
            carry /= to;
        }
    }
    out.reverse();
    out
}

/// Negates a number in two's complement.
fn negate(bytes: &mut [u8]) {
    let mut carry = true;
    for byte in bytes.iter_mut().rev() {
        let (sum, over) = (!*byte).overflowing_add(u8::from(carry));
        *byte = sum;
        carry = over;
    }
}

impl FromStr for Decimal {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        let (number, exponent) = match text.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, exponent.parse().map_err(|_| GRAMMAR)?),
            None => (text, 0_i32),
        };
        let (negative, number) = match number.strip_prefix('-') {
            Some(number) => (true, number),
            None => (false, number.strip_prefix('+').unwrap_or(number)),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let all = || whole.bytes().chain(fraction.bytes());
        if all().next().is_none() || !all().all(|c| c.is_ascii_digit()) {
            return Err(GRAMMAR);
        }
        if whole.len() + fraction.len() > Self::MAX_DIGITS {
            return Err(DecimalError("at most 10000 digits"));
        }
        let digits: Vec<u8> = all().map(|c| c - b'0').collect();
        let places = i32::try_from(fraction.len()).unwrap_or(i32::MAX);
        let exponent = exponent.checked_sub(places);
        let exponent = exponent.ok_or(DecimalError("a power of ten that fits 32 bits"))?;
        Ok(Self::from_digits(negative, &digits, exponent))
    }
}

impl fmt::Display for Decimal {
    /// Writes the digits with a point and with at most six zeros before them (`0.00000`). A number
    /// that needs more zeros before its digits, or any zero after them, is written with one digit
    /// before the point and a power of ten.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.negative {
            f.write_char('-')?;
        }
        let digits: &[u8] = if self.digits.is_empty() { &[0] } else { &self.digits };
        let mut put = |digits: &[u8]| {
            digits.iter().try_for_each(|digit| f.write_char(char::from(b'0' + digit)))
        };
        let point = i64::from(self.exponent) + i64::try_from(digits.len()).unwrap_or(i64::MAX);
        match usize::try_from(point) {
            Ok(point) if point > 0 && point <= digits.len() => {
                let (whole, fraction) = digits.split_at(point);
                put(whole)?;
                if !fraction.is_empty() {
                    f.write_char('.')?;
                    fraction.iter().try_for_each(|digit| f.write_char(char::from(b'0' + digit)))?;
                }
                Ok(())
            }
            _ if self.exponent <= 0 && point > -6 => {
                f.write_str("0.")?;
                (point..0).try_for_each(|_| f.write_char('0'))?;
                digits.iter().try_for_each(|digit| f.write_char(char::from(b'0' + digit)))
            }
            _ => {
                let (first, rest) = digits.split_at(1);
                put(first)?;
                if !rest.is_empty() {
                    f.write_char('.')?;
                    rest.iter().try_for_each(|digit| f.write_char(char::from(b'0' + digit)))?;
                }
                write!(f, "e{}", point - 1)
            }
        }
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |this: &Self| match (this.digits.is_empty(), this.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let size = || {
            let point = self.point().cmp(&other.point());
            point.then_with(|| {
                let significant = |this: &Self| this.normalized().digits;
                significant(self).cmp(&significant(other))
            })
        };
        match sign(self).cmp(&sign(other)) {
            Ordering::Equal if self.digits.is_empty() => Ordering::Equal,
            Ordering::Equal if self.negative => size().reverse(),
            Ordering::Equal => size(),
            unequal => unequal,
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Decimal {}

impl Hash for Decimal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { negative, digits, exponent } = self.normalized();
        (negative, digits, exponent).hash(state);
    }
}

macro_rules! whole {
    ($($int:ty)*) => {$(
        impl From<$int> for Decimal {
            fn from(value: $int) -> Self {
                Self::new(i128::from(value), 0)
            }
        }

        impl TryFrom<&Decimal> for $int {
            type Error = DecimalError;

            /// # Errors
            /// When the number has a fraction or does not fit.
            fn try_from(value: &Decimal) -> Result<Self, DecimalError> {
                const WHOLE: DecimalError = DecimalError("a whole number that fits the type");
                let Decimal { negative, digits, exponent } = value.normalized();
                let power = u32::try_from(exponent).map_err(|_| WHOLE)?;
                let unsigned = digits.iter().try_fold(0_i128, |sum, digit| {
                    sum.checked_mul(10)?.checked_add(i128::from(*digit))
                });
                let scaled = unsigned.and_then(|n| n.checked_mul(10_i128.checked_pow(power)?));
                let signed = scaled.map(|n| if negative { -n } else { n });
                signed.and_then(|n| n.try_into().ok()).ok_or(WHOLE)
            }
        }
    )*};
}

whole!(i8 i16 i32 i64 u8 u16 u32 u64);

impl TryFrom<f64> for Decimal {
    type Error = DecimalError;

    /// Returns the shortest number that rounds to the float, as `BigDecimal.valueOf` does since
    /// Java 19; older versions sometimes write one digit more, as for 2^-44.
    ///
    /// # Errors
    /// For NaN and the infinities.
    fn try_from(value: f64) -> Result<Self, DecimalError> {
        if !value.is_finite() {
            return Err(DecimalError("a finite float"));
        }
        let shortest = format!("{value:e}");
        // Java writes as few digits as distinguish the float from its neighbours, but at least two.
        // Of the numbers with that many digits it writes the nearest, or of two equally near
        // numbers the even one. Below a power of two, the nearest number may be the text of another
        // float.
        let digits = shortest.bytes().take_while(|c| *c != b'e').filter(u8::is_ascii_digit).count();
        let nearest = format!("{value:.*e}", digits.max(2) - 1);
        if nearest.parse() == Ok(value) { nearest.parse() } else { shortest.parse() }
    }
}

impl From<&Decimal> for f64 {
    /// Returns the nearest float; beyond the largest one, infinity.
    fn from(value: &Decimal) -> Self {
        let mut text = String::from(if value.negative { "-0." } else { "0." });
        text.extend(value.digits.iter().map(|digit| char::from(b'0' + digit)));
        text.push_str(&format!("e{}", value.point()));
        text.parse().unwrap_or(Self::NAN)
    }
}

#[diagnostic::do_not_recommend]
impl Field for Decimal {
    type Arg = Self;
    const TYPE_NAME: TypeName = TypeName::word("decimal");

    fn as_arg(&self) -> &Self {
        self
    }
}
