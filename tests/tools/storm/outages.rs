//! When rows could be read again after a time in which they could not.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::rows::PREFIXES;

/// Without a success for this long, in ms, a row could not be read.
pub(crate) const GAP: u64 = 300;

pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The ends of the outages of one row, as ms since 1970: before, and at, the first success after
/// it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outages {
    latest: Option<u64>,
    pub(crate) ends: Vec<(u64, u64)>,
}

impl Outages {
    /// A read succeeded now.
    pub(crate) fn success(&mut self) {
        let now = now();
        if let Some(latest) = self.latest.replace(now)
            && now.saturating_sub(latest) >= GAP
        {
            self.ends.push((latest, now));
        }
    }

    /// No more reads: an outage that goes on ends now.
    pub(crate) fn finish(mut self) -> Self {
        if self.latest.is_some() {
            self.success();
        }
        self
    }
}

/// A time in which the client did not read the row of a prefix that the prober could read.
#[derive(Debug)]
pub(crate) struct Delay {
    pub(crate) ms: u64,
    pub(crate) prefix: usize,
    /// When the client read it, in ms since 1970.
    pub(crate) end: u64,
}

/// For how long the client did not read a row that the prober could read: for each outage of the
/// client, the longest time in ms during which the prober had none.
pub(crate) fn delays(prober: &[Outages], client: &[Outages]) -> Vec<Delay> {
    let mut delays = Vec::new();
    for prefix in 0..PREFIXES {
        let (Some(prober), Some(client)) = (prober.get(prefix), client.get(prefix)) else {
            continue;
        };
        for &(before, end) in &client.ends {
            let (mut open, mut longest) = (before, 0);
            for &(closed, opened) in &prober.ends {
                if opened > before && closed < end {
                    longest = longest.max(closed.saturating_sub(open));
                    open = opened;
                }
            }
            delays.push(Delay { ms: longest.max(end.saturating_sub(open)), prefix, end });
        }
    }
    delays.sort_unstable_by_key(|delay| delay.ms);
    delays
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_is_the_time_in_which_only_the_client_did_not_read() {
        let of = |ends: &[(u64, u64)]| {
            let mut all = vec![Outages::default(); PREFIXES];
            all[0].ends = ends.to_vec();
            all
        };
        let delays = |prober: &[Outages], client: &[Outages]| -> Vec<u64> {
            delays(prober, client).iter().map(|delay| delay.ms).collect()
        };
        let prober = of(&[(1_000, 2_000), (5_000, 9_000)]);
        assert_eq!(delays(&prober, &of(&[(990, 1_900), (5_010, 9_700)])), [10, 700]);
        assert_eq!(delays(&prober, &of(&[(990, 9_100)])), [3_000], "it was open in between");
        assert_eq!(delays(&prober, &of(&[(3_000, 4_000)])), [1_000], "no outage at all");
        assert_eq!(delays(&prober, &of(&[])), [] as [u64; 0]);
    }
}
