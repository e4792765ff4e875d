//! The order of cells, and positions between them.

use std::borrow::Borrow;
use std::cmp::Ordering;

use super::{RowOrder, StoredCell};

/// Whether a position is before, among or after the cells of its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Edge {
    Before,
    Within,
    After,
}

/// A position between cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position<'a> {
    order: RowOrder,
    row: &'a [u8],
    row_prefix: u64,
    edge: Edge,
    family: &'a [u8],
    qualifier: &'a [u8],
    timestamp: u64,
    kind: u8,
    sequence_id: u64,
}

impl<'a> Position<'a> {
    /// The position before every cell of a row.
    pub(crate) fn before_row(order: RowOrder, row: &'a [u8]) -> Self {
        let edge = Edge::Before;
        Self {
            order,
            row,
            row_prefix: order.row_prefix(row),
            edge,
            family: b"",
            qualifier: b"",
            timestamp: 0,
            kind: 0,
            sequence_id: 0,
        }
    }

    /// The position after every cell of a row.
    pub(crate) fn after_row(order: RowOrder, row: &'a [u8]) -> Self {
        Self { edge: Edge::After, ..Self::before_row(order, row) }
    }

    /// The position before every cell of this cell's column.
    pub(crate) fn before_column(cell: &'a StoredCell) -> Self {
        Self { timestamp: u64::MAX, kind: u8::MAX, sequence_id: u64::MAX, ..cell.position() }
    }

    /// The position after every cell of this cell's column.
    pub(crate) fn after_column(cell: &'a StoredCell) -> Self {
        Self { timestamp: 0, kind: 0, sequence_id: 0, ..cell.position() }
    }

    /// The position of a cell.
    #[cfg(feature = "bigtable")]
    pub(crate) fn at(cell: &'a StoredCell) -> Self {
        cell.position()
    }

    /// The row of the position.
    pub(crate) fn row(&self) -> &'a [u8] {
        self.row
    }

    /// Whether a cell is in the row of the position.
    pub(crate) fn is_in_row(&self, cell: &StoredCell) -> bool {
        self.row_prefix == cell.row_prefix() && self.row == cell.row()
    }

    /// Whether the position is after a cell.
    #[cfg(feature = "bigtable")]
    pub(crate) fn is_after(&self, cell: &StoredCell) -> bool {
        compare(self, cell).is_gt()
    }

    /// Compares two positions of the same row.
    fn compare_in_row(&self, other: &Self) -> Ordering {
        self.edge.cmp(&other.edge).then_with(|| {
            if self.edge != Edge::Within {
                return Ordering::Equal;
            }
            (self.family.cmp(other.family))
                .then_with(|| self.qualifier.cmp(other.qualifier))
                .then_with(|| other.timestamp.cmp(&self.timestamp))
                .then_with(|| other.kind.cmp(&self.kind))
                .then_with(|| other.sequence_id.cmp(&self.sequence_id))
        })
    }
}

/// Anything that has a position among cells. It allows searching a set of cells without making a
/// cell.
pub(crate) trait Positioned {
    /// The start of the row, as [`RowOrder::row_prefix`] returns it.
    fn row_prefix(&self) -> u64;

    /// The row, and the order of the rows of its region.
    fn order_and_row(&self) -> (RowOrder, &[u8]);

    /// The position among the cells.
    fn position(&self) -> Position<'_>;
}

impl Positioned for StoredCell {
    fn row_prefix(&self) -> u64 {
        self.row_prefix()
    }

    fn order_and_row(&self) -> (RowOrder, &[u8]) {
        (self.row_order(), self.row())
    }

    fn position(&self) -> Position<'_> {
        Position {
            order: self.row_order(),
            row: self.row(),
            row_prefix: self.row_prefix(),
            edge: Edge::Within,
            family: self.family(),
            qualifier: self.qualifier(),
            timestamp: self.timestamp(),
            kind: self.kind() as u8,
            sequence_id: self.sequence_id(),
        }
    }
}

impl Positioned for Position<'_> {
    fn row_prefix(&self) -> u64 {
        self.row_prefix
    }

    fn order_and_row(&self) -> (RowOrder, &[u8]) {
        (self.order, self.row)
    }

    fn position(&self) -> Position<'_> {
        *self
    }
}

/// Compares two positions in HBase's order: newer timestamps and sequence ids first.
///
/// Parts that take longer to find are compared last: most compared positions have different rows,
/// and most rows have different starts.
pub(super) fn compare(a: &(impl Positioned + ?Sized), b: &(impl Positioned + ?Sized)) -> Ordering {
    a.row_prefix().cmp(&b.row_prefix()).then_with(|| compare_after_prefix(a, b))
}

/// Compares two positions whose rows have the same start.
fn compare_after_prefix(
    a: &(impl Positioned + ?Sized),
    b: &(impl Positioned + ?Sized),
) -> Ordering {
    let ((order, row), (_, other)) = (a.order_and_row(), b.order_and_row());
    order.compare(row, other).then_with(|| a.position().compare_in_row(&b.position()))
}

impl Ord for dyn Positioned + '_ {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(self, other)
    }
}

impl PartialOrd for dyn Positioned + '_ {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for dyn Positioned + '_ {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for dyn Positioned + '_ {}

impl<'a> Borrow<dyn Positioned + 'a> for StoredCell {
    fn borrow(&self) -> &(dyn Positioned + 'a) {
        self
    }
}

impl Ord for StoredCell {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(self, other)
    }
}

impl PartialOrd for StoredCell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for StoredCell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for StoredCell {}
