//! Converts the changes of a batch to entries of `MutateRows` calls.

use std::collections::{HashSet, VecDeque};
use std::hash::BuildHasher;
use std::ops::Range;

use bytes::Bytes;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::codec::{self, ToFrame};
use super::failure::Failure;
use super::lower::{Call, LoweredOperation, MAX_MUTATIONS};
use super::replay_token::token_of;
use super::retry::RetryState;
use crate::Result;
use crate::backend::attempts::Attempts;

/// The maximum size in bytes of the entries of one call. A single entry that is larger is sent in a
/// call of its own.
const CALL_BYTES: usize = 2 << 20;

/// A change of a batch that has no outcome yet.
pub(super) struct Entry {
    /// The position of the change in the batch.
    pub(super) position: usize,
    pub(super) name: &'static str,
    pub(super) row: Bytes,
    /// The range of bytes of this entry in the encoded entries of the batch. The entry is encoded
    /// as a field of a request.
    pub(super) field: Range<usize>,
    mutations: usize,
    pub(super) retry: RetryState,
    /// The attempts of this entry; `None` until an attempt has failed.
    pub(super) attempts: Option<Box<Attempts>>,
}

impl Entry {
    /// Converts an operation to an entry of a `MutateRows` call, and appends the encoded entry to
    /// `encoded`. Returns the operation as the error if it cannot be sent in such a call.
    pub(super) fn new(
        at: usize,
        lowered: LoweredOperation,
        encoded: &mut Vec<u8>,
    ) -> Result<Self, Box<LoweredOperation>> {
        match lowered {
            LoweredOperation { call: Call::Mutate(mutations), needs_timestamp: false, .. } => {
                let start = encoded.len();
                let token = token_of(lowered.idempotency);
                mutations.put_entry(&lowered.row, token.as_ref(), encoded);
                Ok(Self {
                    position: at,
                    name: lowered.name,
                    row: lowered.row,
                    field: start..encoded.len(),
                    mutations: mutations.len(),
                    retry: RetryState::new(lowered.idempotency),
                    attempts: None,
                })
            }
            lowered => Err(Box::new(lowered)),
        }
    }
}

/// Changes that wait until an earlier change of their row has an outcome, because a `MutateRows`
/// call may make its changes in any order.
#[derive(Default)]
pub(super) struct LaterChanges(FxHashMap<Bytes, VecDeque<Entry>>);

impl LaterChanges {
    /// Separates the first change of each row, which can be sent now, from later changes of the
    /// row.
    pub(super) fn split_off(entries: Vec<Entry>) -> (Vec<Entry>, Self) {
        // The rows themselves are compared only if two of these hashes, which are fast but may
        // collide, are equal.
        let mut hashes: Vec<u64> =
            entries.iter().map(|entry| FxBuildHasher.hash_one(&*entry.row)).collect();
        hashes.sort_unstable();
        if hashes.is_sorted_by(|a, b| a < b) {
            return (entries, Self::default());
        }
        let mut rows = HashSet::with_capacity(entries.len());
        let (first, later): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|entry| rows.insert(entry.row.clone()));
        let mut waiting: FxHashMap<Bytes, VecDeque<Entry>> = FxHashMap::default();
        for entry in later {
            waiting.entry(entry.row.clone()).or_default().push_back(entry);
        }
        (first, Self(waiting))
    }

    /// Whether no changes wait.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes the next change of a row.
    pub(super) fn next_of(&mut self, row: &Bytes) -> Option<Entry> {
        let waiting = self.0.get_mut(row)?;
        let next = waiting.pop_front();
        if waiting.is_empty() {
            self.0.remove(row);
        }
        next
    }
}

/// Divides entries into the calls in which they are sent.
pub(super) fn group_into_calls(mut entries: Vec<Entry>) -> Vec<Vec<Entry>> {
    let (mut bytes, mut mutations) = (0, 0);
    let mut starts = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        bytes += entry.field.len();
        mutations += entry.mutations;
        if at > 0 && (bytes > CALL_BYTES || mutations > MAX_MUTATIONS) {
            starts.push(at);
            (bytes, mutations) = (entry.field.len(), entry.mutations);
        }
    }
    let mut calls: Vec<_> = starts.into_iter().rev().map(|at| entries.split_off(at)).collect();
    calls.push(entries);
    calls.reverse();
    calls
}

/// The request of one `MutateRows` call.
pub(super) struct MutateRowsFrame<'a> {
    /// The encoded fields of the request other than its entries.
    pub(super) target: &'a [u8],
    pub(super) entries: &'a [Entry],
    /// The encoded entries of the batch.
    pub(super) encoded: &'a [u8],
}

impl ToFrame for MutateRowsFrame<'_> {
    fn to_frame(&self) -> Result<Bytes, Failure> {
        let entries = self.entries.iter().filter_map(|e| self.encoded.get(e.field.clone()));
        codec::frame_of_fields(std::iter::once(self.target).chain(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::repeat::Idempotency;

    fn entry(position: usize, row: &Bytes) -> Entry {
        Entry {
            position,
            name: "put",
            row: row.clone(),
            field: 0..0,
            mutations: 1,
            retry: RetryState::new(Idempotency::Write),
            attempts: None,
        }
    }

    /// Each change of a row is sent after the one before. If all changes that wait were looked at
    /// each time, this would take minutes.
    #[test]
    fn many_changes_of_a_row_are_taken_one_by_one() {
        const CHANGES: usize = 100_000;
        let rows = ["a", "b", "c"].map(Bytes::from);
        let row = |at: usize| if at < 10 { &rows[2] } else { &rows[at % 2] };
        let entries = (0..CHANGES).map(|at| entry(at, row(at))).collect();
        let (now, mut later) = LaterChanges::split_off(entries);
        let positions: Vec<_> = now.iter().map(|entry| entry.position).collect();
        assert_eq!(positions, [0, 10, 11]);
        for (row, expected) in [
            (&rows[2], (1..10).collect::<Vec<_>>()),
            (&rows[0], (12..CHANGES).step_by(2).collect()),
            (&rows[1], (13..CHANGES).step_by(2).collect()),
        ] {
            assert!(!later.is_empty());
            let found: Vec<_> =
                std::iter::from_fn(|| later.next_of(row)).map(|entry| entry.position).collect();
            assert!(found == expected, "{row:?}");
        }
        assert!(later.is_empty());
        let (now, later) = LaterChanges::split_off(vec![entry(0, &rows[0]), entry(1, &rows[1])]);
        assert!(now.len() == 2 && later.is_empty());
    }
}
