//! `FilterList`: all of its members must pass, or one of them.

use std::borrow::Cow;

use bytes::Bytes;

use super::{Code, Filter};
use crate::cells::StoredCell;

/// `MUST_PASS_ALL`. A cell that a member refuses is not shown to the members behind it.
#[derive(Clone, Debug)]
pub(crate) struct All {
    members: Vec<Filter>,
}

impl All {
    pub(super) fn new(members: Vec<Filter>) -> Self {
        Self { members }
    }

    pub(super) fn reset(&mut self) {
        self.members.iter_mut().for_each(Filter::reset);
    }

    pub(super) fn done(&self) -> bool {
        self.members.iter().any(Filter::done)
    }

    pub(super) fn row_is_out(&mut self, row: &[u8]) -> bool {
        // Every member is asked: some of them count.
        let mut out = false;
        for member in &mut self.members {
            out |= member.row_is_out(row);
        }
        out
    }

    pub(super) fn cell(&mut self, cell: &StoredCell) -> Code {
        let mut leap = 0;
        for member in &mut self.members {
            if member.done() {
                return Code::NextRow;
            }
            let code = member.cell(cell);
            leap = leap.max(code.leap());
            if !code.includes() {
                return Code::of(false, leap);
            }
        }
        Code::of(true, leap)
    }

    pub(super) fn shown<'c>(&self, cell: Cow<'c, StoredCell>) -> Cow<'c, StoredCell> {
        self.members.iter().fold(cell, |cell, m| m.shown(cell))
    }

    pub(super) fn judges_rows(&self) -> bool {
        self.members.iter().any(Filter::judges_rows)
    }

    pub(super) fn needs(&self, family: &[u8]) -> bool {
        self.members.is_empty() || self.members.iter().any(|m| m.needs(family))
    }

    pub(super) fn row_cells(&mut self, cells: &mut Vec<Cow<'_, StoredCell>>) {
        self.members.iter_mut().for_each(|m| m.row_cells(cells));
    }

    pub(super) fn row_was_out(&mut self) -> bool {
        self.members.iter_mut().any(Filter::row_was_out)
    }
}

/// `MUST_PASS_ONE`.
#[derive(Clone, Debug)]
pub(crate) struct Any {
    members: Vec<Member>,
}

#[derive(Clone, Debug)]
struct Member {
    filter: Filter,
    /// What it said last in this row, and about which column.
    said: Option<(Code, Bytes, Bytes)>,
    /// Whether it lets the cell at hand through.
    includes: bool,
}

impl Member {
    /// What it says about a cell. One that leapt is not asked before it lands.
    fn cell(&mut self, cell: &StoredCell) -> Option<Code> {
        self.includes = false;
        if self.filter.done() {
            return None;
        }
        if let Some((code, family, qualifier)) = &self.said
            && cell.family() == family
            && (code.leap() == 2 || (code.leap() == 1 && cell.qualifier() == qualifier))
        {
            return Some(Code::of(false, code.leap()));
        }
        let code = self.filter.cell(cell);
        let copy = Bytes::copy_from_slice;
        self.said = (code.leap() > 0).then(|| (code, copy(cell.family()), copy(cell.qualifier())));
        self.includes = code.includes();
        Some(code)
    }
}

impl Any {
    pub(super) fn new(members: Vec<Filter>) -> Self {
        let member = |filter| Member { filter, said: None, includes: false };
        Self { members: members.into_iter().map(member).collect() }
    }

    pub(super) fn reset(&mut self) {
        for member in &mut self.members {
            member.filter.reset();
            member.said = None;
        }
    }

    pub(super) fn done(&self) -> bool {
        !self.members.is_empty() && self.members.iter().all(|m| m.filter.done())
    }

    pub(super) fn row_is_out(&mut self, row: &[u8]) -> bool {
        let mut out = !self.members.is_empty();
        for member in &mut self.members {
            out &= member.filter.row_is_out(row);
        }
        out
    }

    pub(super) fn cell(&mut self, cell: &StoredCell) -> Code {
        if self.members.is_empty() {
            return Code::Include;
        }
        let codes: Vec<Code> = self.members.iter_mut().filter_map(|m| m.cell(cell)).collect();
        let includes = codes.iter().any(|c| c.includes());
        Code::of(includes, codes.iter().map(|c| c.leap()).min().unwrap_or(0))
    }

    pub(super) fn shown<'c>(&self, cell: Cow<'c, StoredCell>) -> Cow<'c, StoredCell> {
        let including = self.members.iter().filter(|m| m.includes);
        including.fold(cell, |cell, m| m.filter.shown(cell))
    }

    pub(super) fn judges_rows(&self) -> bool {
        self.members.iter().any(|m| m.filter.judges_rows())
    }

    pub(super) fn needs(&self, family: &[u8]) -> bool {
        self.members.is_empty() || self.members.iter().any(|m| m.filter.needs(family))
    }

    pub(super) fn row_cells(&mut self, cells: &mut Vec<Cow<'_, StoredCell>>) {
        self.members.iter_mut().for_each(|m| m.filter.row_cells(cells));
    }

    pub(super) fn row_was_out(&mut self) -> bool {
        // The first member that keeps the row ends the question, so members behind it do not count the row.
        !self.members.is_empty() && self.members.iter_mut().all(|m| m.filter.row_was_out())
    }
}
