//! The tokens of applied mutations, so that a repeated mutation is answered but not applied again.
//!
//! The tokens belong to the rows of the mutations. When a region is split, merged or moved, the
//! tokens go with their rows. When a server dies, they are kept, as the rows are.

use std::collections::{BTreeMap, HashMap};

use bytes::Bytes;

use crate::base::limits::{IDEMPOTENCY_BYTES_PER_REGION, IDEMPOTENCY_WINDOW_MS};

/// About the memory of a token, and of a row, in addition to their own bytes.
const ENTRY_BYTES: usize = 64;

/// How often old tokens are forgotten, in ms.
const SWEEP_MS: u64 = 60_000;

/// The interval, in ms, at which old tokens are forgotten while there is no room for another.
const FULL_SWEEP_MS: u64 = 1_000;

/// The tokens of the mutations of a region's rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdempotencyTokens {
    /// The times at which mutations were applied, by row and token.
    applied: BTreeMap<Bytes, HashMap<Bytes, u64>>,
    bytes: usize,
    last_sweep: u64,
}

impl IdempotencyTokens {
    /// Returns whether a mutation of this row with this token was applied within the window.
    pub(crate) fn is_applied(&self, row: &[u8], token: &[u8], now: u64) -> bool {
        let at = self.applied.get(row).and_then(|tokens| tokens.get(token));
        at.is_some_and(|at| is_remembered(*at, now))
    }

    /// Returns whether another token can be remembered.
    pub(crate) fn has_room(&mut self, now: u64) -> bool {
        let is_full = self.bytes >= IDEMPOTENCY_BYTES_PER_REGION;
        let pause = if is_full { FULL_SWEEP_MS } else { SWEEP_MS };
        if now >= self.last_sweep + pause {
            self.last_sweep = now;
            self.forget_old(now);
        }
        self.bytes < IDEMPOTENCY_BYTES_PER_REGION
    }

    /// Remembers a mutation that was applied.
    pub(crate) fn remember(&mut self, row: &[u8], token: &[u8], now: u64) {
        if !self.applied.contains_key(row) {
            self.bytes += row.len() + ENTRY_BYTES;
            self.applied.insert(Bytes::copy_from_slice(row), HashMap::new());
        }
        let Some(tokens) = self.applied.get_mut(row) else { return };
        if tokens.insert(Bytes::copy_from_slice(token), now).is_none() {
            self.bytes += token.len() + ENTRY_BYTES;
        }
    }

    /// Returns all tokens, with their rows and the times of their mutations.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Bytes, Bytes, u64)> {
        self.applied.iter().flat_map(|(row, tokens)| {
            tokens.iter().map(|(token, at)| (row.clone(), token.clone(), *at))
        })
    }

    fn forget_old(&mut self, now: u64) {
        self.applied.retain(|_, tokens| {
            tokens.retain(|_, at| is_remembered(*at, now));
            !tokens.is_empty()
        });
        self.bytes = self.size();
    }

    fn size(&self) -> usize {
        let of_tokens = |tokens: &HashMap<Bytes, u64>| -> usize {
            tokens.keys().map(|token| token.len() + ENTRY_BYTES).sum()
        };
        self.applied.iter().map(|(row, of)| row.len() + ENTRY_BYTES + of_tokens(of)).sum()
    }

    /// Removes and returns the tokens of the rows from `at` on.
    pub(crate) fn split_off(&mut self, at: &[u8]) -> Self {
        let applied = self.applied.split_off(at);
        let mut upper = Self { applied, bytes: 0, last_sweep: self.last_sweep };
        upper.bytes = upper.size();
        self.bytes = self.size();
        upper
    }

    /// Adds the tokens of other rows.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.applied.append(&mut other.applied);
        self.bytes += other.bytes;
    }
}

fn is_remembered(at: u64, now: u64) -> bool {
    now < at + IDEMPOTENCY_WINDOW_MS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_belongs_to_its_row_until_the_window_has_passed() {
        let mut tokens = IdempotencyTokens::default();
        assert!(tokens.has_room(0));
        tokens.remember(b"r", b"token", 5);
        let applied = |row: &[u8], token: &[u8], now| tokens.is_applied(row, token, now);
        assert!(applied(b"r", b"token", 5 + IDEMPOTENCY_WINDOW_MS - 1));
        assert!(!applied(b"r", b"token", 5 + IDEMPOTENCY_WINDOW_MS));
        assert!(!applied(b"r", b"other", 5) && !applied(b"s", b"token", 5));
    }

    #[test]
    fn old_tokens_are_forgotten_and_their_memory_is_bounded() {
        let mut tokens = IdempotencyTokens::default();
        let large = vec![7; IDEMPOTENCY_BYTES_PER_REGION / 4];
        for first in 0..3 {
            assert!(tokens.has_room(0));
            tokens.remember(b"r", &[&[first][..], &large].concat(), 0);
        }
        tokens.remember(b"s", &large, IDEMPOTENCY_WINDOW_MS / 2);
        assert!(!tokens.has_room(IDEMPOTENCY_WINDOW_MS - 1));
        assert!(tokens.has_room(IDEMPOTENCY_WINDOW_MS + FULL_SWEEP_MS));
        assert_eq!(tokens.applied.keys().collect::<Vec<_>>(), [&b"s"[..]]);
        assert_eq!(tokens.bytes, large.len() + 1 + 2 * ENTRY_BYTES);
    }

    #[test]
    fn tokens_go_with_their_rows() {
        let mut lower = IdempotencyTokens::default();
        for row in [b"a", b"m", b"z"] {
            lower.remember(row, b"token", 0);
        }
        let whole = lower.bytes;
        let upper = lower.split_off(b"m");
        let rows =
            |of: &IdempotencyTokens| [b"a", b"m", b"z"].map(|row| of.is_applied(row, b"token", 1));
        assert_eq!((rows(&lower), rows(&upper)), ([true, false, false], [false, true, true]));
        assert_eq!((lower.bytes * 3, upper.bytes * 3), (whole, whole * 2));
        lower.append(upper);
        assert_eq!((rows(&lower), lower.bytes), ([true; 3], whole));
    }
}
