//! Filters that contain another filter and change its decisions. As in HBase, the inner filter is
//! not told that a scan is reversed, and its hints are not used.

use std::borrow::Cow;

use super::{Filter, ReturnCode};
use crate::cells::StoredCell;

/// `SkipFilter`
#[derive(Debug)]
pub(super) struct Skip {
    pub(super) inner: Box<dyn Filter>,
    pub(super) row_excluded: bool,
}

impl Filter for Skip {
    fn reset(&mut self) {
        self.row_excluded = false;
        self.inner.reset();
    }

    fn filter_row_key(&mut self, _: &[u8]) -> bool {
        false
    }

    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        let code = self.inner.filter_cell(cell);
        self.row_excluded |= code != ReturnCode::INCLUDE;
        code
    }

    fn transform_cell<'c>(&self, cell: Cow<'c, StoredCell>) -> Cow<'c, StoredCell> {
        self.inner.transform_cell(cell)
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.inner.is_family_essential(family)
    }

    fn filter_row(&mut self) -> bool {
        self.row_excluded
    }
}

/// `WhileMatchFilter`
#[derive(Debug)]
pub(super) struct WhileMatch {
    pub(super) inner: Box<dyn Filter>,
    pub(super) done: bool,
}

impl Filter for WhileMatch {
    fn reset(&mut self) {
        self.inner.reset();
    }

    fn filter_all_remaining(&self) -> bool {
        self.done || self.inner.filter_all_remaining()
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        if self.filter_all_remaining() {
            return true;
        }
        let out = self.inner.filter_row_key(row);
        self.done |= out;
        out
    }

    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        let code = self.inner.filter_cell(cell);
        self.done |= code != ReturnCode::INCLUDE;
        code
    }

    fn transform_cell<'c>(&self, cell: Cow<'c, StoredCell>) -> Cow<'c, StoredCell> {
        self.inner.transform_cell(cell)
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.inner.is_family_essential(family)
    }

    fn filter_row(&mut self) -> bool {
        let out = self.inner.filter_row();
        self.done |= out;
        out
    }
}
