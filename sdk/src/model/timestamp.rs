//! The time of a cell, in milliseconds since 1970.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// The largest number of milliseconds, which no cell has: HBase reads it as "the time of the
/// server".
const LATEST: u64 = i64::MAX as u64;

/// The time of a cell, in milliseconds since 1970: 0 to 2^63 - 2.
///
/// ```
/// use tallrow::Timestamp;
///
/// let t = Timestamp::from_millis(1_700_000_000_000);
/// assert_eq!(t.as_millis(), 1_700_000_000_000);
/// assert!(t < Timestamp::now());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp {
    millis: u64,
}

impl Timestamp {
    /// The latest time a cell may have.
    pub const MAX: Self = Self { millis: LATEST - 1 };

    /// Creates a timestamp from milliseconds since 1970; a time after [`Timestamp::MAX`] becomes
    /// `Timestamp::MAX`.
    ///
    /// ```
    /// assert_eq!(tallrow::Timestamp::from_millis(u64::MAX), tallrow::Timestamp::MAX);
    /// ```
    pub const fn from_millis(millis: u64) -> Self {
        if millis < LATEST { Self { millis } } else { Self::MAX }
    }

    /// Returns the current time of this computer's clock.
    ///
    /// See [`Timestamp`] for an example.
    pub fn now() -> Self {
        SystemTime::now().into()
    }

    /// Milliseconds since 1970.
    ///
    /// See [`Timestamp`] for an example.
    pub const fn as_millis(self) -> u64 {
        self.millis
    }
}

impl From<SystemTime> for Timestamp {
    /// Times before 1970 become 0.
    fn from(time: SystemTime) -> Self {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self::from_millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.millis)
    }
}
