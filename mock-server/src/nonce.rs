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
#[derive(Clone, Copy, Debug)]
struct Applied {
    sequence_id: u64,
    at: u64,
}

/// The applied operations of one region server.
#[derive(Debug, Default)]
pub(crate) struct Nonces {
    applied: HashMap<Nonce, Applied>,
    swept: u64,
}

impl Nonces {
    /// The sequence id an operation was applied with, if it was.
    pub(crate) fn applied(&self, nonce: Nonce, now: u64) -> Option<u64> {
        let applied = self.applied.get(&nonce)?;
        (now < applied.at + REMEMBERED_MS).then_some(applied.sequence_id)
    }

    /// Remembers an operation.
    pub(crate) fn remember(&mut self, nonce: Nonce, sequence_id: u64, now: u64) {
        if now >= self.swept + REMEMBERED_MS {
            self.swept = now;
            self.applied.retain(|_, a| now < a.at + REMEMBERED_MS);
        }
        self.applied.insert(nonce, Applied { sequence_id, at: now });
    }

    /// What a server learns from the log of one that died. A nonce belongs to one client's one operation, so knowing
    /// more of them than the own regions' does no harm.
    pub(crate) fn replay(&self, into: &mut Nonces) {
        into.applied.extend(&self.applied);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nonce_is_forgotten_after_its_time() {
        let mut nonces = Nonces::default();
        let nonce = Nonce::of(Some(1), Some(2)).unwrap();
        nonces.remember(nonce, 7, 0);
        assert_eq!(nonces.applied(nonce, REMEMBERED_MS - 1), Some(7));
        assert_eq!(nonces.applied(nonce, REMEMBERED_MS), None);
        nonces.remember(Nonce::of(Some(1), Some(3)).unwrap(), 8, REMEMBERED_MS);
        assert_eq!(nonces.applied.len(), 1);
    }

    #[test]
    fn a_server_learns_the_nonces_of_one_that_died() {
        let (mut dead, mut next) = (Nonces::default(), Nonces::default());
        let nonce = |n| Nonce::of(None, Some(n)).unwrap();
        dead.remember(nonce(1), 5, 0);
        next.remember(nonce(2), 6, 0);
        dead.replay(&mut next);
        assert_eq!((next.applied(nonce(1), 1), next.applied(nonce(2), 1)), (Some(5), Some(6)));
    }

    #[test]
    fn no_number_means_no_nonce() {
        assert_eq!(Nonce::of(Some(1), None), None);
        assert_eq!(Nonce::of(Some(1), Some(0)), None);
    }
}
