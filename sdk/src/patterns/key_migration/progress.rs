//! The progress of a back-fill, as it is reported to the program.

use std::fmt;
use std::time::Duration;

/// The progress of a [`Backfill`](super::Backfill).
///
/// ```
/// use tallrow::key_migration::BackfillProgress;
///
/// let progress = BackfillProgress {
///     ranges: 4,
///     ranges_done: 1,
///     rows: 90_000,
///     rows_this_run: 50_000,
///     rows_copied_again: 3,
///     elapsed: std::time::Duration::from_secs(10),
/// };
/// assert_eq!(progress.rows_per_second(), 5_000.0);
/// assert_eq!(progress.to_string(), "90000 rows, 1 of 4 ranges, 5000 rows/s");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "plain numbers")]
pub struct BackfillProgress {
    /// The number of ranges into which the old table is divided: its regions when the first run
    /// began.
    pub ranges: usize,
    /// How many ranges have been copied completely.
    pub ranges_done: usize,
    /// How many rows have been copied, including the rows that earlier runs copied.
    pub rows: u64,
    /// How many rows this run has copied.
    pub rows_this_run: u64,
    /// How many rows changed while this run copied them, and were therefore copied again.
    pub rows_copied_again: u64,
    /// How long this run has taken.
    pub elapsed: Duration,
}

impl BackfillProgress {
    /// The rate of this run, in rows per second.
    ///
    /// See [`BackfillProgress`] for an example.
    pub fn rows_per_second(&self) -> f64 {
        self.rows_this_run as f64 / self.elapsed.as_secs_f64().max(f64::MIN_POSITIVE)
    }
}

impl fmt::Display for BackfillProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ranges, ranges_done, rows, .. } = self;
        let rate = self.rows_per_second();
        write!(f, "{rows} rows, {ranges_done} of {ranges} ranges, {rate:.0} rows/s")
    }
}
