//! The times that operations took, and their percentiles.

use std::fmt;
use std::time::Duration;

/// How long operations took.
#[derive(Clone, Debug, Default)]
pub(crate) struct Times(Vec<u32>);

impl Times {
    pub(crate) fn add(&mut self, time: Duration) {
        self.0.push(u32::try_from(time.as_micros()).unwrap_or(u32::MAX));
    }

    pub(crate) fn join(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let at = |share: f64| {
            let at = (sorted.len() as f64 * share) as usize;
            f64::from(sorted.get(at.min(sorted.len().saturating_sub(1))).copied().unwrap_or(0))
                / 1e3
        };
        write!(f, "p50 {:.1} ms, p99 {:.1} ms, ", at(0.5), at(0.99))?;
        write!(f, "p999 {:.1} ms, worst {:.0} ms", at(0.999), at(1.0))
    }
}
