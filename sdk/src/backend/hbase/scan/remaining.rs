//! The rows that a scan has still to return.
//!
//! # Invariants
//!
//! - A scan returns every row once, in order: it continues after the last whole row or cell, and
//!   the order is checked. Tests: `tests/suites/client/moves.rs::a_scan_continues_through_a_split`,
//!   `tests/suites/faults/scans.rs::a_scan_survives_a_broken_connection`,
//!   `tests/suites/faults/scans.rs::a_scanner_that_is_lost_within_a_row_continues_within_it`.

use bytes::Bytes;

use crate::TableName;
use crate::backend::hbase::expected_cells::not_asked_for;
use crate::backend::hbase::location::Location;
use crate::backend::hbase::region::LookupTarget;
use crate::backend::hbase::table_name;
use crate::key::RowRange;
use crate::wire::cell::MAX_ROW_LEN;
use crate::wire::{WireError, region};

/// The rows that a scan has still to return: from `start` up to, not including, `stop`, which is
/// `None` for the end of the table.
pub(super) struct RemainingRows {
    start: Bytes,
    stop: Option<Bytes>,
    reversed: bool,
    /// Whether these are rows of `hbase:meta`, whose row keys are not in the order of their bytes.
    in_meta: bool,
    /// The maximum number of rows.
    limit: Option<u64>,
    /// The key of the last row, followed by a zero byte: this is the first key after the key of
    /// that row. Empty if there was no row yet. The memory is reused for all rows.
    after_last: Vec<u8>,
    /// Whether the remaining rows begin after the last row instead of at `start`. In a reversed
    /// scan: whether they end before the last row instead of at `stop`.
    is_after_last: bool,
    /// Whether no rows remain, because the scan is at the end of its range.
    ended: bool,
}

/// The bounds of a scan as a server expects them: a reversed scan starts at the upper end.
pub(super) struct Bounds {
    pub(super) start: Bytes,
    pub(super) include_start: bool,
    pub(super) stop: Bytes,
    pub(super) include_stop: bool,
}

impl RemainingRows {
    pub(super) fn new(
        table: &TableName,
        range: &RowRange,
        reversed: bool,
        limit: Option<u64>,
    ) -> Self {
        let copy = Bytes::copy_from_slice;
        Self {
            start: copy(range.start()),
            stop: range.stop().map(copy),
            reversed,
            in_meta: table_name::is_meta(table),
            limit,
            after_last: Vec::new(),
            is_after_last: false,
            ended: range.is_empty(),
        }
    }

    pub(super) fn limit(&self) -> Option<u64> {
        self.limit
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ended || self.limit == Some(0)
    }

    /// Notes that the server reported the end of the scan.
    pub(super) fn mark_ended(&mut self) {
        self.ended = true;
    }

    fn last_row(&self) -> Option<&[u8]> {
        self.after_last.split_last().map(|(_, row)| row)
    }

    fn start(&self) -> &[u8] {
        if self.is_after_last && !self.reversed { &self.after_last } else { &self.start }
    }

    fn stop(&self) -> Option<&[u8]> {
        match self.is_after_last && self.reversed {
            true => self.last_row(),
            false => self.stop.as_deref(),
        }
    }

    /// The lookup of the region with the next row. If a row was read only in part, `incomplete_row`
    /// is its key.
    pub(super) fn next_lookup<'a>(&'a self, incomplete_row: Option<&'a Bytes>) -> LookupTarget<'a> {
        match (incomplete_row, self.reversed, self.stop()) {
            (Some(row), _, _) => LookupTarget::Containing(row),
            (None, false, _) => LookupTarget::Containing(self.start()),
            (None, true, Some(stop)) => LookupTarget::Preceding(stop),
            (None, true, None) => LookupTarget::Preceding(b""),
        }
    }

    /// The bounds of a scanner that is opened now. If a row was read only in part, `incomplete_row`
    /// is its key, and the scanner starts at this row.
    pub(super) fn bounds(&self, incomplete_row: Option<&Bytes>) -> Bounds {
        let upper = self.stop().unwrap_or_default();
        // An empty upper bound is the end of the table, at which a reversed scan starts.
        let (lower, upper) =
            (bound(self.start(), true), bound(upper, self.reversed && upper.is_empty()));
        let ((start, include_start), (stop, include_stop)) = match self.reversed {
            false => (lower, upper),
            true => (upper, lower),
        };
        match incomplete_row {
            Some(row) => Bounds { start: row.clone(), include_start: true, stop, include_stop },
            None => Bounds { start, include_start, stop, include_stop },
        }
    }

    /// Whether a row key is before another one in the order of the table.
    #[inline]
    fn precedes(&self, one: &[u8], other: &[u8]) -> bool {
        match self.in_meta {
            false => one < other,
            true => region::meta_order(one, other).is_lt(),
        }
    }

    /// Notes that a row is complete; fails if the row is out of order, outside of the range, or
    /// beyond the limit.
    pub(super) fn record_row(&mut self, row: &[u8]) -> Result<(), WireError> {
        let in_order = self.last_row().is_none_or(|last| match self.reversed {
            false => self.precedes(last, row),
            true => self.precedes(row, last),
        });
        if !in_order {
            let text =
                format!("row {} came twice or out of order", crate::model::show::row_key(row));
            return Err(WireError::new("scan answer", text));
        }
        if !self.is_in_range(row) {
            return Err(not_asked_for(format!("row {}", crate::model::show::row_key(row))));
        }
        if let Some(limit) = &mut self.limit {
            let Some(left) = limit.checked_sub(1) else {
                return Err(not_asked_for("more rows than the limit".into()));
            };
            *limit = left;
        }
        self.after_last.clear();
        self.after_last.extend_from_slice(row);
        self.after_last.push(0);
        self.is_after_last = true;
        Ok(())
    }

    /// Whether a row that is in order is in the range.
    fn is_in_range(&self, row: &[u8]) -> bool {
        // A row that follows another row of the same region cannot be beyond the end of the range
        // at which the scan started.
        let follows = self.is_after_last && !self.in_meta;
        // If the end of a range is not the key of a row of `hbase:meta`, versions of HBase differ
        // in where they sort it among these rows. So a row is outside of the range only if it is
        // outside in both orders.
        let is_before = |end: &Bytes| row < &**end && self.precedes(row, end);
        let is_behind = |end: &Bytes| row >= &**end && !self.precedes(row, end);
        let is_outside = match self.reversed {
            false => {
                self.stop.as_ref().is_some_and(is_behind) || (!follows && is_before(&self.start))
            }
            true => {
                is_before(&self.start) || (!follows && self.stop.as_ref().is_some_and(is_behind))
            }
        };
        !is_outside
    }

    /// Notes that the rows of `region` were read: the remaining rows begin where the region ends,
    /// or in a reversed scan end where the region starts.
    pub(super) fn finish_region(&mut self, region: &Location) {
        self.is_after_last = false;
        self.ended = match self.reversed {
            false => {
                let end = region.end_key_bytes();
                let last = end.is_empty() || self.stop.as_ref().is_some_and(|stop| *stop <= end);
                self.start = end;
                last
            }
            true => {
                let start = region.start_key_bytes();
                let last = start.is_empty() || start <= self.start;
                self.stop = Some(start);
                last
            }
        };
    }
}

/// Returns an end of a range as a server accepts it, and whether the row with that key is included.
/// An end that is longer than the longest row key is cut to that length: no row key is between the
/// cut end and the original end.
fn bound(end: &[u8], included: bool) -> (Bytes, bool) {
    match end.split_at_checked(MAX_ROW_LEN) {
        Some((key, [_, ..])) => (Bytes::copy_from_slice(key), !included),
        _ => (Bytes::copy_from_slice(end), included),
    }
}
