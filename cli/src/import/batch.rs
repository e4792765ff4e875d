//! The changes of consecutive lines, merged by row key and written together.

use std::collections::BTreeMap;

use super::mapping::Change;
use super::position::Position;

/// The changes of some lines that follow each other, together for each row.
#[derive(Debug)]
pub(super) struct Batch {
    /// The cells of each row. Of two lines with the same cell, the later one counts.
    pub(super) cells: BTreeMap<Vec<u8>, Cells>,
    /// What to add to each counter of each row.
    pub(super) counts: BTreeMap<Vec<u8>, Vec<i64>>,
    /// How far the file was read.
    pub(super) end: Position,
}

/// Values by family and qualifier.
pub(super) type Cells = BTreeMap<(String, Vec<u8>), Vec<u8>>;

impl Batch {
    pub(super) fn new(start: &Position) -> Self {
        Self { cells: BTreeMap::new(), counts: BTreeMap::new(), end: start.clone() }
    }

    pub(super) fn add(&mut self, change: Change) {
        if !change.counts.is_empty() {
            let counts = self.counts.entry(change.row.clone());
            let counts = counts.or_insert_with(|| vec![0; change.counts.len()]);
            for (sum, by) in counts.iter_mut().zip(change.counts) {
                // As the servers do.
                *sum = sum.wrapping_add(by);
            }
        }
        if !change.cells.is_empty() {
            let row = self.cells.entry(change.row).or_default();
            let cells = change.cells.into_iter();
            row.extend(cells.map(|(column, value)| ((column.family, column.qualifier), value)));
        }
    }
}
