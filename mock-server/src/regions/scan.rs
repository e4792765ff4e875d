//! Scans one region, one batch of results after the other.

use std::borrow::Cow;

use bytes::Bytes;
use tallrow_wire::cell::MAX_ROW_LEN;
use tallrow_wire::exception;
use tallrow_wire::proto::Scan;

use super::query::RowQuery;
use super::region::{Region, RegionState};
use crate::base::{RemoteResult, remote_exception};
use crate::cells::{Position, StoredCell};

/// The position of a scan, between two rows or within one.
#[derive(Debug)]
pub(crate) struct ScanCursor {
    query: RowQuery,
    reversed: bool,
    /// If `inclusive`, the next row to be read; otherwise, the last row that was read. Empty before
    /// the first batch of an unbounded scan.
    row: Bytes,
    /// Whether `row` is still to be read.
    inclusive: bool,
    /// The row at which a forward scan starts, before the first batch. The scan may take it for a
    /// row that exists, or goes on, so that filters and clients notice.
    sought: Option<Bytes>,
    /// The cells of `row` that are still to be returned, if the last batch ended within the row.
    /// They are not read again, because the scanner of a real server keeps its position: a row that
    /// is returned in many parts is read only once.
    rest: std::vec::IntoIter<StoredCell>,
    /// Whether `row` has cells, matching or not, after its last matching cell.
    continues: bool,
    /// Whether the last result was marked as a part of its row, although it was the last part.
    open_row: bool,
    stop: Bytes,
    stop_inclusive: bool,
    batch: Option<usize>,
    done: bool,
}

/// The limits of a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BatchLimits {
    /// The maximum number of results.
    pub(crate) results: usize,
    /// The maximum number of whole rows; 0 for no limit.
    pub(crate) rows: usize,
    /// The heap size of the cells after which the batch ends.
    pub(crate) bytes: usize,
    /// Whether a row may be returned in parts because of its size.
    pub(crate) allow_partials: bool,
    /// The number of rows, matching or not, after which the call ends as if its time were up.
    pub(crate) rows_read: u64,
}

/// One result of a scan: a row or a part of one.
#[derive(Debug)]
pub(crate) struct ScanResult<'c> {
    /// The cells.
    pub(crate) cells: Vec<Cow<'c, StoredCell>>,
    /// Whether the row continues in the next result.
    pub(crate) partial: bool,
}

/// Some results of a scan.
#[derive(Debug)]
pub(crate) struct ScanBatch<'c> {
    /// The results.
    pub(crate) results: Vec<ScanResult<'c>>,
    /// Whether the region may have more results.
    pub(crate) more_in_region: bool,
    /// Whether the limit of rows was reached.
    pub(crate) limit_reached: bool,
    /// The row that was read last, if the call ended because its time was up.
    pub(crate) timed_out_after: Option<Bytes>,
    /// The number of rows that were read.
    pub(crate) rows_scanned: u64,
    /// The number of rows that were read and had no matching cell.
    pub(crate) rows_filtered: u64,
    /// The number of matching cells that were read; a cell of a row that is returned in parts
    /// counts once.
    pub(crate) cells_read: u64,
}

/// The remaining cells of a row: just read, or kept since the last batch ended within the row.
enum RowCells<'c> {
    Read(std::vec::IntoIter<Cow<'c, StoredCell>>),
    Rest(std::vec::IntoIter<StoredCell>),
}

impl<'c> RowCells<'c> {
    fn len(&self) -> usize {
        match self {
            Self::Read(cells) => cells.len(),
            Self::Rest(cells) => cells.len(),
        }
    }

    fn next(&mut self) -> Option<Cow<'c, StoredCell>> {
        match self {
            Self::Read(cells) => cells.next(),
            Self::Rest(cells) => cells.next().map(Cow::Owned),
        }
    }

    fn owned(self) -> std::vec::IntoIter<StoredCell> {
        match self {
            Self::Read(cells) => cells.map(Cow::into_owned).collect::<Vec<_>>().into_iter(),
            Self::Rest(cells) => cells,
        }
    }
}

/// Rejects a start or stop row that is too long for a row key, as `Scan.withStartRow` does.
fn check_bound(name: &str, row: &[u8]) -> RemoteResult<()> {
    if row.len() <= MAX_ROW_LEN {
        return Ok(());
    }
    let text = format!(
        "{name}'s length must be less than or equal to {MAX_ROW_LEN} to meet the criteria for a row \
         key."
    );
    Err(remote_exception(exception::IO, text))
}

impl ScanCursor {
    /// Starts a scan of a region.
    pub(crate) fn new(region: &Region, state: &RegionState, scan: &Scan) -> RemoteResult<Self> {
        let query = RowQuery::of_scan(scan, &state.schema, &region.display_name)?;
        if scan.batch_size.is_some_and(|b| b > 0) && query.has_row_filter() {
            let text = "Cannot set batch on a scan using a filter that returns true for \
                filter.hasFilterRow";
            return Err(remote_exception(exception::IO, text));
        }
        let reversed = scan.reversed.unwrap_or(false);
        let start = scan.start_row.clone().unwrap_or_default();
        let stop = scan.stop_row.clone().unwrap_or_default();
        check_bound("startRow", &start)?;
        check_bound("stopRow", &stop)?;
        let one_row = !start.is_empty() && start == stop && scan.include_stop_row.is_none();
        let inclusive = scan.include_start_row.unwrap_or(true);
        let mut cursor = Self {
            query,
            reversed,
            sought: (inclusive && !reversed).then(|| start.clone()),
            row: start,
            inclusive,
            rest: Vec::new().into_iter(),
            continues: false,
            open_row: false,
            stop,
            stop_inclusive: scan.include_stop_row.unwrap_or(one_row),
            batch: scan.batch_size.filter(|b| *b > 0).map(|b| b as usize),
            done: false,
        };
        cursor.clamp(region);
        Ok(cursor)
    }

    /// Moves a start row outside the region to the edge of the region.
    fn clamp(&mut self, region: &Region) {
        let (first, end) = (region.start_key(), region.end_key());
        if self.reversed {
            if !end.is_empty() && (self.row.is_empty() || &self.row[..] >= end) {
                (self.row, self.inclusive) = (Bytes::copy_from_slice(end), false);
            }
        } else if &self.row[..] < first {
            (self.row, self.inclusive) = (Bytes::copy_from_slice(first), true);
        }
    }

    /// Reads the next results, up to a limit or the end of the region.
    pub(crate) fn next_batch<'c>(
        &mut self,
        state: &'c RegionState,
        read_point: u64,
        now: u64,
        limits: BatchLimits,
    ) -> ScanBatch<'c> {
        let mut batch = ScanBatch {
            results: Vec::new(),
            more_in_region: true,
            limit_reached: false,
            timed_out_after: None,
            rows_scanned: 0,
            rows_filtered: 0,
            cells_read: 0,
        };
        let limits = BatchLimits {
            allow_partials: limits.allow_partials && !self.query.has_row_filter(),
            ..limits
        };
        let (mut bytes, mut whole_rows) = (0, 0);
        let sought = self.sought.take().filter(|row| self.reaches(state, row)).and_then(|row| {
            let last = self.query.last_pretending(|family, times| {
                state.store.pretends_row(family, times, (&row, &self.stop), now)
            });
            last.map(|family| (row, family))
        });
        if let Some((row, _)) = &sought
            && self.next_row(state, read_point) != Some(&row[..])
        {
            self.query.read_row(state.store.cells(), row, read_point, now);
            batch.rows_scanned += 1;
            batch.rows_filtered += 1;
            self.done = self.query.filters_all_remaining();
        }
        loop {
            let mut cells = match self.rest.as_slice().is_empty() {
                false => RowCells::Rest(std::mem::take(&mut self.rest)),
                true => {
                    let Some(row) = self.next_row(state, read_point) else {
                        // At the end of the region, a real server knows that the row before is
                        // whole.
                        if let Some(last) = batch.results.last_mut() {
                            last.partial = false;
                        }
                        batch.more_in_region = false;
                        self.done = true;
                        return batch;
                    };
                    let cells = self.query.read_row(state.store.cells(), row, read_point, now);
                    batch.rows_scanned += 1;
                    batch.cells_read += cells.len() as u64;
                    if cells.is_empty() {
                        batch.rows_filtered += 1;
                    }
                    let pretends = |(sought, family): &(Bytes, Bytes)| {
                        sought == row && cells.last().is_some_and(|c| c.family() < &family[..])
                    };
                    self.continues =
                        self.query.row_continues() || sought.as_ref().is_some_and(pretends);
                    if self.row != row {
                        self.row = Bytes::copy_from_slice(row);
                    }
                    if !cells.is_empty() && std::mem::take(&mut self.open_row) {
                        // Only now does a real server know that the row before was whole.
                        whole_rows += 1;
                        if limits.rows > 0 && whole_rows >= limits.rows {
                            self.inclusive = false;
                            batch.limit_reached = true;
                            batch.more_in_region = self.next_row(state, read_point).is_some();
                            self.done = true;
                            return batch;
                        }
                    }
                    RowCells::Read(cells.into_iter())
                }
            };
            while cells.len() > 0 {
                let mut part = Vec::new();
                while self.batch.is_none_or(|b| part.len() < b)
                    && !(limits.allow_partials && bytes >= limits.bytes)
                    && let Some(cell) = cells.next()
                {
                    bytes += cell.heap_size();
                    part.push(cell);
                }
                let (rest, len) = (cells.len() > 0, part.len());
                let stopped =
                    self.batch == Some(len) || (limits.allow_partials && bytes >= limits.bytes);
                // A real server that stops within a row does not check whether a later cell
                // matches.
                let partial = rest || (stopped && self.continues);
                batch.results.push(ScanResult { cells: part, partial });
                self.inclusive = rest;
                self.open_row = partial && !rest;
                if !partial {
                    whole_rows += 1;
                }
                batch.limit_reached = limits.rows > 0 && whole_rows >= limits.rows;
                if batch.limit_reached
                    || batch.results.len() >= limits.results
                    || bytes >= limits.bytes
                {
                    self.rest = cells.owned();
                    // A real server that stops within a row does not check whether the region has
                    // more rows.
                    batch.more_in_region =
                        partial || stopped || self.next_row(state, read_point).is_some();
                    batch.more_in_region &= partial || !self.query.filters_all_remaining();
                    self.done = !batch.more_in_region;
                    return batch;
                }
            }
            self.inclusive = false;
            if self.query.filters_all_remaining() {
                self.done = true;
            }
            if batch.rows_scanned >= limits.rows_read && self.next_row(state, read_point).is_some()
            {
                batch.timed_out_after = Some(self.row.clone());
                return batch;
            }
        }
    }

    /// Whether the filter excludes every further row.
    pub(crate) fn filters_all_remaining(&self) -> bool {
        self.query.filters_all_remaining()
    }

    /// Returns the next row within the bounds that has a cell at the read point.
    fn next_row<'c>(&self, state: &'c RegionState, read_point: u64) -> Option<&'c [u8]> {
        if self.done {
            return None;
        }
        let cells = state.store.cells();
        let order = cells.order();
        let visible =
            |c: &StoredCell| c.sequence_id() <= read_point && self.query.is_row_read_for(c);
        let row = if self.reversed {
            let found = match (self.row.is_empty(), self.inclusive) {
                (true, _) => cells.last(visible),
                (false, true) => cells.last_before(Position::after_row(order, &self.row), visible),
                (false, false) => {
                    cells.last_before(Position::before_row(order, &self.row), visible)
                }
            };
            found?.row()
        } else {
            let from = match self.inclusive {
                true => Position::before_row(order, &self.row),
                false => Position::after_row(order, &self.row),
            };
            cells.cursor(from).find(|c| visible(c))?.row()
        };
        self.reaches(state, row).then_some(row)
    }

    /// Whether a row is before the end of the scan.
    fn reaches(&self, state: &RegionState, row: &[u8]) -> bool {
        if self.stop.is_empty() {
            return true;
        }
        let mut to_stop = state.store.cells().order().compare(row, &self.stop);
        if self.reversed {
            to_stop = to_stop.reverse();
        }
        to_stop.is_lt() || (self.stop_inclusive && to_stop.is_eq())
    }
}
