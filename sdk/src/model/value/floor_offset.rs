//! Qualifiers that hold the offset of a time within the period of their row, as in OpenTSDB.

use super::{Qualifier, ValueError};
use crate::key::FloorOffset;

/// Returns how many bytes the largest offset in a period needs.
const fn width(period: u32) -> usize {
    assert!(period > 0, "a period is not empty");
    match period - 1 {
        0..=0xFF => 1,
        0x100..=0xFFFF => 2,
        0x1_0000..=0xFF_FFFF => 3,
        _ => 4,
    }
}

/// OpenTSDB stores its points in this way: a row holds the points of a period, and the qualifier of
/// a point is the offset of its time in the period. With a period of an hour, the time of a point
/// takes two bytes instead of eight, and one row key is enough for all points of an hour.
///
/// ```
/// use tallrow::{key::FloorOffset, value::Qualifier};
///
/// let (hour, at) = FloorOffset::<3600>::split(1_700_000_000_u32);
/// assert_eq!((hour, at.get()), (1_699_999_200, 800));
/// let mut qualifier = Vec::new();
/// at.write_qualifier(&mut qualifier);
/// assert_eq!(qualifier, [3, 32]);
/// let error = FloorOffset::<3600>::from_qualifier(&[255, 255]).unwrap_err();
/// assert_eq!(error.to_string(), "expected an offset below 3600, found 65535");
/// ```
#[diagnostic::do_not_recommend]
impl<const PERIOD: u32> Qualifier for FloorOffset<PERIOD> {
    fn write_qualifier(&self, out: &mut Vec<u8>) {
        let bytes = self.get().to_be_bytes();
        out.extend(bytes.iter().skip(bytes.len() - const { width(PERIOD) }));
    }

    fn from_qualifier(bytes: &[u8]) -> Result<Self, ValueError> {
        let len = const { width(PERIOD) };
        if bytes.len() != len {
            return Err(ValueError::new(format!("{len} bytes"), bytes.len().to_string()));
        }
        let offset = bytes.iter().fold(0, |n, byte| (n << 8) | u32::from(*byte));
        Self::new(offset)
            .ok_or_else(|| ValueError::new(format!("an offset below {PERIOD}"), offset.to_string()))
    }
}
