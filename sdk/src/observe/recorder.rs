//! The counters of the built-in metrics, to which numbers are added without a lock.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::histogram::{self, BUCKETS, Histogram, TIME_SHIFT};

/// A number that only grows.
#[derive(Debug, Default)]
pub(super) struct Count(AtomicU64);

impl Count {
    pub(super) fn add(&self, n: u64) {
        self.0.fetch_add(n, Ordering::Relaxed);
    }

    pub(super) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A [`Histogram`] in which several threads record: each value takes two atomic additions, and a
/// new maximum one more atomic operation.
#[derive(Debug)]
pub(super) struct Recorder {
    shift: u32,
    buckets: Box<[AtomicU64; BUCKETS]>,
    sum: AtomicU64,
    max: AtomicU64,
}

impl Recorder {
    pub(super) fn of_times() -> Self {
        Self::new(TIME_SHIFT)
    }

    pub(super) fn of_numbers() -> Self {
        Self::new(0)
    }

    fn new(shift: u32) -> Self {
        let buckets = Box::new([const { AtomicU64::new(0) }; BUCKETS]);
        Self { shift, buckets, sum: AtomicU64::new(0), max: AtomicU64::new(0) }
    }

    pub(super) fn record(&self, value: u64) {
        if let Some(bucket) = self.buckets.get(histogram::bucket_of(value >> self.shift)) {
            bucket.fetch_add(1, Ordering::Relaxed);
        }
        self.sum.fetch_add(value, Ordering::Relaxed);
        if self.max.load(Ordering::Relaxed) < value {
            self.max.fetch_max(value, Ordering::Relaxed);
        }
    }

    pub(super) fn record_time(&self, time: Duration) {
        self.record(histogram::nanos(time));
    }

    pub(super) fn snapshot(&self) -> Histogram {
        let get = |value: &AtomicU64| value.load(Ordering::Relaxed);
        let buckets = self.buckets.iter().map(get).collect();
        Histogram::from_parts(self.shift, buckets, get(&self.sum), get(&self.max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorder_has_what_a_histogram_has() {
        let (recorder, mut histogram) = (Recorder::of_times(), Histogram::of_times());
        let mut random = fastrand::Rng::with_seed(9);
        for _ in 0..1_000 {
            let scale = random.u32(1..50);
            let time = Duration::from_nanos(random.u64(0..1 << scale));
            recorder.record_time(time);
            histogram.record_time(time);
        }
        assert!(recorder.snapshot() == histogram);
    }
}
