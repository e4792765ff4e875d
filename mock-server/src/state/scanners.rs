//! The open scanners of a server, with their leases.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use tallrow_wire::exception;
use tallrow_wire::proto::Scan;

use crate::base::{RemoteResult, limits, remote_exception};
use crate::regions::{Region, RegionState, ScanCursor};

/// The scanners that are open on one server, by id.
#[derive(Debug)]
pub(crate) struct Scanners {
    open: HashMap<u64, Scanner>,
    closed: HashMap<u64, ClosedScanner>,
    /// The ids of `closed`, oldest first.
    closed_ids: VecDeque<u64>,
    last_id: u64,
    /// The time when leases were last checked, in ms.
    last_check: u64,
    /// The number of matching cells that scanners have read.
    cells_read: u64,
}

/// A closed scanner, which is remembered to recognize a repetition of its last call.
#[derive(Debug)]
struct ClosedScanner {
    next_call_seq: u64,
    until: u64,
}

/// One open scanner.
#[derive(Debug)]
pub(crate) struct Scanner {
    /// The region that the scanner reads.
    pub(crate) region: Arc<Region>,
    /// The user who opened the scanner.
    pub(crate) owner: String,
    /// The read point of the scanner.
    pub(crate) read_point: u64,
    /// The sequence id at which the region was opened. It is a different one after the region was
    /// opened again.
    pub(crate) open_sequence_id: u64,
    /// The maximum size of one response.
    pub(crate) max_bytes: usize,
    /// Whether the heartbeats of the scanner have a cursor.
    pub(crate) wants_cursor: bool,
    /// The sequence number that the next call must have.
    pub(crate) next_call_seq: u64,
    /// The position of the scanner.
    pub(crate) cursor: ScanCursor,
    lease_ms: u64,
    lease_until: u64,
}

impl Scanners {
    /// Makes an empty set of scanners. The id of the first scanner is the number after `last_id`.
    pub(crate) fn new(last_id: u64) -> Self {
        Self {
            open: HashMap::new(),
            closed: HashMap::new(),
            closed_ids: VecDeque::new(),
            last_id,
            last_check: 0,
            cells_read: 0,
        }
    }

    /// Returns an id for a new scanner.
    pub(crate) fn new_id(&mut self) -> u64 {
        self.last_id = self.last_id.wrapping_add(1).max(1);
        self.last_id
    }

    /// Takes a scanner for a call on it; `None` if the scanner is not open or its lease has
    /// expired.
    pub(crate) fn take(&mut self, id: u64, now: u64) -> Option<Scanner> {
        self.expire(now);
        let scanner = self.open.remove(&id)?;
        if scanner.lease_until <= now {
            scanner.release_read_point();
            return None;
        }
        Some(scanner)
    }

    /// Returns a scanner after a call on it and renews its lease.
    pub(crate) fn put_back(&mut self, id: u64, mut scanner: Scanner, now: u64) {
        scanner.lease_until = now + scanner.lease_ms;
        self.open.insert(id, scanner);
    }

    /// Remembers a scanner that was closed, by the client or by the server.
    pub(crate) fn remember_closed(&mut self, id: u64, next_call_seq: u64, now: u64) {
        while let Some(oldest) = self.closed_ids.front()
            && (self.closed_ids.len() >= limits::CLOSED_SCANNERS
                || self.closed_next_call_seq(*oldest, now).is_none())
        {
            self.closed.remove(oldest);
            self.closed_ids.pop_front();
        }
        let until = now + limits::SCANNER_LEASE_MS;
        self.closed.insert(id, ClosedScanner { next_call_seq, until });
        self.closed_ids.push_back(id);
    }

    /// Returns the sequence number that the next call on a closed scanner would have; `None` if the
    /// scanner is not remembered.
    pub(crate) fn closed_next_call_seq(&self, id: u64, now: u64) -> Option<u64> {
        self.closed.get(&id).filter(|c| now < c.until).map(|c| c.next_call_seq)
    }

    /// Returns the region that a scanner reads.
    pub(crate) fn region_of(&self, id: u64) -> Option<&Arc<Region>> {
        self.open.get(&id).map(|s| &s.region)
    }

    /// The number of open scanners with a lease that has not expired.
    pub(crate) fn open_count(&self, now: u64) -> usize {
        self.open.values().filter(|scanner| now < scanner.lease_until).count()
    }

    /// Counts matching cells that a scanner has read.
    pub(crate) fn count_cells(&mut self, cells: u64) {
        self.cells_read += cells;
    }

    /// The number of matching cells that scanners have read.
    pub(crate) fn cells_read(&self) -> u64 {
        self.cells_read
    }

    /// Closes scanners whose lease has expired. Checking once a second is enough, as
    /// [`Scanners::take`] checks the lease of the scanner that it takes.
    fn expire(&mut self, now: u64) {
        if now < self.last_check + 1000 {
            return;
        }
        self.last_check = now;
        for (_, scanner) in self.open.extract_if(|_, s| s.lease_until <= now) {
            scanner.release_read_point();
        }
    }
}

impl Scanner {
    /// Opens a scanner on a region whose state is locked by the caller, for so long without a call.
    pub(crate) fn open(
        region: &Arc<Region>,
        state: &mut RegionState,
        scan: &Scan,
        owner: &str,
        (now, lease_ms): (u64, u64),
    ) -> RemoteResult<Self> {
        let cursor = ScanCursor::new(region, state, scan)?;
        let read_point = match scan.mvcc_read_point.unwrap_or(0) {
            0 => state.store.sequence_id(),
            given => given.min(state.store.sequence_id()),
        };
        state.store.add_read_point(read_point);
        Ok(Self {
            region: Arc::clone(region),
            owner: owner.to_owned(),
            read_point,
            open_sequence_id: state.open_sequence_id,
            max_bytes: scan.max_result_size.filter(|s| *s > 0).map_or(usize::MAX, |s| s as usize),
            wants_cursor: scan.need_cursor_result.unwrap_or(false),
            next_call_seq: 0,
            cursor,
            lease_ms,
            lease_until: now + lease_ms,
        })
    }

    /// Allows the region to drop cells that only this scanner sees.
    pub(crate) fn release_read_point(&self) {
        self.region.lock().store.remove_read_point(self.read_point);
    }

    /// Checks the sequence number of a call and counts the call.
    pub(crate) fn check_call_seq(&mut self, got: Option<u64>) -> RemoteResult<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_scanner_is_forgotten_after_its_lease_or_when_there_are_too_many() {
        let mut scanners = Scanners::new(0);
        scanners.remember_closed(1, 7, 0);
        scanners.remember_closed(2, 8, limits::SCANNER_LEASE_MS - 1);
        assert_eq!(scanners.closed_next_call_seq(1, limits::SCANNER_LEASE_MS - 1), Some(7));
        assert_eq!(scanners.closed_next_call_seq(1, limits::SCANNER_LEASE_MS), None);
        scanners.remember_closed(3, 9, limits::SCANNER_LEASE_MS);
        assert_eq!((scanners.closed.len(), scanners.closed_ids.len()), (2, 2));
        for id in 4..4 + limits::CLOSED_SCANNERS as u64 {
            scanners.remember_closed(id, 1, limits::SCANNER_LEASE_MS);
        }
        let len = limits::CLOSED_SCANNERS;
        assert_eq!((scanners.closed.len(), scanners.closed_ids.len()), (len, len));
        assert_eq!(scanners.closed_next_call_seq(3, limits::SCANNER_LEASE_MS), None);
        assert_eq!(scanners.closed_next_call_seq(4, limits::SCANNER_LEASE_MS), Some(1));
    }
}
