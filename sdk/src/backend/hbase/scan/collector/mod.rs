//! Puts rows, or parts of rows, together from the parts that servers send.

use bytes::Bytes;

use super::reply::Part;
use crate::model::cell::Cell;
use crate::request::scan::RowParts;

/// A collector that puts rows together from the parts that servers send. Each cell is moved only
/// once, however many parts its row has.
pub(super) struct Collector {
    wanted: RowParts,
    /// The parts of the incomplete row that were not passed on yet.
    held: Vec<Vec<Cell>>,
    held_cells: usize,
    /// The row key of the incomplete row, and the last cell that was received of the row.
    last: Option<(Bytes, Cell)>,
    /// Whether the server sends the cells of the incomplete row up to its last cell again, because
    /// the scanner was opened again within the row.
    sent_again: bool,
    /// Whether any cell of the incomplete row was sent since the scanner was lost, which shows that
    /// the row still exists.
    returned: bool,
}

/// Cells of a row that are passed on, and whether they complete the row.
#[derive(Debug, PartialEq)]
pub(super) enum Collected {
    /// Some cells of a row; more cells of the row may follow.
    Part(Vec<Cell>),
    /// All cells of a row, at least one.
    Whole(Vec<Cell>),
    /// The row key, and the cells that complete the row; no cells if all cells of the row were
    /// passed on already.
    Last(Bytes, Vec<Cell>),
}

impl Collector {
    pub(super) fn new(wanted: RowParts) -> Self {
        Self {
            wanted,
            held: Vec::new(),
            held_cells: 0,
            last: None,
            sent_again: false,
            returned: false,
        }
    }

    /// The key of the row that was read only in part, if there is one.
    pub(super) fn incomplete_row(&self) -> Option<&Bytes> {
        self.last.as_ref().map(|(row, _)| row)
    }

    /// Notes that the scanner was lost. If rows are passed on in parts, the incomplete row is
    /// continued, because cells that were passed on cannot be taken back. If rows are passed on
    /// whole, the incomplete row is continued only if the next scanner sees the same data as the
    /// lost scanner (`sees_same_data`); otherwise the row is read again from its first cell.
    pub(super) fn handle_lost_scanner(&mut self, sees_same_data: bool) {
        if self.wanted == RowParts::Whole && !sees_same_data {
            self.clear();
        }
        self.sent_again = self.last.is_some();
        self.returned = false;
    }

    fn clear(&mut self) {
        self.held.clear();
        self.held_cells = 0;
        self.last = None;
        self.sent_again = false;
    }

    /// Adds the next part of a row, and appends to `out` all cells that are ready to be passed on.
    pub(super) fn add(&mut self, part: Part, out: &mut Vec<Collected>) {
        let Part { mut cells, partial } = part;
        if let Some((row, last)) = &self.last {
            match cells.first() {
                Some(first) if first.row() != row => self.complete(out),
                _ if self.sent_again => {
                    self.returned |= !cells.is_empty();
                    let seen = cells
                        .partition_point(|cell| cell.as_wire().cmp_key(last.as_wire()).is_le());
                    cells.drain(..seen);
                }
                _ => {}
            }
        }
        if self.last.is_none() && !partial && self.wanted.fits_in_one_part(cells.len()) {
            // This is nearly always the case: the row needs neither a list of parts nor a copy of
            // its key.
            if !cells.is_empty() {
                out.push(Collected::Whole(cells));
            }
            return;
        }
        if let Some(last) = cells.last() {
            self.sent_again = false;
            let row = match self.last.take() {
                Some((row, _)) => row,
                None => Bytes::copy_from_slice(last.row()),
            };
            self.last = Some((row, last.clone()));
            match self.wanted {
                RowParts::Batch(size) => self.batches(cells, size, out),
                _ => self.hold(cells),
            }
        }
        match (partial, self.wanted) {
            (false, _) => self.complete(out),
            (true, RowParts::AsSent) if self.held_cells > 0 => {
                let cells = self.all_held();
                out.push(Collected::Part(cells));
            }
            _ => {}
        }
    }

    fn hold(&mut self, cells: Vec<Cell>) {
        self.held_cells += cells.len();
        self.held.push(cells);
    }

    /// Adds cells, and passes on full batches. The cells that fill a batch may be the last of the
    /// row, so a batch is passed on only when another cell follows.
    fn batches(&mut self, cells: Vec<Cell>, size: usize, out: &mut Vec<Collected>) {
        let mut cells = cells.into_iter();
        loop {
            let room = size.saturating_sub(self.held_cells);
            self.hold(cells.by_ref().take(room).collect());
            if cells.len() == 0 {
                return;
            }
            let batch = self.all_held();
            out.push(Collected::Part(batch));
        }
    }

    /// Notes that no more cells of the incomplete row follow, and passes on the cells that were
    /// held. If the row is to be passed on whole, and none of its cells was sent since the scanner
    /// was lost, the row no longer exists and its cells are dropped.
    pub(super) fn complete(&mut self, out: &mut Vec<Collected>) {
        if self.sent_again && !self.returned && self.wanted == RowParts::Whole {
            return self.clear();
        }
        let cells = self.all_held();
        if let Some((row, _)) = self.last.take() {
            out.push(Collected::Last(row, cells));
        }
        self.sent_again = false;
    }

    fn all_held(&mut self) -> Vec<Cell> {
        let mut held = std::mem::take(&mut self.held);
        let count = std::mem::take(&mut self.held_cells);
        match held.pop() {
            Some(only) if held.is_empty() => only,
            last => {
                let mut cells = Vec::with_capacity(count);
                held.into_iter().chain(last).for_each(|part| cells.extend(part));
                cells
            }
        }
    }
}

#[cfg(test)]
mod tests;
