//! A store file of a family, as far as clients notice it: which writes it has, and what a scan
//! knows of it before it reads it.

use std::ops::Range;

use bytes::Bytes;
use tallrow_wire::cell::CellType;

use crate::cells::StoredCell;

/// A store file of a family.
#[derive(Clone, Debug)]
pub(super) struct StoreFile {
    /// The sequence id of the newest write that the file may have. The writes up to the end of the
    /// file before are in that file.
    pub(super) end: u64,
    /// What the file contains; `None` if it has no cells.
    content: Option<Content>,
}

/// What a real server notes at the end of a store file.
#[derive(Clone, Debug)]
struct Content {
    first_row: Bytes,
    last_row: Bytes,
    oldest: u64,
    newest: u64,
    /// The timestamp of the oldest put; the greatest number if there is none.
    oldest_put: u64,
}

impl Content {
    fn new(cell: &StoredCell) -> Self {
        let row = Bytes::copy_from_slice(cell.row());
        let (oldest, newest) = (cell.timestamp(), cell.timestamp());
        Self { first_row: row.clone(), last_row: row, oldest, newest, oldest_put: u64::MAX }
    }

    /// Adds a cell that is in order.
    fn add(&mut self, cell: &StoredCell) {
        if self.last_row != cell.row() {
            self.last_row = Bytes::copy_from_slice(cell.row());
        }
        self.newest = self.newest.max(cell.timestamp());
        // A marker of a column or a family also deletes all older cells.
        let deletes_older = matches!(cell.kind(), CellType::DeleteColumn | CellType::DeleteFamily);
        self.oldest = self.oldest.min(if deletes_older { 0 } else { cell.timestamp() });
        if !cell.is_delete() {
            self.oldest_put = self.oldest_put.min(cell.timestamp());
        }
    }

    fn is_read(&self, times: &Range<u64>, oldest_kept: u64, (start, stop): (&[u8], &[u8])) -> bool {
        self.oldest < times.end
            && self.newest >= times.start.max(oldest_kept)
            && &self.last_row[..] >= start
            && (stop.is_empty() || &self.first_row[..] <= stop)
    }
}

impl StoreFile {
    /// Makes the record of a file that ends with a write, before its content is measured.
    pub(super) fn new(end: u64) -> Self {
        Self { end, content: None }
    }

    /// Measures the file, which has these cells, in order.
    pub(super) fn measure<'c>(&mut self, cells: impl Iterator<Item = &'c StoredCell>) {
        self.content = None;
        for cell in cells {
            self.content.get_or_insert_with(|| Content::new(cell)).add(cell);
        }
    }

    /// The timestamp of the oldest put, if the file has cells; the greatest number if none is a
    /// put.
    pub(super) fn oldest_put(&self) -> Option<u64> {
        self.content.as_ref().map(|content| content.oldest_put)
    }

    /// Whether a scan of these times, from a row to another, opens the file.
    pub(super) fn is_read(
        &self,
        times: &Range<u64>,
        oldest_kept: u64,
        bounds: (&[u8], &[u8]),
    ) -> bool {
        self.content.as_ref().is_some_and(|content| content.is_read(times, oldest_kept, bounds))
    }
}
