//! Histograms of a fixed size: linear within each power of two.

use std::fmt;
use std::time::Duration;

/// The binary logarithm of the number of buckets that each power of two is divided into.
const PARTS_LOG: u32 = 4;
const PARTS: usize = 1 << PARTS_LOG;
/// How many powers of two are divided, after the first `PARTS` buckets.
const OCTAVES: usize = 30;
pub(super) const BUCKETS: usize = PARTS * (OCTAVES + 1);
/// The binary logarithm of the unit of times, in ns: the unit is 256 ns.
pub(super) const TIME_SHIFT: u32 = 8;

/// The distribution of values, which are times or numbers: how often each of them occurred.
///
/// Values are counted in a fixed number of buckets. The width of a bucket is at most 1/16 of the
/// values in it, so a [`percentile`](Self::percentile) differs from the true value by at most 1/32,
/// or 3.125 %. Times below 4 µs differ by at most 128 ns, and numbers below 16 are exact. Times
/// above 73 min and numbers above 17 billion are counted in the last bucket. [`sum`](Self::sum),
/// [`count`](Self::count) and [`max`](Self::max) are exact.
///
/// ```
/// use std::time::Duration;
/// use tallrow::observe::Histogram;
///
/// let mut times = Histogram::of_times();
/// for ms in 1..=1_000 {
///     times.record_time(Duration::from_millis(ms));
/// }
/// let p99 = times.percentile_time(99.0);
/// assert!(p99 > Duration::from_millis(958) && p99 < Duration::from_millis(1_022), "{p99:?}");
/// assert_eq!((times.count(), times.max_time()), (1_000, Duration::from_secs(1)));
///
/// // Those of several clients can be added up: their percentiles are those of all values together.
/// let mut all = Histogram::of_times();
/// all.merge(&times);
/// all.merge(&times);
/// assert_eq!((all.count(), all.percentile_time(99.0)), (2_000, p99));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Histogram {
    shift: u32,
    /// The buckets without the empty ones at the end.
    buckets: Vec<u64>,
    sum: u64,
    max: u64,
}

impl Histogram {
    /// Makes an empty histogram of times.
    ///
    /// See [`Histogram`] for an example.
    pub fn of_times() -> Self {
        Self::new(TIME_SHIFT)
    }

    /// Makes an empty histogram of numbers.
    ///
    /// ```
    /// use tallrow::observe::Histogram;
    ///
    /// let mut sizes = Histogram::of_numbers();
    /// for size in [1, 1, 1, 8] {
    ///     sizes.record(size);
    /// }
    /// assert_eq!((sizes.percentile(50.0), sizes.max(), sizes.mean()), (1, 8, 2.75));
    /// ```
    pub fn of_numbers() -> Self {
        Self::new(0)
    }

    pub(super) fn new(shift: u32) -> Self {
        Self { shift, buckets: Vec::new(), sum: 0, max: 0 }
    }

    pub(super) fn from_parts(shift: u32, mut buckets: Vec<u64>, sum: u64, max: u64) -> Self {
        while buckets.last() == Some(&0) {
            buckets.pop();
        }
        Self { shift, buckets, sum, max }
    }

    /// Counts a value: a number, or a time in ns.
    ///
    /// See [`of_numbers`](Self::of_numbers) for an example.
    pub fn record(&mut self, value: u64) {
        let at = bucket_of(value >> self.shift);
        if self.buckets.len() <= at {
            self.buckets.resize(at + 1, 0);
        }
        if let Some(bucket) = self.buckets.get_mut(at) {
            *bucket += 1;
        }
        self.sum = self.sum.saturating_add(value);
        self.max = self.max.max(value);
    }

    /// Counts a time.
    ///
    /// See [`Histogram`] for an example.
    pub fn record_time(&mut self, time: Duration) {
        self.record(nanos(time));
    }

    /// Adds the values of another histogram of the same kind, and returns true.
    ///
    /// A histogram of times and a histogram of numbers cannot be merged: the call then changes
    /// nothing and returns false.
    ///
    /// ```
    /// use tallrow::observe::Histogram;
    ///
    /// let (mut times, numbers) = (Histogram::of_times(), Histogram::of_numbers());
    /// assert!(!times.merge(&numbers));
    /// ```
    pub fn merge(&mut self, other: &Self) -> bool {
        if self.shift != other.shift {
            return false;
        }
        if self.buckets.len() < other.buckets.len() {
            self.buckets.resize(other.buckets.len(), 0);
        }
        for (mine, theirs) in self.buckets.iter_mut().zip(&other.buckets) {
            *mine += theirs;
        }
        self.sum = self.sum.saturating_add(other.sum);
        self.max = self.max.max(other.max);
        true
    }

    /// How many values were counted.
    ///
    /// See [`Histogram`] for an example.
    pub fn count(&self) -> u64 {
        self.buckets.iter().sum()
    }

    /// The sum of all values; times are in ns.
    ///
    /// See [`Histogram`] for an example of [`count`](Self::count), which is called in the same way.
    pub fn sum(&self) -> u64 {
        self.sum
    }

    /// The largest value, or 0 if there is none; times are in ns.
    ///
    /// See [`of_numbers`](Self::of_numbers) for an example.
    pub fn max(&self) -> u64 {
        self.max
    }

    /// The largest value of a histogram of times.
    ///
    /// See [`Histogram`] for an example.
    pub fn max_time(&self) -> Duration {
        Duration::from_nanos(self.max)
    }

    /// The mean of all values, or 0 if there is none; times are in ns.
    ///
    /// See [`of_numbers`](Self::of_numbers) for an example.
    pub fn mean(&self) -> f64 {
        match self.count() {
            0 => 0.0,
            count => self.sum as f64 / count as f64,
        }
    }

    /// Returns the value that `percent` % of all values do not exceed, rounded to the middle of its
    /// bucket, or 0 if there are no values. Times are in ns.
    ///
    /// See [`of_numbers`](Self::of_numbers) for an example.
    pub fn percentile(&self, percent: f64) -> u64 {
        let count = self.count();
        let rank = (count as f64 * percent.clamp(0.0, 100.0) / 100.0).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (at, n) in self.buckets.iter().enumerate() {
            seen += n;
            if *n > 0 && seen >= rank {
                let (from, to) = (lower_bound(at) << self.shift, lower_bound(at + 1) << self.shift);
                return (from + (to - from) / 2).min(self.max);
            }
        }
        self.max
    }

    /// Returns the [`percentile`](Self::percentile) of a histogram of times.
    ///
    /// See [`Histogram`] for an example.
    pub fn percentile_time(&self, percent: f64) -> Duration {
        Duration::from_nanos(self.percentile(percent))
    }

    /// Returns how many values are below `value`, which is in ns in a histogram of times. The
    /// result is exact if `value` is a power of two (from 256 ns on in a histogram of times), or a
    /// number up to 16; otherwise, values in the same bucket as `value` are not counted.
    ///
    /// ```
    /// use tallrow::observe::Histogram;
    ///
    /// let mut sizes = Histogram::of_numbers();
    /// for size in [1, 2, 3, 100] {
    ///     sizes.record(size);
    /// }
    /// assert_eq!(
    ///     (sizes.count_below(3), sizes.count_below(64), sizes.count_below(128)),
    ///     (2, 3, 4)
    /// );
    /// ```
    pub fn count_below(&self, value: u64) -> u64 {
        self.buckets.iter().take(bucket_of(value >> self.shift)).sum()
    }

    /// Returns whether this is a histogram of times.
    pub(crate) fn is_of_times(&self) -> bool {
        self.shift == TIME_SHIFT
    }
}

impl Default for Histogram {
    fn default() -> Self {
        Self::of_numbers()
    }
}

/// Shows the count, the median, the percentiles 95, 99 and 99.9, and the maximum.
impl fmt::Display for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.count())?;
        if self.count() == 0 {
            return Ok(());
        }
        for (name, value) in [
            ("p50", self.percentile(50.0)),
            ("p95", self.percentile(95.0)),
            ("p99", self.percentile(99.0)),
            ("p99.9", self.percentile(99.9)),
            ("max", self.max),
        ] {
            match self.is_of_times() {
                true => write!(f, " {name} {}", format_nanos(value))?,
                false => write!(f, " {name} {value}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Histogram({self})")
    }
}

/// Returns a time as text, with three digits and its unit.
pub(crate) fn format_nanos(nanos: u64) -> String {
    let (value, unit) = match nanos {
        0..1_000 => return format!("{nanos} ns"),
        1_000..1_000_000 => (nanos as f64 / 1e3, "µs"),
        1_000_000..1_000_000_000 => (nanos as f64 / 1e6, "ms"),
        _ => (nanos as f64 / 1e9, "s"),
    };
    match value {
        v if v < 10.0 => format!("{v:.2} {unit}"),
        v if v < 100.0 => format!("{v:.1} {unit}"),
        v => format!("{v:.0} {unit}"),
    }
}

pub(super) fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Returns the index of the bucket of a value; the value is in units.
pub(super) fn bucket_of(units: u64) -> usize {
    if units < PARTS as u64 {
        return units as usize;
    }
    let octave = units.ilog2() - PARTS_LOG;
    let part = (units >> octave) as usize - PARTS;
    (PARTS + octave as usize * PARTS + part).min(BUCKETS - 1)
}

/// Returns the smallest value of a bucket, in units.
fn lower_bound(bucket: usize) -> u64 {
    if bucket < PARTS {
        return bucket as u64;
    }
    let (octave, part) = ((bucket - PARTS) / PARTS, (bucket - PARTS) % PARTS);
    ((PARTS + part) as u64) << octave
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_is_in_the_bucket_whose_bounds_enclose_it() {
        for units in
            (0..5_000).chain((5..36).flat_map(|p| [(1_u64 << p) - 1, 1 << p, (1 << p) + 1]))
        {
            let at = bucket_of(units);
            assert!(lower_bound(at) <= units, "{units} in {at}");
            assert!(at == BUCKETS - 1 || units < lower_bound(at + 1), "{units} in {at}");
        }
        assert_eq!(bucket_of(u64::MAX), BUCKETS - 1);
    }

    #[test]
    fn a_percentile_is_wrong_by_at_most_a_32nd() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..200 {
            let scale = random.u32(13..41);
            let mut values: Vec<u64> =
                (0..random.usize(1..500)).map(|_| random.u64(1 << 12..1 << scale)).collect();
            let mut histogram = Histogram::of_times();
            values.iter().for_each(|v| histogram.record(*v));
            values.sort_unstable();
            for percent in [1.0, 50.0, 90.0, 99.0, 99.9, 100.0] {
                let rank = (values.len() as f64 * percent / 100.0).ceil().max(1.0) as usize;
                let (exact, found) = (values[rank - 1], histogram.percentile(percent));
                assert!(exact.abs_diff(found) <= exact / 32 + 1, "{percent} %: {exact}, {found}");
            }
            assert_eq!(histogram.count(), values.len() as u64);
            assert_eq!(histogram.sum(), values.iter().sum::<u64>());
        }
    }

    #[test]
    fn a_merged_histogram_is_that_of_all_values() {
        let mut random = fastrand::Rng::with_seed(8);
        let (mut one, mut other, mut all) =
            (Histogram::of_numbers(), Histogram::of_numbers(), Histogram::of_numbers());
        for _ in 0..1_000 {
            let value = random.u64(0..100_000);
            if random.bool() {
                one.record(value)
            } else {
                other.record(value)
            }
            all.record(value);
        }
        assert!(one.merge(&other));
        assert!(one == all);
        assert_eq!(Histogram::of_numbers().to_string(), "0");
    }
}
