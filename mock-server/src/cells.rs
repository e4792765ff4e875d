//! The cells of a region, sorted as HBase sorts them, with every version kept until a flush or compaction drops it.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::collections::btree_set;
use std::ops::Bound;

use bytes::{BufMut, Bytes};
use tallrow_wire::cell::{CellType, KeyValue};
use tallrow_wire::proto::ProtoCell;
use tallrow_wire::{WireError, region};

/// The tag type of a cell's own time to live, an 8-byte number of ms.
const TTL_TAG: u8 = 8;

/// How the rows of a region sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowOrder {
    /// As bytes.
    Plain,
    /// As the rows of `hbase:meta`.
    Meta,
}

impl RowOrder {
    /// Compares two rows.
    pub(crate) fn compare(self, a: &[u8], b: &[u8]) -> Ordering {
        match self {
            RowOrder::Plain => a.cmp(b),
            RowOrder::Meta => region::meta_order(a, b),
        }
    }
}

/// A cell as it is stored: the bytes of its `KeyValue`, perhaps with a TTL tag behind, and the sequence number of the
/// write that made it. A million of these must fit into memory, hence no `Bytes` and few cached lengths.
#[derive(Clone, Debug)]
pub(crate) struct StoredCell {
    bytes: Box<[u8]>,
    sequence: u64,
    row_len: u16,
    family_len: u8,
    kind: CellType,
    order: RowOrder,
}

/// What a cell is made from.
#[derive(Clone, Debug)]
pub(crate) struct NewCell {
    /// The family.
    pub(crate) family: Bytes,
    /// The qualifier.
    pub(crate) qualifier: Bytes,
    /// The timestamp in ms.
    pub(crate) timestamp: u64,
    /// Value or delete marker.
    pub(crate) kind: CellType,
    /// The value.
    pub(crate) value: Bytes,
}

impl StoredCell {
    /// A cell from its parts, written with `sequence`.
    pub(crate) fn new(
        row: &[u8],
        cell: &NewCell,
        ttl: Option<u64>,
        sequence: u64,
        order: RowOrder,
    ) -> Result<Self, WireError> {
        let len = 20 + row.len() + cell.family.len() + cell.qualifier.len() + cell.value.len();
        let mut bytes = Vec::with_capacity(len + if ttl.is_some() { 13 } else { 0 });
        let key_value = KeyValue {
            row,
            family: &cell.family,
            qualifier: &cell.qualifier,
            timestamp: cell.timestamp,
            kind: cell.kind,
            value: &cell.value,
        };
        key_value.encode(&mut bytes)?;
        if let Some(ttl) = ttl {
            bytes.put_u16(11);
            bytes.put_u16(9);
            bytes.put_u8(TTL_TAG);
            bytes.put_u64(ttl);
        }
        Ok(Self {
            bytes: bytes.into_boxed_slice(),
            sequence,
            row_len: row.len() as u16,
            family_len: cell.family.len() as u8,
            kind: cell.kind,
            order,
        })
    }

    /// The row key.
    pub(crate) fn row(&self) -> &[u8] {
        self.part(10, self.row_len.into())
    }

    /// The family.
    pub(crate) fn family(&self) -> &[u8] {
        self.part(11 + usize::from(self.row_len), self.family_len.into())
    }

    /// The qualifier.
    pub(crate) fn qualifier(&self) -> &[u8] {
        let at = 11 + usize::from(self.row_len) + usize::from(self.family_len);
        self.part(at, self.key_end().saturating_sub(9 + at))
    }

    /// The timestamp in ms.
    pub(crate) fn timestamp(&self) -> u64 {
        let tail = self.bytes.get(self.key_end().saturating_sub(9)..);
        tail.and_then(|t| t.first_chunk()).map_or(0, |t| u64::from_be_bytes(*t))
    }

    /// Value or delete marker.
    pub(crate) fn kind(&self) -> CellType {
        self.kind
    }

    /// Whether this is a delete marker.
    pub(crate) fn is_delete(&self) -> bool {
        self.kind != CellType::Put
    }

    /// The value.
    pub(crate) fn value(&self) -> &[u8] {
        self.part(self.key_end(), self.be32(4) as usize)
    }

    /// The sequence number of the write that made it.
    pub(crate) fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The bytes of the `KeyValue`, without tags.
    pub(crate) fn key_value(&self) -> &[u8] {
        self.part(0, self.key_end() + self.be32(4) as usize)
    }

    /// The cell's own time to live in ms.
    pub(crate) fn ttl(&self) -> Option<u64> {
        let at = self.key_end() + self.be32(4) as usize;
        self.bytes.get(at + 5..)?.first_chunk().map(|b| u64::from_be_bytes(*b))
    }

    /// What the cell takes on a real server's heap: how scans count their size limit.
    pub(crate) fn heap_size(&self) -> usize {
        (self.key_value().len() + 32).next_multiple_of(8)
    }

    /// The same cell with another value.
    pub(crate) fn with_value(&self, value: &[u8]) -> Self {
        let mut bytes = Vec::with_capacity(self.key_end() + value.len());
        bytes.extend_from_slice(self.part(0, 4));
        bytes.put_u32(value.len() as u32);
        bytes.extend_from_slice(self.part(8, self.key_end() - 8));
        bytes.extend_from_slice(value);
        Self { bytes: bytes.into_boxed_slice(), ..*self }
    }

    /// The cell as a message.
    pub(crate) fn to_proto(&self) -> ProtoCell {
        let bytes = |part: &[u8]| Some(Bytes::copy_from_slice(part));
        ProtoCell {
            row: bytes(self.row()),
            family: bytes(self.family()),
            qualifier: bytes(self.qualifier()),
            timestamp: Some(self.timestamp()),
            cell_type: Some(self.kind as i32),
            value: bytes(self.value()),
            tags: None,
        }
    }

    fn key_end(&self) -> usize {
        8 + self.be32(0) as usize
    }

    fn be32(&self, at: usize) -> u32 {
        self.bytes.get(at..).and_then(|b| b.first_chunk()).map_or(0, |b| u32::from_be_bytes(*b))
    }

    fn part(&self, at: usize, len: usize) -> &[u8] {
        self.bytes.get(at..at + len).unwrap_or_default()
    }
}

/// Where a position lies against the cells of its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Edge {
    Before,
    Within,
    After,
}

/// A place between cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position<'a> {
    order: RowOrder,
    row: &'a [u8],
    edge: Edge,
    family: &'a [u8],
    qualifier: &'a [u8],
    timestamp: u64,
    kind: u8,
    sequence: u64,
}

impl<'a> Position<'a> {
    /// Before every cell of a row.
    pub(crate) fn before_row(order: RowOrder, row: &'a [u8]) -> Self {
        let edge = Edge::Before;
        Self { order, row, edge, family: b"", qualifier: b"", timestamp: 0, kind: 0, sequence: 0 }
    }

    /// After every cell of a row.
    pub(crate) fn after_row(order: RowOrder, row: &'a [u8]) -> Self {
        Self { edge: Edge::After, ..Self::before_row(order, row) }
    }

    /// Before every cell of this cell's column.
    pub(crate) fn before_column(cell: &'a StoredCell) -> Self {
        Self { timestamp: u64::MAX, kind: u8::MAX, sequence: u64::MAX, ..cell.position() }
    }

    /// After every cell of this cell's column.
    pub(crate) fn after_column(cell: &'a StoredCell) -> Self {
        Self { timestamp: 0, kind: 0, sequence: 0, ..cell.position() }
    }

    fn compare(&self, other: &Self) -> Ordering {
        (self.order.compare(self.row, other.row))
            .then_with(|| self.edge.cmp(&other.edge))
            .then_with(|| {
                if self.edge != Edge::Within {
                    return Ordering::Equal;
                }
                (self.family.cmp(other.family))
                    .then_with(|| self.qualifier.cmp(other.qualifier))
                    .then_with(|| other.timestamp.cmp(&self.timestamp))
                    .then_with(|| other.kind.cmp(&self.kind))
                    .then_with(|| other.sequence.cmp(&self.sequence))
            })
    }
}

/// Anything with a place among cells; lets a set of cells be searched without making a cell.
pub(crate) trait Placed {
    /// Its place.
    fn position(&self) -> Position<'_>;
}

impl Placed for StoredCell {
    fn position(&self) -> Position<'_> {
        Position {
            order: self.order,
            row: self.row(),
            edge: Edge::Within,
            family: self.family(),
            qualifier: self.qualifier(),
            timestamp: self.timestamp(),
            kind: self.kind as u8,
            sequence: self.sequence,
        }
    }
}

impl Placed for Position<'_> {
    fn position(&self) -> Position<'_> {
        *self
    }
}

impl Ord for dyn Placed + '_ {
    fn cmp(&self, other: &Self) -> Ordering {
        self.position().compare(&other.position())
    }
}

impl PartialOrd for dyn Placed + '_ {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for dyn Placed + '_ {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for dyn Placed + '_ {}

impl<'a> Borrow<dyn Placed + 'a> for StoredCell {
    fn borrow(&self) -> &(dyn Placed + 'a) {
        self
    }
}

impl Ord for StoredCell {
    fn cmp(&self, other: &Self) -> Ordering {
        self.position().compare(&other.position())
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

/// The sorted cells of a region.
#[derive(Debug)]
pub(crate) struct Cells {
    order: RowOrder,
    sorted: BTreeSet<StoredCell>,
}

impl Cells {
    /// No cells.
    pub(crate) fn new(order: RowOrder) -> Self {
        Self { order, sorted: BTreeSet::new() }
    }

    /// How the rows sort.
    pub(crate) fn order(&self) -> RowOrder {
        self.order
    }

    /// How many cells there are, of all versions.
    pub(crate) fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Adds a cell, in place of one of the same key and sequence number.
    pub(crate) fn insert(&mut self, cell: StoredCell) {
        self.sorted.replace(cell);
    }

    /// Removes a cell.
    pub(crate) fn remove(&mut self, cell: &StoredCell) {
        self.sorted.remove(cell);
    }

    /// Keeps the cells `keep` says yes to; it is asked in order.
    pub(crate) fn retain(&mut self, keep: impl FnMut(&StoredCell) -> bool) {
        self.sorted.retain(keep);
    }

    /// Takes the cells from row `at` on out of this set.
    pub(crate) fn split_off(&mut self, at: &[u8]) -> Self {
        let position = Position::before_row(self.order, at);
        let sorted = self.sorted.split_off::<dyn Placed>(&position);
        Self { order: self.order, sorted }
    }

    /// Moves all cells of another set into this one.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.sorted.append(&mut other.sorted);
    }

    /// The cells in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &StoredCell> {
        self.sorted.iter()
    }

    /// Reads forward from a place.
    pub(crate) fn cursor(&self, from: Position<'_>) -> Cursor<'_> {
        Cursor { cells: self, rest: self.range(from) }
    }

    /// Reads all cells of one row.
    pub(crate) fn row(&self, row: &[u8]) -> Cursor<'_> {
        self.cursor(Position::before_row(self.order, row))
    }

    /// The last cell before a place that `wanted` says yes to.
    pub(crate) fn last_before(
        &self,
        end: Position<'_>,
        wanted: impl Fn(&StoredCell) -> bool,
    ) -> Option<&StoredCell> {
        let bounds = (Bound::Unbounded, Bound::Excluded(&end as &dyn Placed));
        self.sorted.range::<dyn Placed, _>(bounds).rev().find(|c| wanted(c))
    }

    /// The last cell `wanted` says yes to.
    pub(crate) fn last(&self, wanted: impl Fn(&StoredCell) -> bool) -> Option<&StoredCell> {
        self.sorted.iter().rev().find(|c| wanted(c))
    }

    fn range(&self, from: Position<'_>) -> btree_set::Range<'_, StoredCell> {
        let bounds = (Bound::Included(&from as &dyn Placed), Bound::Unbounded);
        self.sorted.range::<dyn Placed, _>(bounds)
    }
}

/// Reads cells forward, with leaps.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    cells: &'a Cells,
    rest: btree_set::Range<'a, StoredCell>,
}

impl<'a> Cursor<'a> {
    /// How many steps are tried before the tree is searched again.
    const STEPS: usize = 8;

    /// The cell the next step gives.
    pub(crate) fn peek(&self) -> Option<&'a StoredCell> {
        self.rest.clone().next()
    }

    /// Leaps to a place ahead.
    pub(crate) fn seek(&mut self, to: Position<'_>) {
        for _ in 0..Self::STEPS {
            match self.peek() {
                Some(cell) if cell.position().compare(&to).is_lt() => self.rest.next(),
                _ => return,
            };
        }
        self.rest = self.cells.range(to);
    }
}

impl<'a> Iterator for Cursor<'a> {
    type Item = &'a StoredCell;

    fn next(&mut self) -> Option<&'a StoredCell> {
        self.rest.next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(row: &str, qualifier: &str, timestamp: u64, sequence: u64) -> StoredCell {
        let new = NewCell {
            family: "f".into(),
            qualifier: Bytes::copy_from_slice(qualifier.as_bytes()),
            timestamp,
            kind: CellType::Put,
            value: "v".into(),
        };
        StoredCell::new(row.as_bytes(), &new, None, sequence, RowOrder::Plain).unwrap()
    }

    fn rows(cells: impl Iterator<Item = StoredCell>) -> Vec<(String, u64, u64)> {
        let text = |c: &StoredCell| {
            format!(
                "{}/{}",
                String::from_utf8_lossy(c.row()),
                String::from_utf8_lossy(c.qualifier())
            )
        };
        cells.map(|c| (text(&c), c.timestamp(), c.sequence())).collect()
    }

    #[test]
    fn newer_timestamps_and_newer_writes_come_first() {
        let mut cells = Cells::new(RowOrder::Plain);
        for c in [cell("a", "q", 1, 1), cell("a", "q", 2, 2), cell("a", "q", 2, 3)] {
            cells.insert(c);
        }
        let expected =
            [("a/q".to_owned(), 2, 3), ("a/q".to_owned(), 2, 2), ("a/q".to_owned(), 1, 1)];
        assert_eq!(rows(cells.iter().cloned()), expected);
    }

    #[test]
    fn a_row_is_found_between_rows_it_is_a_prefix_of() {
        let mut cells = Cells::new(RowOrder::Plain);
        for c in [cell("a", "q", 1, 1), cell("a\0", "q", 1, 2), cell("ab", "q", 1, 3)] {
            cells.insert(c);
        }
        let mut cursor = cells.row(b"a");
        assert_eq!(cursor.next().unwrap().row(), b"a");
        let mut after = cells.cursor(Position::after_row(RowOrder::Plain, b"a"));
        assert_eq!(after.next().unwrap().row(), b"a\0");
        let end = Position::before_row(RowOrder::Plain, b"ab");
        assert_eq!(cells.last_before(end, |_| true).unwrap().row(), b"a\0");
    }

    #[test]
    fn a_leap_lands_after_the_column_however_far_it_is() {
        for versions in [1, 100] {
            let mut cells = Cells::new(RowOrder::Plain);
            (0..versions).for_each(|v| cells.insert(cell("a", "p", v, v)));
            cells.insert(cell("a", "q", 1, 1000));
            let mut cursor = cells.row(b"a");
            let first = cursor.next().unwrap();
            cursor.seek(Position::after_column(first));
            assert_eq!(cursor.next().unwrap().qualifier(), b"q");
        }
    }

    #[test]
    fn a_cell_keeps_its_parts_and_its_ttl() {
        let new = NewCell {
            family: "fam".into(),
            qualifier: Bytes::new(),
            timestamp: 9,
            kind: CellType::Delete,
            value: "value".into(),
        };
        let cell = StoredCell::new(b"row", &new, Some(77), 5, RowOrder::Plain).unwrap();
        assert_eq!(
            (cell.row(), cell.family(), cell.qualifier()),
            (&b"row"[..], &b"fam"[..], &b""[..])
        );
        assert_eq!((cell.timestamp(), cell.value(), cell.ttl()), (9, &b"value"[..], Some(77)));
        assert!(cell.is_delete());
        assert_eq!(cell.key_value().len() + 13, cell.bytes.len());
    }
}
