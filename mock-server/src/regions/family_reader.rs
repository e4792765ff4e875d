//! Reads one family of one row: decides which cells match, and where the read continues after each
//! cell.

use bytes::Bytes;
use tallrow_wire::cell::CellType;

use super::matcher::{ColumnMatcher, FamilyQuery};
use super::tracker::MatchCode;
use crate::cells::StoredCell;
use crate::filters::{Filter, Hint, Seek};
use crate::schema::Family;

/// The selection of a read in one family, and whether the read has ended there.
#[derive(Clone, Debug)]
pub(super) struct QueriedFamily {
    pub(super) family: Family,
    /// The selected qualifiers, sorted; none for all.
    pub(super) qualifiers: Option<Vec<Bytes>>,
    pub(super) query: FamilyQuery,
    /// The maximum number of versions of a column, counted after the filter.
    pub(super) versions_after_filter: u32,
    /// Whether the family is read only for rows that pass the filter, because the filter does not
    /// need the family.
    pub(super) on_demand: bool,
    /// Whether the read has ended because a filter excludes all that remains.
    pub(super) finished: bool,
    /// The row at which the read continues, after a hint of a filter.
    pub(super) continue_row: Option<Bytes>,
}

impl QueriedFamily {
    pub(super) fn new(
        family: &Family,
        qualifiers: Option<Vec<Bytes>>,
        query: FamilyQuery,
        versions_after_filter: u32,
    ) -> Self {
        let family = family.clone();
        let (on_demand, finished, continue_row) = (false, false, None);
        Self { family, qualifiers, query, versions_after_filter, on_demand, finished, continue_row }
    }

    /// Whether the read of the family has gone past a row, or has ended.
    pub(super) fn has_passed(&self, row: &[u8], reversed: bool) -> bool {
        let is_behind = |next: &Bytes| if reversed { row > &next[..] } else { row < &next[..] };
        self.finished || self.continue_row.as_ref().is_some_and(is_behind)
    }
}

/// Where the read of a family continues.
#[derive(Debug)]
pub(super) enum ContinueAt {
    /// At the next cell.
    NextCell,
    /// After the cells with this timestamp and kind, in a column with an empty qualifier.
    Version { timestamp: u64, kind: CellType },
    /// After this column.
    AfterColumn(Bytes),
    /// At this column.
    Column(Bytes),
    /// In this column, at the first cell that is not newer than this timestamp.
    Cell { qualifier: Bytes, timestamp: u64 },
    /// In the next row.
    NextRow,
}

/// A reader of one family of one row, with the rules of HBase's `StoreScanner` and
/// `UserScanQueryMatcher`.
pub(super) struct FamilyReader<'a> {
    pub(super) queried: &'a QueriedFamily,
    matcher: ColumnMatcher<'a>,
    reversed: bool,
    /// The column of the last cell that was read.
    qualifier: Option<Bytes>,
    /// How many of the selected qualifiers are done.
    qualifiers_done: usize,
    /// The number of versions of the current column that passed the filter.
    versions: u32,
    pub(super) matched_cells: u64,
    /// Whether the limit of cells of a family is reached.
    pub(super) is_full: bool,
    pub(super) continue_at: ContinueAt,
    /// Whether the read stays at the cell that it has returned.
    pub(super) stays_at_cell: bool,
    /// The row at which the read of the family continues, after a hint of the filter.
    pub(super) continue_row: Option<Bytes>,
}

impl<'a> FamilyReader<'a> {
    pub(super) fn new(queried: &'a QueriedFamily, now: u64, reversed: bool) -> Self {
        Self {
            queried,
            matcher: ColumnMatcher::new(&queried.family, now, queried.query.raw),
            reversed,
            qualifier: None,
            qualifiers_done: 0,
            versions: 0,
            matched_cells: 0,
            is_full: false,
            continue_at: ContinueAt::NextCell,
            stays_at_cell: false,
            continue_row: None,
        }
    }

    /// Whether a cell is before the position at which the read continues.
    pub(super) fn is_before_position(&self, cell: &StoredCell) -> bool {
        let qualifier = cell.qualifier();
        match &self.continue_at {
            ContinueAt::NextCell => false,
            ContinueAt::Version { timestamp, kind } => {
                self.qualifier.as_deref() == Some(qualifier)
                    && (cell.timestamp(), cell.kind()) == (*timestamp, *kind)
            }
            ContinueAt::AfterColumn(last) => qualifier == last,
            ContinueAt::Column(next) => qualifier < &next[..],
            ContinueAt::Cell { qualifier: next, timestamp } => {
                qualifier.cmp(&next[..]).then(timestamp.cmp(&cell.timestamp())).is_lt()
            }
            ContinueAt::NextRow => true,
        }
    }

    /// Returns whether the cell matches, and sets where the read continues after it.
    pub(super) fn match_cell(
        &mut self,
        cell: &StoredCell,
        filter: Option<&mut dyn Filter>,
    ) -> bool {
        self.continue_at = ContinueAt::NextCell;
        self.stays_at_cell = false;
        if self.qualifier.as_deref() != Some(cell.qualifier()) {
            self.qualifier = Some(Bytes::copy_from_slice(cell.qualifier()));
            self.matcher.next_column();
            self.versions = 0;
        }
        match self.matcher.match_read(cell, &self.queried.query) {
            MatchCode::Skip => return false,
            MatchCode::SeekNextCol => {
                self.leave_column(cell);
                return false;
            }
            MatchCode::Include | MatchCode::IncludeAndSeekNextCol => {}
        }
        if let Some(asked) = &self.queried.qualifiers {
            while asked.get(self.qualifiers_done).is_some_and(|q| &q[..] < cell.qualifier()) {
                self.qualifiers_done += 1;
            }
            if asked.get(self.qualifiers_done).is_none_or(|q| &q[..] != cell.qualifier()) {
                self.seek_column(cell);
                return false;
            }
        }
        let explicit = self.queried.qualifiers.is_some();
        let code = self.matcher.match_versions(cell, &self.queried.query, explicit);
        let mut seek = match code {
            MatchCode::Skip => return false,
            MatchCode::SeekNextCol => {
                self.seek_column(cell);
                return false;
            }
            MatchCode::Include => Seek::Cell,
            MatchCode::IncludeAndSeekNextCol => {
                self.finish_column(cell);
                if self.all_done() { Seek::Row } else { Seek::Column }
            }
        };
        let mut include = true;
        if let Some(filter) = filter {
            let code = filter.filter_cell(cell);
            include = code.include;
            match (code.include, code.seek) {
                (false, Seek::Hint) => {
                    let hint = filter.hint(cell);
                    self.follow(hint, cell);
                    return false;
                }
                (false, Seek::Column) if seek != Seek::Row => {
                    self.leave_column(cell);
                    return false;
                }
                (false, Seek::Cell | Seek::Column) => {}
                (_, to) => seek = seek.max(to),
            }
            if include {
                self.versions += 1;
                if self.versions > self.queried.versions_after_filter {
                    include = false;
                    seek = seek.max(Seek::Column);
                }
                if seek == Seek::Column {
                    self.finish_column(cell);
                }
            }
        }
        match seek {
            Seek::Cell => {}
            // A read that leaves its last column seeks the end of the column, and only there sees
            // that it needs nothing more of the row.
            Seek::Column if self.all_done() => self.continue_at = Self::after_column(cell),
            Seek::Column => self.seek_column(cell),
            Seek::Row | Seek::Hint => self.continue_at = ContinueAt::NextRow,
        }
        include
    }

    /// Continues at a hint if it is ahead in the direction of the read. A reversed read reads the
    /// cells of a row forward, and ignores hints within the row.
    fn follow(&mut self, hint: Option<Hint>, cell: &StoredCell) {
        match hint {
            Some(Hint::Row(row)) => {
                let order = row[..].cmp(cell.row());
                if if self.reversed { order.is_lt() } else { order.is_gt() } {
                    self.continue_row = Some(row);
                    self.continue_at = ContinueAt::NextRow;
                }
            }
            // A hint that is not ahead is at no cell that is still to be read.
            Some(Hint::Column { qualifier, timestamp }) if !self.reversed => {
                self.continue_at = ContinueAt::Cell { qualifier, timestamp };
            }
            _ => {}
        }
    }

    /// Whether all selected qualifiers are done.
    fn all_done(&self) -> bool {
        self.queried.qualifiers.as_ref().is_some_and(|asked| self.qualifiers_done >= asked.len())
    }

    /// Counts the selected qualifier of a cell as done.
    fn finish_column(&mut self, cell: &StoredCell) {
        if self.queried.family.new_version_behavior && !self.queried.query.raw {
            return;
        }
        if let Some(asked) = &self.queried.qualifiers {
            while asked.get(self.qualifiers_done).is_some_and(|q| &q[..] <= cell.qualifier()) {
                self.qualifiers_done += 1;
            }
        }
    }

    /// Continues at the next column that can match.
    fn leave_column(&mut self, cell: &StoredCell) {
        self.finish_column(cell);
        self.seek_column(cell);
    }

    fn seek_column(&mut self, cell: &StoredCell) {
        let next = self.queried.qualifiers.as_ref().map(|asked| asked.get(self.qualifiers_done));
        self.continue_at = match next {
            Some(None) => ContinueAt::NextRow,
            _ if cell.qualifier().is_empty() => Self::after_column(cell),
            Some(Some(next)) if &next[..] <= cell.qualifier() => {
                self.stays_at_cell = true;
                ContinueAt::NextCell
            }
            Some(Some(next)) => ContinueAt::Column(next.clone()),
            None => Self::after_column(cell),
        };
    }

    /// The position after the column of a cell. In a column with an empty qualifier, markers of the
    /// family may follow, so that only the version is left.
    fn after_column(cell: &StoredCell) -> ContinueAt {
        match cell.qualifier() {
            [] => ContinueAt::Version { timestamp: cell.timestamp(), kind: cell.kind() },
            qualifier => ContinueAt::AfterColumn(Bytes::copy_from_slice(qualifier)),
        }
    }
}
