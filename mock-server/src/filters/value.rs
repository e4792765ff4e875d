//! Filters by the values of cells.

use std::borrow::Cow;
use std::collections::BTreeSet;

use bytes::Bytes;

use super::comparator::Comparison;
use super::{Filter, ReturnCode};
use crate::cells::StoredCell;

/// `ValueFilter`
#[derive(Debug)]
pub(super) struct Value(pub(super) Comparison);

impl Filter for Value {
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        ReturnCode::include_if(self.0.holds(cell.value()), ReturnCode::SKIP)
    }
}

/// `SingleColumnValueFilter` and, with `exclude`, `SingleColumnValueExcludeFilter`.
#[derive(Debug)]
pub(super) struct SingleColumnValue {
    pub(super) family: Bytes,
    pub(super) qualifier: Bytes,
    pub(super) comparison: Comparison,
    pub(super) filter_if_missing: bool,
    pub(super) latest_version_only: bool,
    pub(super) exclude: bool,
    pub(super) found: bool,
    pub(super) matched: bool,
}

impl Filter for SingleColumnValue {
    fn reset(&mut self) {
        (self.found, self.matched) = (false, false);
    }

    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        if self.matched {
            return ReturnCode::INCLUDE;
        }
        if self.latest_version_only && self.found {
            return ReturnCode::NEXT_ROW;
        }
        if !is_column(cell, &self.family, &self.qualifier) {
            return ReturnCode::INCLUDE;
        }
        self.found = true;
        self.matched = self.comparison.holds(cell.value());
        ReturnCode::include_if(self.matched || !self.latest_version_only, ReturnCode::NEXT_ROW)
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        !self.filter_if_missing || self.family == family
    }

    fn filter_row_cells(&mut self, cells: &mut Vec<Cow<'_, StoredCell>>) {
        if self.exclude {
            cells.retain(|c| !is_column(c, &self.family, &self.qualifier));
        }
    }

    fn filter_row(&mut self) -> bool {
        if self.found { !self.matched } else { self.filter_if_missing }
    }
}

/// `ColumnValueFilter`
#[derive(Debug)]
pub(super) struct ColumnValue {
    pub(super) family: Bytes,
    pub(super) qualifier: Bytes,
    pub(super) comparison: Comparison,
    pub(super) found: bool,
}

impl Filter for ColumnValue {
    fn reset(&mut self) {
        self.found = false;
    }

    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        if !is_column(cell, &self.family, &self.qualifier) {
            return if self.found { ReturnCode::NEXT_ROW } else { ReturnCode::NEXT_COL };
        }
        self.found = true;
        ReturnCode::include_if(self.comparison.holds(cell.value()), ReturnCode::SKIP)
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.family == family
    }
}

/// `DependentColumnFilter`
#[derive(Debug)]
pub(super) struct DependentColumn {
    pub(super) family: Bytes,
    pub(super) qualifier: Bytes,
    pub(super) comparison: Option<Comparison>,
    pub(super) drop_dependent_column: bool,
    pub(super) timestamps: BTreeSet<u64>,
}

impl Filter for DependentColumn {
    fn reset(&mut self) {
        self.timestamps.clear();
    }

    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        if !is_column(cell, &self.family, &self.qualifier) {
            return ReturnCode::INCLUDE;
        }
        if self.comparison.as_ref().is_some_and(|c| !c.holds(cell.value())) {
            return ReturnCode::SKIP;
        }
        self.timestamps.insert(cell.timestamp());
        ReturnCode::include_if(!self.drop_dependent_column, ReturnCode::SKIP)
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn filter_row_cells(&mut self, cells: &mut Vec<Cow<'_, StoredCell>>) {
        cells.retain(|c| self.timestamps.contains(&c.timestamp()));
    }
}

fn is_column(cell: &StoredCell, family: &[u8], qualifier: &[u8]) -> bool {
    cell.family() == family && cell.qualifier() == qualifier
}
