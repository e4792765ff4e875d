//! `FilterList`: all of its members must pass, or one of them.

use std::borrow::Cow;

use bytes::Bytes;

use super::{Filter, ReturnCode, Seek};
use crate::cell::StoredCell;

/// `MUST_PASS_ALL`. A cell that a member excludes is not shown to the members after it.
#[derive(Debug)]
pub(super) struct MustPassAll(pub(super) Vec<Box<dyn Filter>>);

impl Filter for MustPassAll {
    fn reset(&mut self) {
        self.0.iter_mut().for_each(|m| m.reset());
    }

    fn filter_all_remaining(&self) -> bool {
        self.0.iter().any(|m| m.filter_all_remaining())
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        // Every member is called, because some of them count.
        self.0.iter_mut().fold(false, |out, m| m.filter_row_key(row) | out)
    }

    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        let mut seek = Seek::Cell;
        for member in &mut self.0 {
            if member.filter_all_remaining() {
                return ReturnCode::NEXT_ROW;
            }
            let code = member.filter_cell(cell);
            seek = seek.max(code.seek);
            if !code.include {
                return ReturnCode { include: false, seek };
            }
        }
        ReturnCode { include: true, seek }
    }

    fn transform_cell<'c>(&self, cell: Cow<'c, StoredCell>) -> Cow<'c, StoredCell> {
        self.0.iter().fold(cell, |cell, m| m.transform_cell(cell))
    }

    fn has_filter_row(&self) -> bool {
        self.0.iter().any(|m| m.has_filter_row())
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.0.is_empty() || self.0.iter().any(|m| m.is_family_essential(family))
    }

    fn filter_row_cells(&mut self, cells: &mut Vec<Cow<'_, StoredCell>>) {
        self.0.iter_mut().for_each(|m| m.filter_row_cells(cells));
    }

    fn filter_row(&mut self) -> bool {
        self.0.iter_mut().any(|m| m.filter_row())
    }
}

/// `MUST_PASS_ONE`.
#[derive(Debug)]
pub(super) struct MustPassOne(Vec<Member>);

#[derive(Debug)]
struct Member {
    filter: Box<dyn Filter>,
    /// A seek of this member that is still in progress, and the column where it began.
    seeking: Option<(Seek, Bytes, Bytes)>,
    /// Whether it includes the current cell.
    includes: bool,
}

impl Member {
    /// Decides about a cell. A member that seeks is not called until its seek is over.
    fn filter_cell(&mut self, cell: &StoredCell) -> Option<ReturnCode> {
        self.includes = false;
        if self.filter.filter_all_remaining() {
            return None;
        }
        if let Some((seek, family, qualifier)) = &self.seeking
            && cell.family() == family
            && (*seek == Seek::Row || cell.qualifier() == qualifier)
        {
            return Some(ReturnCode { include: false, seek: *seek });
        }
        let code = self.filter.filter_cell(cell);
        let copy = Bytes::copy_from_slice;
        self.seeking = (code.seek > Seek::Cell)
            .then(|| (code.seek, copy(cell.family()), copy(cell.qualifier())));
        self.includes = code.include;
        Some(code)
    }
}

impl MustPassOne {
    pub(super) fn new(filters: Vec<Box<dyn Filter>>) -> Self {
        let member = |filter| Member { filter, seeking: None, includes: false };
        Self(filters.into_iter().map(member).collect())
    }
}

impl Filter for MustPassOne {
    fn reset(&mut self) {
        for member in &mut self.0 {
            member.filter.reset();
            member.seeking = None;
        }
    }

    fn filter_all_remaining(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(|m| m.filter.filter_all_remaining())
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        // Every member is called, because some of them count.
        let any = !self.0.is_empty();
        self.0.iter_mut().fold(any, |out, m| m.filter.filter_row_key(row) & out)
    }

    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        if self.0.is_empty() {
            return ReturnCode::INCLUDE;
        }
        let codes: Vec<_> = self.0.iter_mut().filter_map(|m| m.filter_cell(cell)).collect();
        ReturnCode {
            include: codes.iter().any(|c| c.include),
            seek: codes.iter().map(|c| c.seek).min().unwrap_or(Seek::Cell),
        }
    }

    fn transform_cell<'c>(&self, cell: Cow<'c, StoredCell>) -> Cow<'c, StoredCell> {
        let including = self.0.iter().filter(|m| m.includes);
        including.fold(cell, |cell, m| m.filter.transform_cell(cell))
    }

    fn has_filter_row(&self) -> bool {
        self.0.iter().any(|m| m.filter.has_filter_row())
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.0.is_empty() || self.0.iter().any(|m| m.filter.is_family_essential(family))
    }

    fn filter_row_cells(&mut self, cells: &mut Vec<Cow<'_, StoredCell>>) {
        self.0.iter_mut().for_each(|m| m.filter.filter_row_cells(cells));
    }

    fn filter_row(&mut self) -> bool {
        // The members after the first one that keeps the row are not called, so they do not count the row.
        !self.0.is_empty() && self.0.iter_mut().all(|m| m.filter.filter_row())
    }
}
