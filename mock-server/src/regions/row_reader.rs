//! Whole rows, with every version that the schema keeps.

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;

use super::query::RowQuery;
use super::region::RegionState;
use crate::cell::{Position, StoredCell};
use crate::schema::{self, Schema};

/// Reads whole rows.
#[derive(Debug)]
pub(crate) struct RowReader {
    query: RowQuery,
}

impl RowReader {
    /// A reader of rows with this schema.
    pub(crate) fn new(schema: &Schema) -> Self {
        Self { query: RowQuery::all_versions(schema) }
    }

    /// The cells of a row: by family and qualifier, the newest first.
    pub(crate) fn read<'c>(
        &mut self,
        state: &'c RegionState,
        row: &[u8],
        now: u64,
    ) -> Vec<Cow<'c, StoredCell>> {
        let read_point = state.store.sequence_id();
        let mut cells = self.query.read_row(state.store.cells(), row, read_point, now);
        if state.schema.families.iter().any(|family| family.gc_rule.is_some()) {
            remove_garbage(&state.schema, &mut cells, now);
        }
        cells
    }
}

/// Removes the versions that are garbage by a rule that HBase cannot express.
fn remove_garbage(schema: &Schema, cells: &mut Vec<Cow<'_, StoredCell>>, now: u64) {
    let same =
        |a: &StoredCell, b: &StoredCell| (a.family(), a.qualifier()) == (b.family(), b.qualifier());
    let mut column: Option<Cow<'_, StoredCell>> = None;
    let mut nth = 0;
    cells.retain(|cell| {
        nth = if column.as_ref().is_some_and(|of| same(of, cell)) { nth + 1 } else { 0 };
        column = Some(cell.clone());
        let rule = schema.family(cell.family()).and_then(|family| family.gc_rule.as_ref());
        let age = Duration::from_millis(now.saturating_sub(cell.timestamp()));
        rule.is_none_or(|rule| !schema::is_garbage(rule, nth, age))
    });
}

impl RegionState {
    /// The newest version in a column of a row, without a look at the others.
    pub(crate) fn newest_version(
        &self,
        row: &[u8],
        family: &[u8],
        qualifier: &Bytes,
        now: u64,
    ) -> Option<Cow<'_, StoredCell>> {
        let family = self.schema.family(family)?;
        let query = RowQuery::of_column(family, Some(qualifier.clone()), (0, u64::MAX), 1);
        let newest = self.store.newest(row, query, now)?;
        let age = Duration::from_millis(now.saturating_sub(newest.timestamp()));
        let garbage = family.gc_rule.as_ref().is_some_and(|rule| schema::is_garbage(rule, 0, age));
        (!garbage).then_some(newest)
    }

    /// The first row from `from` on.
    pub(crate) fn row_from(&self, from: &[u8]) -> Option<&[u8]> {
        self.store.cells().row(from).next().map(StoredCell::row)
    }

    /// The first row after `row`.
    pub(crate) fn row_after(&self, row: &[u8]) -> Option<&[u8]> {
        let cells = self.store.cells();
        cells.cursor(Position::after_row(cells.order(), row)).next().map(StoredCell::row)
    }

    /// The last row before `end`; the last one of all if it is none.
    pub(crate) fn row_before(&self, end: Option<&[u8]>) -> Option<&[u8]> {
        let cells = self.store.cells();
        let last = match end {
            Some(end) => cells.last_before(Position::before_row(cells.order(), end), |_| true),
            None => cells.last(|_| true),
        };
        last.map(StoredCell::row)
    }
}
