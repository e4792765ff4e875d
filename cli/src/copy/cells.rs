//! The cells of a table one after the other.

use std::cmp::Ordering;
use std::vec;

use tallrow::cell::Cell;
use tallrow::scan::RowStream;

use crate::failure::Result;

/// The cells of all rows, in the order of row, family, qualifier and time, the latest first.
pub(super) struct Cells {
    rows: RowStream,
    part: vec::IntoIter<Cell>,
}

impl Cells {
    pub(super) fn of(rows: RowStream) -> Self {
        Self { rows, part: Vec::new().into_iter() }
    }

    pub(super) async fn next(&mut self) -> Result<Option<Cell>> {
        loop {
            if let Some(cell) = self.part.next() {
                return Ok(Some(cell));
            }
            match self.rows.next_row().await? {
                Some(part) => self.part = part.cells().to_vec().into_iter(),
                None => return Ok(None),
            }
        }
    }
}

/// Which of two cells comes first in a table.
pub(super) fn order(a: &Cell, b: &Cell) -> Ordering {
    let rows = a.row().cmp(b.row());
    rows.then_with(|| a.family().cmp(b.family()))
        .then_with(|| a.qualifier().cmp(b.qualifier()))
        .then_with(|| b.timestamp().cmp(&a.timestamp()))
}
