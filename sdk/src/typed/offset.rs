use std::fmt;

use super::{Qualifier, ValueError};

/// A place within a period, as a qualifier: the seconds within an hour are an `Offset<3600>`.
///
/// Rows that hold a period each, with the offset as qualifier, are how OpenTSDB packs its points: a cell costs two bytes of
/// time instead of eight, and a row key is stored for an hour, not for a point.
///
/// Its bytes are big-endian, in the fewest bytes that hold `PERIOD - 1`: two for 3,600.
///
/// ```
/// use tallrow::{Offset, Qualifier};
///
/// let at = Offset::<3600>::of(1_700_000_000);
/// assert_eq!(at.get(), 800);
/// let mut qualifier = Vec::new();
/// at.write_qualifier(&mut qualifier);
/// assert_eq!(qualifier, [3, 32]);
/// assert_eq!(Offset::<3600>::new(3600), None);
/// let error = Offset::<3600>::from_qualifier(&[255, 255]).unwrap_err();
/// assert_eq!(error.to_string(), "expected an offset below 3600, found 65535");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offset<const PERIOD: u32>(u32);

impl<const PERIOD: u32> Offset<PERIOD> {
    const LEN: usize = {
        assert!(PERIOD > 0, "a period is not empty");
        match PERIOD - 1 {
            0..=0xFF => 1,
            0x100..=0xFFFF => 2,
            0x1_0000..=0xFF_FFFF => 3,
            _ => 4,
        }
    };

    /// An offset, if it is within the period.
    ///
    /// See [`Offset`] for an example of this and the other functions.
    pub const fn new(offset: u32) -> Option<Self> {
        if offset < PERIOD { Some(Self(offset)) } else { None }
    }

    /// The offset of a time within its period.
    pub const fn of(time: i64) -> Self {
        Self(time.rem_euclid(PERIOD as i64) as u32)
    }

    /// The offset.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl<const PERIOD: u32> Qualifier for Offset<PERIOD> {
    fn write_qualifier(&self, out: &mut Vec<u8>) {
        let bytes = self.0.to_be_bytes();
        out.extend(bytes.iter().skip(bytes.len() - Self::LEN));
    }

    fn from_qualifier(bytes: &[u8]) -> Result<Self, ValueError> {
        if bytes.len() != Self::LEN {
            let (expected, found) = (format!("{} bytes", Self::LEN), bytes.len().to_string());
            return Err(ValueError::new(expected, found));
        }
        let offset = bytes.iter().fold(0, |n, byte| (n << 8) | u32::from(*byte));
        Self::new(offset)
            .ok_or_else(|| ValueError::new(format!("an offset below {PERIOD}"), offset.to_string()))
    }
}

impl<const PERIOD: u32> fmt::Display for Offset<PERIOD> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
