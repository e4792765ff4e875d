//! Scanners: where each stands in its region, who may ask it next, and until when.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use bytes::Bytes;
use tallrow_wire::exception::{self};
use tallrow_wire::proto::Scan;

use crate::cell::{Position, StoredCell};
use crate::limits;
use crate::read::Read;
use crate::region::{Region, RegionState};
use crate::remote_exception::{RemoteResult, remote_exception};

/// The scanners open on one server, by id.
#[derive(Debug)]
pub(crate) struct Scanners {
    open: HashMap<u64, Scanner>,
    closed: HashMap<u64, ClosedScanner>,
    /// The ids of `closed`, oldest first.
    closed_ids: VecDeque<u64>,
    next_id: u64,
    /// When leases were last looked through.
    swept: u64,
}

/// A scanner the server closed by itself; a repetition of its last call is told from a stranger.
#[derive(Debug)]
struct ClosedScanner {
    next_call_seq: u64,
    until: u64,
}

/// One open scanner.
#[derive(Debug)]
pub(crate) struct Scanner {
    /// The region it reads.
    pub(crate) region: Arc<Region>,
    /// The sequence id it reads at.
    pub(crate) read_point: u64,
    /// The sequence id the region was opened with: another one means that it was elsewhere meanwhile.
    pub(crate) opened: u64,
    /// How many bytes one answer may hold.
    pub(crate) max_bytes: usize,
    /// The number the next call must carry.
    pub(crate) next_call_seq: u64,
    /// Where it stands.
    pub(crate) place: Place,
    lease_until: u64,
}

impl Scanners {
    /// No scanners; ids count up from a number of this server's own.
    pub(crate) fn new(first_id: u64) -> Self {
        Self {
            open: HashMap::new(),
            closed: HashMap::new(),
            closed_ids: VecDeque::new(),
            next_id: first_id,
            swept: 0,
        }
    }

    /// An id for a new scanner.
    pub(crate) fn new_id(&mut self) -> u64 {
        self.next_id = self.next_id.wrapping_add(1).max(1);
        self.next_id
    }

    /// Takes a scanner out for a call on it.
    pub(crate) fn take(&mut self, id: u64, now: u64) -> Option<Scanner> {
        self.expire(now);
        let scanner = self.open.remove(&id)?;
        if scanner.lease_until <= now {
            scanner.release();
            return None;
        }
        Some(scanner)
    }

    /// Puts a scanner back after a call on it, with a new lease.
    pub(crate) fn put_back(&mut self, id: u64, mut scanner: Scanner, now: u64) {
        scanner.lease_until = now + limits::SCANNER_LEASE_MS;
        self.open.insert(id, scanner);
    }

    /// Remembers that the server closed a scanner by itself.
    pub(crate) fn remember_closed(&mut self, id: u64, next_call_seq: u64, now: u64) {
        let until = now + limits::SCANNER_LEASE_MS;
        self.closed.insert(id, ClosedScanner { next_call_seq, until });
        self.closed_ids.push_back(id);
        if self.closed_ids.len() > limits::CLOSED_SCANNERS
            && let Some(oldest) = self.closed_ids.pop_front()
        {
            self.closed.remove(&oldest);
        }
    }

    /// The number after the last call of a scanner that the server closed by itself.
    pub(crate) fn closed_seq(&self, id: u64, now: u64) -> Option<u64> {
        self.closed.get(&id).filter(|c| now < c.until).map(|c| c.next_call_seq)
    }

    /// The region a scanner reads, for rules about tables.
    pub(crate) fn region_of(&self, id: u64) -> Option<&Arc<Region>> {
        self.open.get(&id).map(|s| &s.region)
    }

    /// Releases scanners nobody asks any more; a second late is early enough, since each checks its own lease.
    fn expire(&mut self, now: u64) {
        if now < self.swept + 1000 {
            return;
        }
        self.swept = now;
        for (_, scanner) in self.open.extract_if(|_, s| s.lease_until <= now) {
            scanner.release();
        }
    }
}

impl Scanner {
    /// Opens a scanner on a region, whose state the caller holds locked.
    pub(crate) fn open(
        region: &Arc<Region>,
        state: &mut RegionState,
        scan: &Scan,
        now: u64,
    ) -> RemoteResult<Self> {
        let place = Place::start(region, state, scan)?;
        let read_point = match scan.mvcc_read_point.unwrap_or(0) {
            0 => state.store.sequence_id(),
            given => given.min(state.store.sequence_id()),
        };
        state.store.reader_opened(read_point);
        Ok(Self {
            region: Arc::clone(region),
            read_point,
            opened: state.open_sequence,
            max_bytes: scan.max_result_size.filter(|s| *s > 0).map_or(usize::MAX, |s| s as usize),
            next_call_seq: 0,
            place,
            lease_until: now + limits::SCANNER_LEASE_MS,
        })
    }

    /// The region need no longer keep what this scanner sees.
    pub(crate) fn release(&self) {
        self.region.lock().store.reader_closed(self.read_point);
    }

    /// Checks the number of a call and counts it.
    pub(crate) fn count_call(&mut self, got: Option<u64>) -> RemoteResult<()> {
        if let Some(got) = got {
            if got != self.next_call_seq {
                return Err(remote_exception(
                    exception::OUT_OF_ORDER_SCANNER_NEXT,
                    format!(
                        "Expected nextCallSeq: {} But the nextCallSeq got from client: {got}",
                        self.next_call_seq
                    ),
                ));
            }
            self.next_call_seq += 1;
        }
        Ok(())
    }
}

/// Where a scan stands between two rows, or within one.
#[derive(Debug)]
pub(crate) struct Place {
    read: Read,
    reversed: bool,
    /// The next row, or the last one done; empty before the first step of an unbounded scan.
    row: Bytes,
    /// Whether `row` itself is still to be read.
    inclusive: bool,
    /// How many cells of `row` were given out already.
    skip: usize,
    stop: Bytes,
    stop_inclusive: bool,
    batch: Option<usize>,
    done: bool,
}

/// What may end a step of a scan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How many results.
    pub(crate) results: usize,
    /// How many whole rows, over the whole scan; 0 means no limit.
    pub(crate) rows: usize,
    /// How many bytes of heap.
    pub(crate) bytes: usize,
    /// Whether a row may be cut.
    pub(crate) partials: bool,
}

/// One result of a scan: some cells of a row.
#[derive(Debug)]
pub(crate) struct Found<'c> {
    /// The cells.
    pub(crate) cells: Vec<Cow<'c, StoredCell>>,
    /// Whether the row goes on in the next result.
    pub(crate) partial: bool,
}

/// What a step of a scan gave.
#[derive(Debug)]
pub(crate) struct Step<'c> {
    /// The results.
    pub(crate) found: Vec<Found<'c>>,
    /// Whether the region may hold more.
    pub(crate) more_in_region: bool,
    /// Whether the limit of rows was reached.
    pub(crate) limit_reached: bool,
    /// How many rows were looked at, and how many of them had nothing to show.
    pub(crate) rows: (u64, u64),
}

impl Place {
    fn start(region: &Region, state: &RegionState, scan: &Scan) -> RemoteResult<Self> {
        let read = Read::of_scan(scan, &state.schema, &region.shown)?;
        if scan.batch_size.is_some_and(|b| b > 0) && read.judges_rows() {
            let text = "Cannot set batch on a scan using a filter that returns true for filter.hasFilterRow";
            return Err(remote_exception(exception::IO, text));
        }
        let reversed = scan.reversed.unwrap_or(false);
        let start = scan.start_row.clone().unwrap_or_default();
        let stop = scan.stop_row.clone().unwrap_or_default();
        let one_row = !start.is_empty() && start == stop && scan.include_stop_row.is_none();
        let mut place = Self {
            read,
            reversed,
            row: start,
            inclusive: scan.include_start_row.unwrap_or(true),
            skip: 0,
            stop,
            stop_inclusive: scan.include_stop_row.unwrap_or(one_row),
            batch: scan.batch_size.filter(|b| *b > 0).map(|b| b as usize),
            done: false,
        };
        place.clamp(region);
        Ok(place)
    }

    /// A start outside the region means the region's edge on that side.
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

    /// Reads on until a limit or the end of the region.
    pub(crate) fn step<'c>(
        &mut self,
        state: &'c RegionState,
        read_point: u64,
        now: u64,
        limits: Limits,
    ) -> Step<'c> {
        let mut step =
            Step { found: Vec::new(), more_in_region: true, limit_reached: false, rows: (0, 0) };
        let limits = Limits { partials: limits.partials && !self.read.judges_rows(), ..limits };
        let (mut bytes, mut whole_rows) = (0, 0);
        loop {
            let Some(row) = self.next_row(state, read_point) else {
                step.more_in_region = false;
                self.done = true;
                return step;
            };
            let cells = self.read.row(state.store.cells(), row, read_point, now);
            step.rows.0 += 1;
            if cells.is_empty() {
                step.rows.1 += 1;
            }
            if self.row != row {
                self.row = Bytes::copy_from_slice(row);
                self.skip = 0;
            }
            let mut at = self.skip.min(cells.len());
            while at < cells.len() {
                let mut end = at;
                while let Some(cell) = cells.get(end) {
                    if self.batch.is_some_and(|b| end - at >= b)
                        || (limits.partials && bytes >= limits.bytes)
                    {
                        break;
                    }
                    bytes += cell.heap_size();
                    end += 1;
                }
                let (partial, chunk) = (end < cells.len(), end - at);
                step.found.push(Found {
                    cells: cells.get(at..end).unwrap_or_default().to_vec(),
                    partial,
                });
                at = end;
                self.skip = if partial { at } else { 0 };
                self.inclusive = partial;
                if !partial {
                    whole_rows += 1;
                }
                step.limit_reached = limits.rows > 0 && whole_rows >= limits.rows;
                if step.limit_reached || step.found.len() >= limits.results || bytes >= limits.bytes
                {
                    // A server that stops among cells does not look whether the region goes on.
                    let among_cells = partial
                        || (limits.partials && bytes >= limits.bytes)
                        || self.batch == Some(chunk);
                    step.more_in_region = among_cells || self.next_row(state, read_point).is_some();
                    step.more_in_region &= partial || !self.read.filter_done();
                    self.done = !step.more_in_region;
                    return step;
                }
            }
            (self.skip, self.inclusive) = (0, false);
            if self.read.filter_done() {
                self.done = true;
            }
        }
    }

    /// Whether the filter lets nothing more through.
    pub(crate) fn filter_done(&self) -> bool {
        self.read.filter_done()
    }

    /// The next row with any cell that is old enough, within the bounds.
    fn next_row<'c>(&self, state: &'c RegionState, read_point: u64) -> Option<&'c [u8]> {
        if self.done {
            return None;
        }
        let cells = state.store.cells();
        let order = cells.order();
        let counts =
            |c: &StoredCell| c.sequence_id() <= read_point && self.read.wants_family(c.family());
        let row = if self.reversed {
            let found = match (self.row.is_empty(), self.inclusive) {
                (true, _) => cells.last(counts),
                (false, true) => cells.last_before(Position::after_row(order, &self.row), counts),
                (false, false) => cells.last_before(Position::before_row(order, &self.row), counts),
            };
            found?.row()
        } else {
            let from = match self.inclusive {
                true => Position::before_row(order, &self.row),
                false => Position::after_row(order, &self.row),
            };
            cells.cursor(from).find(|c| counts(c))?.row()
        };
        if self.stop.is_empty() {
            return Some(row);
        }
        let mut to_stop = order.compare(row, &self.stop);
        if self.reversed {
            to_stop = to_stop.reverse();
        }
        (to_stop.is_lt() || (self.stop_inclusive && to_stop.is_eq())).then_some(row)
    }
}
