//! The nonces of applied operations, so that a repeated operation is answered but not applied
//! again.

use std::collections::HashMap;

use bytes::Bytes;

use crate::base::limits;
use crate::journal::AppliedNonce;

/// The identity of an operation: the nonce group of the client and the nonce of the operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Nonce {
    group: u64,
    nonce: u64,
}

impl Nonce {
    /// Returns the identity that a request carries, if it has a nonce; 0 means that it has none.
    pub(crate) fn of(group: Option<u64>, nonce: Option<u64>) -> Option<Self> {
        match (group.unwrap_or(0), nonce.unwrap_or(0)) {
            (_, 0) => None,
            (group, nonce) => Some(Self { group, nonce }),
        }
    }

    /// Returns the nonce group of the client and the nonce of the operation.
    pub(crate) fn parts(self) -> (u64, u64) {
        (self.group, self.nonce)
    }

    /// Returns the record of the operation in the log.
    pub(crate) fn to_record(self, sequence_id: u64, at: u64) -> AppliedNonce {
        AppliedNonce { group: self.group, nonce: self.nonce, sequence_id, at }
    }
}

/// An operation that was applied.
#[derive(Clone, Debug)]
struct Applied {
    /// The full name of the region.
    region: Bytes,
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
    /// Returns the sequence id of an applied operation; none if the nonce is unknown or too old.
    pub(crate) fn applied_sequence_id(&self, nonce: Nonce, now: u64) -> Option<u64> {
        let applied = self.applied.get(&nonce)?;
        (now < applied.at + limits::NONCE_TTL_MS).then_some(applied.sequence_id)
    }

    /// Remembers an operation.
    pub(crate) fn remember(&mut self, nonce: Nonce, region: &Bytes, sequence_id: u64, now: u64) {
        if now >= self.last_check + limits::NONCE_TTL_MS {
            self.last_check = now;
            self.applied.retain(|_, a| now < a.at + limits::NONCE_TTL_MS);
        }
        let region = region.clone();
        self.applied.insert(nonce, Applied { region, sequence_id, at: now });
    }

    /// Remembers operations of an earlier process.
    pub(crate) fn restore(&mut self, records: &[AppliedNonce]) {
        for record in records {
            let nonce = Nonce { group: record.group, nonce: record.nonce };
            let (region, sequence_id, at) = (Bytes::new(), record.sequence_id, record.at);
            self.applied.insert(nonce, Applied { region, sequence_id, at });
        }
    }

    /// Returns the operations that are not too old.
    pub(crate) fn records(&self, now: u64) -> impl Iterator<Item = AppliedNonce> {
        let young = self.applied.iter().filter(move |(_, a)| now < a.at + limits::NONCE_TTL_MS);
        young.map(|(nonce, a)| nonce.to_record(a.sequence_id, a.at))
    }

    /// Copies the nonces of a region to the server that recovers the region and reads the log of
    /// this server: the nonces of the operations since the region was opened here. Earlier
    /// operations in the log were flushed when the region was closed, and operations that were
    /// recovered here are in the log of another server.
    pub(crate) fn replay(&self, region: &Bytes, open_sequence_id: u64, into: &mut Nonces) {
        let is_in_log = |a: &Applied| a.region == *region && a.sequence_id >= open_sequence_id;
        let logged = self.applied.iter().filter(|(_, a)| is_in_log(a));
        into.applied.extend(logged.map(|(nonce, applied)| (*nonce, applied.clone())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nonce_is_forgotten_after_its_time() {
        let mut nonces = Nonces::default();
        let nonce = Nonce::of(Some(1), Some(2)).unwrap();
        nonces.remember(nonce, &Bytes::new(), 7, 0);
        assert_eq!(nonces.applied_sequence_id(nonce, limits::NONCE_TTL_MS - 1), Some(7));
        assert_eq!(nonces.applied_sequence_id(nonce, limits::NONCE_TTL_MS), None);
        let other = Nonce::of(Some(1), Some(3)).unwrap();
        nonces.remember(other, &Bytes::new(), 8, limits::NONCE_TTL_MS);
        assert_eq!(nonces.applied.len(), 1);
    }

    #[test]
    fn a_server_replays_the_nonces_of_the_regions_that_it_recovers() {
        let (mut dead, mut next) = (Nonces::default(), Nonces::default());
        let nonce = |n| Nonce::of(None, Some(n)).unwrap();
        let [a, b] = [Bytes::from("a"), Bytes::from("b")];
        dead.remember(nonce(1), &a, 5, 0);
        dead.remember(nonce(2), &a, 4, 0);
        dead.remember(nonce(3), &b, 9, 0);
        next.remember(nonce(4), &b, 6, 0);
        dead.replay(&a, 5, &mut next);
        assert_eq!(
            [1, 2, 3, 4].map(|n| next.applied_sequence_id(nonce(n), 1)),
            [Some(5), None, None, Some(6)]
        );
    }

    #[test]
    fn zero_is_no_nonce() {
        assert_eq!(Nonce::of(Some(1), None), None);
        assert_eq!(Nonce::of(Some(1), Some(0)), None);
    }
}
