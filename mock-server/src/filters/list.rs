//! `FilterList`: either all of its members must pass, or one of them.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::{Filter, Hint, ReturnCode, Seek};
use crate::cells::StoredCell;

/// `MUST_PASS_ALL`. A cell that a member excludes is not shown to the members after it, except to
/// those that give hints.
#[derive(Debug)]
pub(super) struct MustPassAll {
    members: Vec<Box<dyn Filter>>,
    /// The indexes of the members that gave a hint for the last cell.
    hinted: Vec<usize>,
    reversed: bool,
}

impl MustPassAll {
    pub(super) fn new(members: Vec<Box<dyn Filter>>, reversed: bool) -> Self {
        Self { members, hinted: Vec::new(), reversed }
    }
}

/// Compares two hints for a cell in the direction of a scan.
fn compare_hints(a: &Hint, b: &Hint, cell: &StoredCell, reversed: bool) -> Ordering {
    let order = a.compare_with(b, cell.row());
    if reversed { order.reverse() } else { order }
}

impl Filter for MustPassAll {
    fn reset(&mut self) {
        self.members.iter_mut().for_each(|m| m.reset());
        self.hinted.clear();
    }

    fn filter_all_remaining(&self) -> bool {
        self.members.iter().any(|m| m.filter_all_remaining())
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        // Every member is called, because some of them count.
        let (mut out, mut hinting_passed) = (false, false);
        for member in &mut self.members {
            if member.filter_all_remaining() {
                return true;
            }
            match member.filter_row_key(row) {
                true => out = true,
                false => hinting_passed |= member.gives_hints(),
            }
        }
        out && !hinting_passed
    }

    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        self.hinted.clear();
        let mut all = ReturnCode::INCLUDE;
        for (at, member) in self.members.iter_mut().enumerate() {
            if !all.include && !member.gives_hints() {
                continue;
            }
            if all.include && member.filter_all_remaining() {
                all = ReturnCode::NEXT_ROW;
                continue;
            }
            let code = member.filter_cell(cell);
            if code == ReturnCode::SEEK_NEXT_USING_HINT {
                self.hinted.push(at);
            }
            if all.include {
                all = ReturnCode { include: code.include, seek: all.seek.max(code.seek) };
            }
        }
        if self.hinted.is_empty() { all } else { ReturnCode::SEEK_NEXT_USING_HINT }
    }

    fn hint(&mut self, cell: &StoredCell) -> Option<Hint> {
        let mut last: Option<Hint> = None;
        for at in &self.hinted {
            let Some(member) = self.members.get_mut(*at) else { continue };
            if member.filter_all_remaining() {
                continue;
            }
            // HBase throws an exception if one of several members has no hint.
            if let Some(hint) = member.hint(cell)
                && last
                    .as_ref()
                    .is_none_or(|last| compare_hints(last, &hint, cell, self.reversed).is_lt())
            {
                last = Some(hint);
            }
        }
        last
    }

    fn transform_cell<'c>(&self, cell: Cow<'c, StoredCell>) -> Cow<'c, StoredCell> {
        self.members.iter().fold(cell, |cell, m| m.transform_cell(cell))
    }

    fn has_filter_row(&self) -> bool {
        self.members.iter().any(|m| m.has_filter_row())
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.members.is_empty() || self.members.iter().any(|m| m.is_family_essential(family))
    }

    fn filter_row_cells(&mut self, cells: &mut Vec<Cow<'_, StoredCell>>) {
        self.members.iter_mut().for_each(|m| m.filter_row_cells(cells));
    }

    fn filter_row(&mut self) -> bool {
        self.members.iter_mut().any(|m| m.filter_row())
    }
}

/// `MUST_PASS_ONE`.
#[derive(Debug)]
pub(super) struct MustPassOne {
    members: Vec<Member>,
    reversed: bool,
}

#[derive(Debug)]
struct Member {
    filter: Box<dyn Filter>,
    /// A seek of this member that is still in progress, with the last cell that it skipped.
    seeking: Option<(Seek, StoredCell)>,
    /// Whether the member includes the current cell.
    includes: bool,
}

impl Member {
    /// Decides about a cell. While a member seeks, its filter is not called.
    fn filter_cell(&mut self, cell: &StoredCell, reversed: bool) -> Option<ReturnCode> {
        self.includes = false;
        if self.filter.filter_all_remaining() {
            return None;
        }
        let skipped = self.seeking.take().and_then(|(seek, last)| {
            let skips = match seek {
                Seek::Cell => false,
                Seek::Column => {
                    (last.family(), last.qualifier()) == (cell.family(), cell.qualifier())
                }
                Seek::Row => last.family() == cell.family(),
                // HBase's `FilterListWithOR` asks for the hint of the last cell again. In a
                // reversed scan, it takes cells after the hint as cells before it.
                Seek::Hint => self.filter.hint(&last).is_some_and(|hint| {
                    let order = hint.compare(&last, cell);
                    if reversed { order.is_lt() } else { order.is_gt() }
                }),
            };
            skips.then_some(ReturnCode { include: false, seek })
        });
        let code = skipped.unwrap_or_else(|| self.filter.filter_cell(cell));
        self.seeking = (code.seek > Seek::Cell).then(|| (code.seek, cell.clone()));
        self.includes = code.include;
        Some(code)
    }
}

impl MustPassOne {
    pub(super) fn new(filters: Vec<Box<dyn Filter>>, reversed: bool) -> Self {
        let member = |filter| Member { filter, seeking: None, includes: false };
        Self { members: filters.into_iter().map(member).collect(), reversed }
    }
}

impl Filter for MustPassOne {
    fn reset(&mut self) {
        for member in &mut self.members {
            member.filter.reset();
            member.seeking = None;
            member.includes = false;
        }
    }

    fn filter_all_remaining(&self) -> bool {
        !self.members.is_empty() && self.members.iter().all(|m| m.filter.filter_all_remaining())
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        // Every member is called, because some of them count.
        let any = !self.members.is_empty();
        self.members.iter_mut().fold(any, |out, Member { filter, .. }| {
            (filter.filter_all_remaining() || filter.filter_row_key(row)) & out
        })
    }

    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        if self.members.is_empty() {
            return ReturnCode::INCLUDE;
        }
        let codes: Vec<_> =
            self.members.iter_mut().filter_map(|m| m.filter_cell(cell, self.reversed)).collect();
        let seek = match codes.iter().filter(|code| code.seek == Seek::Hint).count() {
            0 => codes.iter().map(|c| c.seek).min().unwrap_or(Seek::Cell),
            all if all == codes.len() => Seek::Hint,
            _ => Seek::Cell,
        };
        ReturnCode { include: codes.iter().any(|c| c.include), seek }
    }

    fn hint(&mut self, cell: &StoredCell) -> Option<Hint> {
        let mut first: Option<Hint> = None;
        for Member { filter, .. } in &mut self.members {
            if !filter.filter_all_remaining() {
                let hint = filter.hint(cell)?;
                let is_later =
                    |first: &Hint| compare_hints(first, &hint, cell, self.reversed).is_gt();
                if first.as_ref().is_none_or(is_later) {
                    first = Some(hint);
                }
            }
        }
        first
    }

    fn transform_cell<'c>(&self, cell: Cow<'c, StoredCell>) -> Cow<'c, StoredCell> {
        let including = self.members.iter().filter(|m| m.includes);
        including.fold(cell, |cell, m| m.filter.transform_cell(cell))
    }

    fn has_filter_row(&self) -> bool {
        self.members.iter().any(|m| m.filter.has_filter_row())
    }

    fn is_family_essential(&self, family: &[u8]) -> bool {
        self.members.is_empty() || self.members.iter().any(|m| m.filter.is_family_essential(family))
    }

    fn filter_row_cells(&mut self, cells: &mut Vec<Cow<'_, StoredCell>>) {
        self.members.iter_mut().for_each(|m| m.filter.filter_row_cells(cells));
    }

    fn filter_row(&mut self) -> bool {
        // The members after the first one that keeps the row are not called, so they do not count
        // the row.
        !self.members.is_empty() && self.members.iter_mut().all(|m| m.filter.filter_row())
    }
}
