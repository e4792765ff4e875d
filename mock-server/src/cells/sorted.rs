//! The cells of a region, in order. Every version is kept until a flush or compaction drops it.

use std::collections::BTreeSet;
use std::collections::btree_set;
use std::ops::Bound;

use super::position::compare;
use super::{Position, Positioned, RowOrder, StoredCell};

/// The sorted cells of a region.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    order: RowOrder,
    sorted: BTreeSet<StoredCell>,
}

impl Cells {
    /// Makes an empty set.
    pub(crate) fn new(order: RowOrder) -> Self {
        Self { order, sorted: BTreeSet::new() }
    }

    /// The order of the rows.
    pub(crate) fn order(&self) -> RowOrder {
        self.order
    }

    /// The number of cells, including all versions.
    pub(crate) fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Adds a cell, which replaces a cell with the same key and sequence id.
    pub(crate) fn insert(&mut self, cell: StoredCell) {
        self.sorted.replace(cell);
    }

    /// Removes a cell.
    pub(crate) fn remove(&mut self, cell: &StoredCell) {
        self.sorted.remove(cell);
    }

    /// Keeps the cells for which `keep` returns true. The cells are passed to `keep` in order.
    pub(crate) fn retain(&mut self, keep: impl FnMut(&StoredCell) -> bool) {
        self.sorted.retain(keep);
    }

    /// Removes and returns the cells from row `at` on.
    pub(crate) fn split_off(&mut self, at: &[u8]) -> Self {
        let position = Position::before_row(self.order, at);
        let sorted = self.sorted.split_off::<dyn Positioned>(&position);
        Self { order: self.order, sorted }
    }

    /// Moves all cells of another set into this one.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.sorted.append(&mut other.sorted);
    }

    /// Returns the cells in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &StoredCell> {
        self.sorted.iter()
    }

    /// Returns a cursor that reads forward from a position.
    pub(crate) fn cursor(&self, from: Position<'_>) -> Cursor<'_> {
        let mut rest = self.range(from);
        Cursor { cells: self, next: rest.next(), rest }
    }

    /// Returns a cursor that reads forward from the first cell of a row.
    pub(crate) fn cursor_from_row(&self, row: &[u8]) -> Cursor<'_> {
        self.cursor(Position::before_row(self.order, row))
    }

    /// Returns the last cell before a position for which `wanted` returns true.
    pub(crate) fn last_before(
        &self,
        end: Position<'_>,
        wanted: impl Fn(&StoredCell) -> bool,
    ) -> Option<&StoredCell> {
        let bounds = (Bound::Unbounded, Bound::Excluded(&end as &dyn Positioned));
        self.sorted.range::<dyn Positioned, _>(bounds).rev().find(|c| wanted(c))
    }

    /// Returns the last cell for which `wanted` returns true.
    pub(crate) fn last(&self, wanted: impl Fn(&StoredCell) -> bool) -> Option<&StoredCell> {
        self.sorted.iter().rev().find(|c| wanted(c))
    }

    fn range(&self, from: Position<'_>) -> btree_set::Range<'_, StoredCell> {
        let bounds = (Bound::Included(&from as &dyn Positioned), Bound::Unbounded);
        self.sorted.range::<dyn Positioned, _>(bounds)
    }
}

/// A cursor that reads cells forward and can skip ahead.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    cells: &'a Cells,
    next: Option<&'a StoredCell>,
    rest: btree_set::Range<'a, StoredCell>,
}

impl<'a> Cursor<'a> {
    /// The number of cells that are stepped over before the tree is searched again.
    const STEPS: usize = 8;

    /// Returns the next cell, without moving the cursor.
    pub(crate) fn peek(&self) -> Option<&'a StoredCell> {
        self.next
    }

    /// Skips to a later position.
    pub(crate) fn seek(&mut self, to: Position<'_>) {
        for _ in 0..Self::STEPS {
            match self.next {
                Some(cell) if compare(cell, &to).is_lt() => self.next = self.rest.next(),
                _ => return,
            }
        }
        *self = self.cells.cursor(to);
    }
}

impl<'a> Iterator for Cursor<'a> {
    type Item = &'a StoredCell;

    fn next(&mut self) -> Option<&'a StoredCell> {
        std::mem::replace(&mut self.next, self.rest.next())
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use tallrow_wire::cell::CellType;

    use super::super::NewCell;
    use super::*;

    fn cell(row: &str, qualifier: &str, timestamp: u64, sequence_id: u64) -> StoredCell {
        let new = NewCell {
            family: "f".into(),
            qualifier: Bytes::copy_from_slice(qualifier.as_bytes()),
            timestamp,
            kind: CellType::Put,
            value: "v".into(),
        };
        StoredCell::new(&new.in_row(row.as_bytes()), None, sequence_id, RowOrder::Bytes).unwrap()
    }

    fn rows(cells: impl Iterator<Item = StoredCell>) -> Vec<(String, u64, u64)> {
        let text = |c: &StoredCell| {
            format!(
                "{}/{}",
                String::from_utf8_lossy(c.row()),
                String::from_utf8_lossy(c.qualifier())
            )
        };
        cells.map(|c| (text(&c), c.timestamp(), c.sequence_id())).collect()
    }

    #[test]
    fn newer_timestamps_and_newer_writes_come_first() {
        let mut cells = Cells::new(RowOrder::Bytes);
        for c in [cell("a", "q", 1, 1), cell("a", "q", 2, 2), cell("a", "q", 2, 3)] {
            cells.insert(c);
        }
        let expected =
            [("a/q".to_owned(), 2, 3), ("a/q".to_owned(), 2, 2), ("a/q".to_owned(), 1, 1)];
        assert_eq!(rows(cells.iter().cloned()), expected);
    }

    #[test]
    fn a_row_is_found_between_rows_it_is_a_prefix_of() {
        let mut cells = Cells::new(RowOrder::Bytes);
        for c in [cell("a", "q", 1, 1), cell("a\0", "q", 1, 2), cell("ab", "q", 1, 3)] {
            cells.insert(c);
        }
        let mut cursor = cells.cursor_from_row(b"a");
        assert_eq!(cursor.next().unwrap().row(), b"a");
        let mut after = cells.cursor(Position::after_row(RowOrder::Bytes, b"a"));
        assert_eq!(after.next().unwrap().row(), b"a\0");
        let end = Position::before_row(RowOrder::Bytes, b"ab");
        assert_eq!(cells.last_before(end, |_| true).unwrap().row(), b"a\0");
    }

    #[test]
    fn a_seek_stops_after_the_column_however_many_versions_it_has() {
        for versions in [1, 100] {
            let mut cells = Cells::new(RowOrder::Bytes);
            (0..versions).for_each(|v| cells.insert(cell("a", "p", v, v)));
            cells.insert(cell("a", "q", 1, 1000));
            let mut cursor = cells.cursor_from_row(b"a");
            let first = cursor.next().unwrap();
            cursor.seek(Position::after_column(first));
            assert_eq!(cursor.next().unwrap().qualifier(), b"q");
        }
    }
}
