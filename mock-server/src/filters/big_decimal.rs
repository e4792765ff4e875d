//! Decimal numbers in the encoding of HBase's `Bytes.toBytes(BigDecimal)`: the scale in 4 bytes,
//! then the unscaled number.

use std::cmp::Ordering;

/// A decimal number of any length: its digits, and the position of the decimal point relative to
/// the first digit.
#[derive(Clone, Debug)]
pub(crate) struct BigDecimal {
    negative: bool,
    /// The digits, 0 to 9 each. The first and the last digit are not 0; the number 0 has no digits.
    digits: Vec<u8>,
    magnitude: i64,
}

impl BigDecimal {
    /// Decodes a number; `None` for fewer than five bytes.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let (scale, unscaled) = bytes.split_first_chunk::<4>()?;
        let negative = unscaled.first()? & 0x80 != 0;
        let mut rest = unscaled.to_vec();
        if negative {
            negate(&mut rest);
        }
        let mut digits = Vec::new();
        while rest.iter().any(|byte| *byte != 0) {
            digits.push(divide_by_ten(&mut rest));
        }
        let length = i64::try_from(digits.len()).unwrap_or(i64::MAX);
        let magnitude = length.saturating_sub(i64::from(i32::from_be_bytes(*scale)));
        digits.reverse();
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Some(Self { negative, digits, magnitude })
    }

    /// Compares this number with another, whatever their scales.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        match (self.sign(), other.sign()) {
            (1, 1) => self.size().cmp(&other.size()),
            (-1, -1) => other.size().cmp(&self.size()),
            (one, other) => one.cmp(&other),
        }
    }

    fn sign(&self) -> i8 {
        match (self.digits.is_empty(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    /// Returns the key by which absolute values are compared. If two numbers start with the same
    /// digits, the longer one is greater, because there are no trailing zeros.
    fn size(&self) -> (i64, &[u8]) {
        (self.magnitude, &self.digits)
    }
}

/// Replaces a big-endian number by its two's complement.
fn negate(bytes: &mut [u8]) {
    let mut carry = true;
    for byte in bytes.iter_mut().rev() {
        (*byte, carry) = (!*byte).overflowing_add(u8::from(carry));
    }
}

/// Divides a big-endian number in place, and returns the remainder.
fn divide_by_ten(bytes: &mut [u8]) -> u8 {
    bytes.iter_mut().fold(0u16, |remainder, byte| {
        let part = remainder << 8 | u16::from(*byte);
        *byte = u8::try_from(part / 10).unwrap_or(u8::MAX);
        part % 10
    }) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(unscaled: i64, scale: i32) -> BigDecimal {
        BigDecimal::read(&[&scale.to_be_bytes()[..], &unscaled.to_be_bytes()].concat()).unwrap()
    }

    #[test]
    fn numbers_compare_whatever_their_scales() {
        let ascending = [
            (i64::MIN, 0),
            (-3, 0),
            (-299, 2),
            (-1, 9),
            (0, 5),
            (1, 9),
            (15, 1),
            (1501, 3),
            (2, 0),
            (19, 0),
            (2, -1),
            (i64::MAX, 0),
            (1, -100),
        ];
        for (i, (a, a_scale)) in ascending.into_iter().enumerate() {
            for (j, (b, b_scale)) in ascending.into_iter().enumerate() {
                assert_eq!(number(a, a_scale).compare(&number(b, b_scale)), i.cmp(&j), "{a} {b}");
            }
        }
        assert!(number(150, 2).compare(&number(15, 1)).is_eq());
        assert!(number(0, 7).compare(&number(0, -7)).is_eq());
        assert!(BigDecimal::read(&[0; 4]).is_none());
    }
}
