//! The identity of one change of a row, by which the change is recognized after a lost reply.

use std::fmt;

use crate::Timestamp;
use crate::model::show;

/// The identity of one change of a row: the time at which the change began by the writer's clock,
/// and 8 random bytes.
///
/// No two changes have the same identity. So a writer recognizes its change after a lost reply, and
/// deletes the cells that the change wrote without touching cells that other writers write to the
/// same row of an index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ChangeId([u8; Self::LEN]);

impl ChangeId {
    pub(super) const LEN: usize = 16;

    pub(super) fn new() -> Self {
        let id = u128::from(Timestamp::now().as_millis()) << 64 | u128::from(fastrand::u64(..));
        Self(id.to_be_bytes())
    }

    pub(super) fn bytes(&self) -> &[u8; Self::LEN] {
        &self.0
    }

    /// The timestamp of the cells that the change writes to the tables of its indexes.
    pub(super) fn time(self) -> Timestamp {
        let millis = u128::from_be_bytes(self.0) >> 64;
        Timestamp::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
    }

    /// Returns the identity at the start of these bytes, and the remaining bytes.
    pub(super) fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (id, rest) = bytes.split_first_chunk()?;
        Some((Self(*id), rest))
    }
}

impl fmt::Debug for ChangeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&show::bytes(&self.0), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_the_time_at_which_it_was_made() {
        let before = Timestamp::now();
        let id = ChangeId::new();
        assert!(before <= id.time() && id.time() <= Timestamp::now());
        assert_ne!(id, ChangeId::new());
        let bytes = [&id.bytes()[..], b"rest"].concat();
        assert_eq!(ChangeId::split(&bytes), Some((id, &b"rest"[..])));
        assert_eq!(ChangeId::split(&bytes[..15]), None);
    }
}
