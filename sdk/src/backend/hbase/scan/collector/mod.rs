//! Rows, or parts of them, put together from the parts that servers send.

use bytes::Bytes;

use super::reply::Part;
use crate::request::scan::RowParts;
use crate::wire::cell::Cell;

/// Puts rows together. Each cell is moved once, however many parts its row comes in.
pub(super) struct Collector {
    wanted: RowParts,
    /// The parts of the row that is not complete, or those of them that were not passed on.
    held: Vec<Vec<Cell>>,
    held_cells: usize,
    /// The last cell of the row that is not complete, and its row key.
    last: Option<(Bytes, Cell)>,
    /// Whether the cells of that row up to the last one come again, because the scanner was opened
    /// again within it.
    again: bool,
    /// Whether any of them has come: the row is still there.
    returned: bool,
}

/// What a row has become: cells to pass on, if there are any, and whether it is complete.
#[derive(Debug, PartialEq)]
pub(super) enum Collected {
    /// Cells of a row, of which more may follow.
    Part(Vec<Cell>),
    /// All cells of a row, at least one.
    Whole(Vec<Cell>),
    /// The cells that complete a row; none if all of them were passed on already.
    Last(Bytes, Vec<Cell>),
}

impl Collector {
    pub(super) fn new(wanted: RowParts) -> Self {
        Self { wanted, held: Vec::new(), held_cells: 0, last: None, again: false, returned: false }
    }

    /// The row that was read in part.
    pub(super) fn within(&self) -> Option<&Bytes> {
        self.last.as_ref().map(|(row, _)| row)
    }

    /// The scanner was lost. What was passed on cannot be taken back, so its row is continued. A
    /// row that was not is only continued if the next scanner sees it as the lost one did (`same`),
    /// else it is read again.
    pub(super) fn lost(&mut self, same: bool) {
        if self.wanted == RowParts::Whole && !same {
            self.clear();
        }
        self.again = self.last.is_some();
        self.returned = false;
    }

    fn clear(&mut self) {
        self.held.clear();
        self.held_cells = 0;
        self.last = None;
        self.again = false;
    }

    /// Takes the next part, and passes on what is ready.
    pub(super) fn take(&mut self, part: Part, out: &mut Vec<Collected>) {
        let Part { mut cells, partial } = part;
        if let Some((row, last)) = &self.last {
            match cells.first() {
                Some(first) if first.row() != row => self.complete(out),
                _ if self.again => {
                    self.returned |= !cells.is_empty();
                    let seen = cells.partition_point(|cell| cell.cmp_key(last).is_le());
                    cells.drain(..seen);
                }
                _ => {}
            }
        }
        if self.last.is_none() && !partial && self.wanted.holds(cells.len()) {
            // Nearly always: the row needs no list of its own, nor its key.
            if !cells.is_empty() {
                out.push(Collected::Whole(cells));
            }
            return;
        }
        if let Some(last) = cells.last() {
            self.again = false;
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

    /// What fills a batch may be the end of the row: it is passed on when another cell follows.
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

    /// The row that was collected is complete, or gone if it did not come again.
    pub(super) fn complete(&mut self, out: &mut Vec<Collected>) {
        if self.again && !self.returned && self.wanted == RowParts::Whole {
            return self.clear();
        }
        let cells = self.all_held();
        if let Some((row, _)) = self.last.take() {
            out.push(Collected::Last(row, cells));
        }
        self.again = false;
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
