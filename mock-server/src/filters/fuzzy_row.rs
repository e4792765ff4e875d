//! `FuzzyRowFilter`: rows whose keys match patterns, with a seek to the next row that may match.

use std::cmp::Ordering;

use bytes::Bytes;
use tallrow_wire::proto::{self, BytesBytesPair};

use super::filter::raise_last_byte;
use super::{Filter, Hint, ReturnCode};
use crate::cells::StoredCell;

/// `FuzzyRowFilter`
#[derive(Debug)]
pub(super) struct FuzzyRow {
    keys: Vec<FuzzyKey>,
    reversed: bool,
    /// The next row that may match each key, with the index of the key; none before the first hint.
    next_rows: Option<Vec<(Vec<u8>, usize)>>,
    out: bool,
    /// Whether no further row can match.
    done: bool,
}

/// A pattern of a `FuzzyRowFilter`.
#[derive(Debug)]
struct FuzzyKey {
    /// The bytes of the pattern, with 0 where any byte matches.
    key: Vec<u8>,
    /// Which bytes of the key are fixed.
    fixed: Vec<bool>,
}

/// Returns which bytes of a fuzzy key are fixed.
///
/// In the mask of a user, 0 means fixed and 1 means any. HBase rewrites the mask: -1 means fixed,
/// and 2 means any, or 0 in the older form. A mask of the older form that has only 0 and -1 is
/// therefore read as a rewritten mask.
fn fixed_bytes(mask: &[u8], v2: bool) -> Vec<bool> {
    let any = if v2 { 2 } else { 0 };
    let rewritten = mask.iter().all(|byte| *byte == 0xFF || *byte == any);
    mask.iter().map(|byte| *byte == 0xFF || (*byte == 0 && !rewritten)).collect()
}

impl FuzzyRow {
    pub(super) fn new(sent: proto::FuzzyRowFilter, reversed: bool) -> Self {
        let v2 = sent.is_mask_v2.unwrap_or(false);
        let key = |pair: BytesBytesPair| {
            let fixed = fixed_bytes(&pair.second, v2);
            let bytes = pair.first.iter().zip(&fixed);
            FuzzyKey { key: bytes.map(|(b, fixed)| if *fixed { *b } else { 0 }).collect(), fixed }
        };
        let keys = sent.fuzzy_keys_data.into_iter().map(key).collect();
        Self { keys, reversed, next_rows: None, out: false, done: false }
    }

    fn compare(&self, a: &[u8], b: &[u8]) -> Ordering {
        if self.reversed { b.cmp(a) } else { a.cmp(b) }
    }

    /// The row that comes next in the direction of the scan, of those that may match.
    fn first_next_row(&self) -> Option<(usize, &(Vec<u8>, usize))> {
        let next_rows = self.next_rows.iter().flatten().enumerate();
        next_rows.min_by(|(_, (a, _)), (_, (b, _))| self.compare(a, b))
    }

    /// Adds the next row after `row` that may match a key, if there is one.
    fn find_next_row(&mut self, row: &[u8], index: usize) {
        let next = self.keys.get(index).and_then(|key| key.next_row(row, self.reversed));
        let next_rows = self.next_rows.get_or_insert_default();
        next_rows.extend(next.map(|next| (next, index)));
    }
}

impl FuzzyKey {
    /// Whether a row matches; a shorter row is compared with the start of the key.
    fn matches(&self, row: &[u8]) -> bool {
        self.key.iter().zip(&self.fixed).zip(row).all(|((k, fixed), r)| !fixed || k == r)
    }

    /// Returns the next row after this one that may match (`getNextForFuzzyRule`).
    fn next_row(&self, row: &[u8], reversed: bool) -> Option<Vec<u8>> {
        // Where a real server reads the bytes after a row that is shorter, here are zeros.
        let of_row = |at: usize| row.get(at).copied().unwrap_or(0);
        let is_fixed = |at: usize| self.fixed.get(at).copied().unwrap_or(false);
        let (min, max) = if reversed { (u8::MAX, 0) } else { (0, u8::MAX) };
        let mut next = self.key.clone();
        next.resize(row.len().max(self.key.len()), 0);
        if reversed {
            next.iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = u8::MAX);
        }
        let mut changed = None;
        let mut is_ahead = false;
        for (at, byte) in next.iter_mut().enumerate() {
            if !is_fixed(at) {
                *byte = of_row(at);
                if *byte != max {
                    changed = Some(at);
                }
                continue;
            }
            let order = of_row(at).cmp(&self.key.get(at).copied().unwrap_or(0));
            match if reversed { order.reverse() } else { order } {
                Ordering::Less => is_ahead = true,
                Ordering::Greater => {}
                Ordering::Equal => continue,
            }
            break;
        }
        if !is_ahead {
            let at = changed?;
            for (at_or_after, byte) in next.iter_mut().enumerate().skip(at) {
                if at_or_after == at {
                    *byte = if reversed { byte.wrapping_sub(1) } else { byte.wrapping_add(1) };
                } else if !is_fixed(at_or_after) {
                    *byte = min;
                }
            }
        }
        let last_fixed = (0..next.len()).rev().find(|at| is_fixed(*at));
        next.truncate(last_fixed.max(changed).map_or(0, |last| last + 1));
        if reversed {
            raise_last_byte(&mut next);
        }
        Some(next)
    }
}

impl Filter for FuzzyRow {
    fn reset(&mut self) {
        self.out = false;
    }

    fn filter_all_remaining(&self) -> bool {
        self.done
    }

    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        if self.keys.iter().any(|key| key.matches(cell.row())) {
            return ReturnCode::INCLUDE;
        }
        self.out = true;
        ReturnCode::SEEK_NEXT_USING_HINT
    }

    fn hint(&mut self, cell: &StoredCell) -> Option<Hint> {
        if self.next_rows.is_none() {
            (0..self.keys.len()).for_each(|index| self.find_next_row(cell.row(), index));
        } else {
            while let Some((at, (row, index))) = self.first_next_row()
                && self.compare(cell.row(), row).is_ge()
            {
                let index = *index;
                if let Some(next_rows) = &mut self.next_rows {
                    next_rows.swap_remove(at);
                }
                self.find_next_row(cell.row(), index);
            }
        }
        let next = self.first_next_row().map(|(_, (row, _))| Bytes::copy_from_slice(row));
        self.done |= next.is_none();
        next.map(Hint::Row)
    }

    fn gives_hints(&self) -> bool {
        true
    }

    fn filter_row(&mut self) -> bool {
        self.out
    }
}
