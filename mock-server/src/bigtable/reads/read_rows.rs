//! ReadRows, whose rows are read only as fast as the client takes them.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;
use fastrand::Rng;
use tallrow_wire::bigtable::{ReadRowsRequest, ReadRowsResponse, Status};

use super::read_stats::ReadStats;
use super::row_set::{self, KeyRange, successor};
use super::row_writer::{RowWriter, row_bytes, write_torn, write_whole};
use crate::bigtable::call::{GrpcCall, ReplyMessages, Stream, frame};
use crate::bigtable::filter::{self, CellFilter, FilterRun, FilteredCell};
use crate::bigtable::limits;
use crate::bigtable::open_table::OpenTable;
use crate::bigtable::status::{StatusCode, StatusResult, invalid};
use crate::bigtable::views::ViewSubset;
use crate::regions::{Region, RegionState, RowReader};
use crate::state::Cluster;

/// The client is told how far the read has progressed if the filter returns no cells for this
/// number of rows in succession.
const SCANNED_ROWS: usize = 1000;

/// Answers a ReadRows.
pub(crate) fn read_rows(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: ReadRowsRequest = call.decode()?;
    check_request_size(call.message.len())?;
    let table = OpenTable::of_request(
        call.cluster,
        &request.table_name,
        &request.authorized_view_name,
        &request.materialized_view_name,
    )?;
    let limit = u64::try_from(request.rows_limit).map_err(|_| {
        invalid(format!(
            "Error in field 'rows_limit' : The limit must not be negative, but got {}",
            request.rows_limit
        ))
    })?;
    let mut ranges = row_set::ranges(request.rows.as_ref())?;
    if let Some(view) = table.view() {
        ranges = row_set::intersection(&ranges, &row_set::of_prefixes(view.row_prefixes()));
    }
    let stream = RowStream {
        ranges,
        filter: request.filter.as_ref().map(filter::decode).transpose()?.map(Arc::new),
        reversed: request.reversed,
        left: if limit == 0 { u64::MAX } else { limit },
        tells_progress: (call.features)().last_scanned_row_responses,
        table: Arc::new(table),
        writer: RowWriter::new(),
        torn: call.cluster.torn_reply_rng(),
        needs_whole_rows: call.needs_whole_rows,
        stats: ReadStats::for_request(&request),
        failed: None,
    };
    Ok(ReplyMessages::stream(stream))
}

/// The rows that a read still has to send.
#[derive(Debug)]
struct RowStream {
    table: Arc<OpenTable>,
    ranges: VecDeque<KeyRange>,
    filter: Option<Arc<CellFilter>>,
    reversed: bool,
    /// How many more rows may be sent.
    left: u64,
    /// Whether the client wants to know how far the read has progressed.
    tells_progress: bool,
    writer: RowWriter,
    /// The random numbers that decide how rows are torn, if they are.
    torn: Option<Rng>,
    /// Whether each row is sent in one message, of whatever size.
    needs_whole_rows: bool,
    stats: Option<ReadStats>,
    failed: Option<Status>,
}

impl Stream for RowStream {
    fn next(&mut self, cluster: &Cluster) -> StatusResult<Option<Bytes>> {
        loop {
            if let Some(message) = self.writer.pop_message() {
                return Ok(Some(message));
            }
            if let Some(failed) = self.failed.take() {
                return Err(failed);
            }
            let Some(range) = self.take_range().filter(|_| self.left > 0) else {
                self.ranges.clear();
                match self.stats.take() {
                    Some(stats) => self.writer.push_message(stats.frame()),
                    None => self.writer.flush(),
                }
                return Ok(self.writer.pop_message());
            };
            if let Err(status) = self.read(cluster, range) {
                // Rows that were read before are sent first.
                self.writer.flush();
                self.failed = Some(status);
            }
        }
    }
}

impl RowStream {
    /// Reads rows of a range, and of the ranges after it in the same region. What is left of the
    /// last range is put back.
    fn read(&mut self, cluster: &Cluster, range: KeyRange) -> StatusResult<()> {
        let reversed = self.reversed;
        let table = Arc::clone(&self.table);
        let lookup = |table: &OpenTable| match reversed {
            false => table.region(cluster, &range.start),
            true => table.last_region_starting_before(cluster, range.end.as_deref()),
        };
        let now = cluster.clock.now();
        let scanned = table.with_locked_region(lookup, |region, state| {
            self.read_region(region, state, &range, now)
        })?;
        if let Some(last_scanned_row_key) = scanned.filter(|_| self.tells_progress) {
            let progress = ReadRowsResponse { last_scanned_row_key, ..Default::default() };
            self.writer.push_message(frame(&progress));
        }
        Ok(())
    }

    /// Reads rows of one region until a message is complete, or until the filter has returned no
    /// cells for many rows; in that case, returns the last row.
    fn read_region(
        &mut self,
        region: &Region,
        state: &RegionState,
        range: &KeyRange,
        now: u64,
    ) -> StatusResult<Option<Bytes>> {
        let (filter, reversed) = (self.filter.clone(), self.reversed);
        let view: Option<Arc<ViewSubset>> = self.table.view().cloned();
        let mut reader = RowReader::new(state, now);
        let (mut stored, mut cells) = (Vec::new(), Vec::new());
        let mut range = range.clone();
        loop {
            match reversed {
                false => reader.seek(&range.start),
                true => reader.seek_before(range.end.as_deref()),
            }
            let end = range.end.as_ref().map(|end| reader.position_before(end));
            let inside = |row: &&[u8]| !reversed || *row >= &range.start[..];
            let mut blocked = 0;
            while let Some(row) = reader.current_row_before(end.as_ref()).filter(inside) {
                reader.read_current_row(&mut stored);
                if let Some(view) = &view {
                    stored.retain(|cell| view.has_column(cell.family(), cell.qualifier()));
                }
                cells.clear();
                cells.extend(stored.iter().copied().map(FilteredCell::of));
                if let Some(filter) = &filter {
                    FilterRun::apply_to_row(filter, row, &mut cells);
                }
                if let Some(stats) = &mut self.stats {
                    stats.count_row(stored.len(), cells.len());
                }
                match cells.is_empty() {
                    true => blocked += 1,
                    false => {
                        self.write(row, &cells)?;
                        (self.left, blocked) = (self.left - 1, 0);
                    }
                }
                if self.left == 0 {
                    return Ok(None);
                }
                if self.writer.has_message() || blocked >= SCANNED_ROWS {
                    self.put_back(range.after(row, reversed));
                    return Ok((blocked >= SCANNED_ROWS).then(|| Bytes::copy_from_slice(row)));
                }
                if reversed {
                    reader.seek_before(Some(row));
                }
            }
            if let Some(rest) = range.outside(region, reversed) {
                self.put_back(rest);
                return Ok(None);
            }
            match self.take_range_in(region) {
                Some(next) => range = next,
                None => return Ok(None),
            }
        }
    }

    /// Writes a row.
    fn write(&mut self, row: &[u8], cells: &[FilteredCell<'_>]) -> StatusResult<()> {
        let bytes = row_bytes(row, cells);
        if bytes > limits::ROW_BYTES {
            return Err(too_large(row, bytes));
        }
        match &mut self.torn {
            None => write_whole(&mut self.writer, row, cells, bytes, self.needs_whole_rows),
            Some(random) => write_torn(&mut self.writer, random, row, cells),
        }
        Ok(())
    }

    /// Takes the range that is to be read next.
    fn take_range(&mut self) -> Option<KeyRange> {
        if self.reversed { self.ranges.pop_back() } else { self.ranges.pop_front() }
    }

    /// Takes the next range to be read if its read starts in `region`; otherwise, takes nothing and
    /// returns `None`.
    fn take_range_in(&mut self, region: &Region) -> Option<KeyRange> {
        let next = if self.reversed { self.ranges.back() } else { self.ranges.front() };
        next.filter(|next| next.starts_in(region, self.reversed))?;
        self.take_range()
    }

    fn put_back(&mut self, range: KeyRange) {
        match self.reversed {
            false => self.ranges.push_front(range),
            true => self.ranges.push_back(range),
        }
    }
}

impl KeyRange {
    /// Returns whether a read of the range starts in a region.
    fn starts_in(&self, region: &Region, reversed: bool) -> bool {
        match reversed {
            false => region.contains(&self.start),
            true => self.end.as_ref().is_some_and(|end| {
                let last = region.end_key();
                region.start_key() < &end[..] && (last.is_empty() || &end[..] <= last)
            }),
        }
    }

    /// Returns the rest of the range after a row.
    fn after(&self, row: &[u8], reversed: bool) -> Self {
        match reversed {
            false => Self { start: successor(row), end: self.end.clone() },
            true => Self { start: self.start.clone(), end: Some(Bytes::copy_from_slice(row)) },
        }
    }

    /// Returns the rest of the range after a region, if any.
    fn outside(&self, region: &Region, reversed: bool) -> Option<Self> {
        let key = match reversed {
            false => region.end_key(),
            true => region.start_key(),
        };
        let inside = !key.is_empty() && key > &self.start[..];
        let inside = inside && self.end.as_ref().is_none_or(|end| key < &end[..]);
        let key = inside.then(|| Bytes::copy_from_slice(key))?;
        Some(match reversed {
            false => Self { start: key, end: self.end.clone() },
            true => Self { start: self.start.clone(), end: Some(key) },
        })
    }
}

/// Returns an error for a request with more bytes than the service takes.
fn check_request_size(bytes: usize) -> StatusResult<()> {
    match bytes {
        ..=limits::READ_REQUEST_BYTES => Ok(()),
        _ => Err(invalid(format!(
            "The request has {bytes} bytes, which exceeds the limit of {} bytes. Divide its row \
             keys and ranges over several requests",
            limits::READ_REQUEST_BYTES
        ))),
    }
}

fn too_large(row: &[u8], bytes: usize) -> Status {
    StatusCode::FailedPrecondition.status(format!(
        "Row too large to read: row \"{}\" has {bytes} bytes, which exceeds the limit of {} bytes. \
         Read it in parts, with a filter",
        row.escape_ascii(),
        limits::ROW_BYTES
    ))
}
