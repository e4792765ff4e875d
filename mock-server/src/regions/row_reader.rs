//! Reads whole rows, with every version that the schema keeps.

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;

use super::query::RowQuery;
use super::region::RegionState;
use crate::cells::{Cells, Cursor, Position, StoredCell};
use crate::schema::{self, Family, RegionSchema};

/// A reader of whole rows of a region, one after the other.
#[derive(Debug)]
pub(crate) struct RowReader<'c> {
    cells: &'c Cells,
    schema: &'c RegionSchema,
    query: RowQuery,
    read_point: u64,
    now: u64,
    /// The beginning of the next row; `None` after the last row.
    at: Option<Cursor<'c>>,
}

impl<'c> RowReader<'c> {
    /// Makes a reader that is not at a row yet.
    pub(crate) fn new(state: &'c RegionState, now: u64) -> Self {
        Self {
            cells: state.store.cells(),
            schema: &state.schema,
            query: RowQuery::all_versions(&state.schema),
            read_point: state.store.sequence_id(),
            now,
            at: None,
        }
    }

    /// Goes to the first row at or after `from`.
    pub(crate) fn seek(&mut self, from: &[u8]) {
        self.at = Some(self.cells.cursor_from_row(from));
    }

    /// Goes to the last row before `end`, or to the last row of all if `end` is `None`.
    pub(crate) fn seek_before(&mut self, end: Option<&[u8]>) {
        let last = match end {
            Some(end) => self.cells.last_before(self.position_before(end), |_| true),
            None => self.cells.last(|_| true),
        };
        self.at = last.map(|cell| self.cells.cursor_from_row(cell.row()));
    }

    /// Returns the position before a row.
    pub(crate) fn position_before<'r>(&self, row: &'r [u8]) -> Position<'r> {
        Position::before_row(self.cells.order(), row)
    }

    /// Returns the row that the reader is at, if that row is before `end`.
    pub(crate) fn current_row_before(&self, end: Option<&Position<'_>>) -> Option<&'c [u8]> {
        let cell = self.at.as_ref()?.peek()?;
        end.is_none_or(|end| end.is_after(cell)).then(|| cell.row())
    }

    /// Reads the row that the reader is at, and goes to the next row. `found` is overwritten with
    /// the cells, sorted by family and qualifier, newest first.
    pub(crate) fn read_current_row(&mut self, found: &mut Vec<&'c StoredCell>) {
        found.clear();
        let Some(cursor) = &mut self.at else { return };
        let Some(row) = cursor.peek().map(StoredCell::row) else { return };
        let order = self.cells.order();
        let before = Position::before_row(order, row);
        self.query.read_row_at(cursor, before, self.read_point, self.now, found);
        cursor.seek(Position::after_row(order, row));
        if self.schema.families.iter().any(|family| family.gc_rule.is_some()) {
            remove_garbage(self.schema, found, self.now);
        }
    }

    /// Returns the cells of one row.
    pub(crate) fn read_row(&mut self, row: &[u8]) -> Vec<&'c StoredCell> {
        let mut found = Vec::new();
        self.seek(row);
        if self.current_row_before(None) == Some(row) {
            self.read_current_row(&mut found);
        }
        found
    }
}

/// Removes the versions that are garbage under a rule that HBase cannot express.
fn remove_garbage(schema: &RegionSchema, cells: &mut Vec<&StoredCell>, now: u64) {
    let same =
        |a: &StoredCell, b: &StoredCell| (a.family(), a.qualifier()) == (b.family(), b.qualifier());
    let mut column: Option<&StoredCell> = None;
    let mut nth = 0;
    cells.retain(|cell| {
        nth = if column.is_some_and(|of| same(of, cell)) { nth + 1 } else { 0 };
        column = Some(cell);
        let rule = schema.family(cell.family()).and_then(|family| family.gc_rule.as_ref());
        let age = Duration::from_millis(now.saturating_sub(cell.timestamp()));
        rule.is_none_or(|rule| !schema::is_garbage(rule, nth, age))
    });
}

impl RegionState {
    /// Returns the newest version in a column of a row, without reading the rest of the row.
    pub(crate) fn newest_version(
        &self,
        row: &[u8],
        family: &[u8],
        qualifier: &Bytes,
        now: u64,
    ) -> Option<Cow<'_, StoredCell>> {
        let family = self.schema.family(family)?;
        let query = RowQuery::of_column(family, Some(qualifier.clone()), 0..u64::MAX, 1);
        let newest = self.store.newest(row, query, now)?;
        let age = Duration::from_millis(now.saturating_sub(newest.timestamp()));
        let garbage = family.gc_rule.as_ref().is_some_and(|rule| schema::is_garbage(rule, 0, age));
        (!garbage).then_some(newest)
    }

    /// Returns the cell in a column of a row that has this timestamp.
    pub(crate) fn version_at(
        &self,
        row: &[u8],
        (family, qualifier): (&Family, &[u8]),
        timestamp: u64,
        now: u64,
    ) -> Option<Cow<'_, StoredCell>> {
        let qualifier = Some(Bytes::copy_from_slice(qualifier));
        let times = timestamp..timestamp.saturating_add(1);
        self.store.newest(row, RowQuery::of_column(family, qualifier, times, 1), now)
    }
}
