//! The nonces of applied operations, so that a repetition is answered but not applied again.

use std::collections::HashMap;

use crate::limits;

/// The identity of an operation: the nonce group of the client and the nonce of the operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Nonce {
    group: u64,
    nonce: u64,
}

impl Nonce {
    /// The identity that a request carries, if it has a nonce; 0 means none.
    pub(crate) fn of(group: Option<u64>, nonce: Option<u64>) -> Option<Self> {
        match (group.unwrap_or(0), nonce.unwrap_or(0)) {
            (_, 0) => None,
            (group, nonce) => Some(Self { group, nonce }),
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
    last_check: u64,
}

impl Nonces {
    /// The sequence id of an operation that was applied.
    pub(crate) fn applied(&self, nonce: Nonce, now: u64) -> Option<u64> {
        let applied = self.applied.get(&nonce)?;
        (now < applied.at + limits::NONCE_MS).then_some(applied.sequence_id)
    }

    /// Remembers an operation.
    pub(crate) fn remember(&mut self, nonce: Nonce, sequence_id: u64, now: u64) {
        if now >= self.last_check + limits::NONCE_MS {
            self.last_check = now;
            self.applied.retain(|_, a| now < a.at + limits::NONCE_MS);
        }
        self.applied.insert(nonce, Applied { sequence_id, at: now });
    }

    /// Copies the nonces to another server, as that server does when it replays the log of this one.
    ///
    /// All nonces are copied, not only those of the regions that it opens. As each nonce belongs to one operation, this
    /// makes no difference.
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
        assert_eq!(nonces.applied(nonce, limits::NONCE_MS - 1), Some(7));
        assert_eq!(nonces.applied(nonce, limits::NONCE_MS), None);
        nonces.remember(Nonce::of(Some(1), Some(3)).unwrap(), 8, limits::NONCE_MS);
        assert_eq!(nonces.applied.len(), 1);
    }

    #[test]
    fn a_server_replays_the_nonces_of_a_dead_one() {
        let (mut dead, mut next) = (Nonces::default(), Nonces::default());
        let nonce = |n| Nonce::of(None, Some(n)).unwrap();
        dead.remember(nonce(1), 5, 0);
        next.remember(nonce(2), 6, 0);
        dead.replay(&mut next);
        assert_eq!((next.applied(nonce(1), 1), next.applied(nonce(2), 1)), (Some(5), Some(6)));
    }

    #[test]
    fn zero_is_no_nonce() {
        assert_eq!(Nonce::of(Some(1), None), None);
        assert_eq!(Nonce::of(Some(1), Some(0)), None);
    }
}
