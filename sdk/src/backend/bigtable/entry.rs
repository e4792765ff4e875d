//! Converts the changes of a batch to entries of `MutateRows` calls.

use std::collections::HashSet;
use std::hash::BuildHasher;
use std::ops::Range;

use bytes::Bytes;
use rustc_hash::FxBuildHasher;

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

/// Separates the first change of each row from later changes of the row, because a `MutateRows`
/// call may make its changes in any order.
pub(super) fn split_off_repeated_rows(entries: Vec<Entry>) -> (Vec<Entry>, Vec<Entry>) {
    // The rows themselves are compared only if two of these hashes, which are fast but may collide,
    // are equal.
    let mut hashes: Vec<u64> =
        entries.iter().map(|entry| FxBuildHasher.hash_one(&*entry.row)).collect();
    hashes.sort_unstable();
    if hashes.is_sorted_by(|a, b| a < b) {
        return (entries, Vec::new());
    }
    let mut rows = HashSet::with_capacity(entries.len());
    entries.into_iter().partition(|entry| rows.insert(entry.row.clone()))
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
