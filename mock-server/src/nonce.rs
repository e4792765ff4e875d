//! Operations that carry a nonce, remembered so that a repetition is answered and not applied.

use std::collections::HashMap;

/// How long a nonce is remembered, as `hbase.server.hashNonce.gracePeriod`: 30 minutes.
const REMEMBERED_MS: u64 = 30 * 60 * 1000;

/// An operation's identity: the client's group and the operation's own number, both not 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Nonce {
    group: u64,
    number: u64,
}

impl Nonce {
    /// The identity a request carries, if it carries one.
    pub(crate) fn of(group: Option<u64>, number: Option<u64>) -> Option<Self> {
        match (group.unwrap_or(0), number.unwrap_or(0)) {
            (_, 0) => None,
            (group, number) => Some(Self { group, number }),
        }
    }
}

/// An operation that was applied.
#[derive(Clone, Debug)]
struct Applied {
    region: String,
    sequence: u64,
    at: u64,
}

/// The applied operations of one region server.
#[derive(Debug, Default)]
pub(crate) struct Nonces {
    applied: HashMap<Nonce, Applied>,
    swept: u64,
}

impl Nonces {
    /// The sequence number an operation was applied with, if it was.
    pub(crate) fn applied(&self, nonce: Nonce, now: u64) -> Option<u64> {
        let applied = self.applied.get(&nonce)?;
        (now < applied.at + REMEMBERED_MS).then_some(applied.sequence)
    }

    /// Remembers an operation on a region.
    pub(crate) fn remember(&mut self, nonce: Nonce, region: &str, sequence: u64, now: u64) {
        if now >= self.swept + REMEMBERED_MS {
            self.swept = now;
            self.applied.retain(|_, a| now < a.at + REMEMBERED_MS);
        }
        self.applied.insert(nonce, Applied { region: region.to_owned(), sequence, at: now });
    }

    /// What the server that takes over `region` learns from the log of the one that died.
    pub(crate) fn replay(&self, region: &str, into: &mut Nonces) {
        let of_region = self.applied.iter().filter(|(_, a)| a.region == region);
        into.applied.extend(of_region.map(|(n, a)| (*n, a.clone())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nonce_is_forgotten_after_its_time() {
        let mut nonces = Nonces::default();
        let nonce = Nonce::of(Some(1), Some(2)).unwrap();
        nonces.remember(nonce, "r", 7, 0);
        assert_eq!(nonces.applied(nonce, REMEMBERED_MS - 1), Some(7));
        assert_eq!(nonces.applied(nonce, REMEMBERED_MS), None);
        nonces.remember(Nonce::of(Some(1), Some(3)).unwrap(), "r", 8, REMEMBERED_MS);
        assert_eq!(nonces.applied.len(), 1);
    }

    #[test]
    fn only_the_nonces_of_the_region_are_replayed() {
        let (mut dead, mut next) = (Nonces::default(), Nonces::default());
        let nonce = |n| Nonce::of(None, Some(n)).unwrap();
        dead.remember(nonce(1), "a", 5, 0);
        dead.remember(nonce(2), "b", 6, 0);
        dead.replay("a", &mut next);
        assert_eq!((next.applied(nonce(1), 1), next.applied(nonce(2), 1)), (Some(5), None));
    }

    #[test]
    fn no_number_means_no_nonce() {
        assert_eq!(Nonce::of(Some(1), None), None);
        assert_eq!(Nonce::of(Some(1), Some(0)), None);
    }
}
