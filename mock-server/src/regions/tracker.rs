//! The state of a read of one family of one row: the delete markers so far, the versions of the
//! current column, and the resulting decision about a cell.
//!
//! The rules are those of HBase's `ScanDeleteTracker` and `ScanWildcardColumnTracker`.

use tallrow_wire::cell::CellType;

use crate::cells::StoredCell;

/// The decision about a cell, as in HBase's `ScanQueryMatcher.MatchCode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MatchCode {
    /// The cell is included.
    Include,
    /// The cell is included, and the rest of its column is skipped.
    IncludeAndSeekNextCol,
    /// The cell is skipped.
    Skip,
    /// The cell and the rest of its column are skipped.
    SeekNextCol,
}

/// The delete markers found so far in one family of one row.
#[derive(Debug, Default)]
pub(super) struct DeleteTracker {
    /// The timestamp of the newest `DeleteFamily`.
    family: Option<u64>,
    /// The timestamps of `DeleteFamilyVersion` markers.
    family_versions: Vec<u64>,
    /// The strongest marker of the current column that still applies.
    column: Option<(CellType, u64)>,
}

impl DeleteTracker {
    /// Starts a new column; the markers of the family stay.
    pub(super) fn next_column(&mut self) {
        self.column = None;
    }

    pub(super) fn add(&mut self, marker: &StoredCell) {
        let timestamp = marker.timestamp();
        if self.family.is_some_and(|family| timestamp <= family) {
            return;
        }
        match marker.kind() {
            CellType::DeleteFamily => self.family = Some(timestamp),
            CellType::DeleteFamilyVersion => self.family_versions.push(timestamp),
            kind if self.column.is_some_and(|(strongest, _)| kind < strongest) => {}
            kind => self.column = Some((kind, timestamp)),
        }
    }

    pub(super) fn is_deleted(&mut self, timestamp: u64) -> Option<Deleted> {
        if self.family.is_some_and(|family| timestamp <= family) {
            return Some(Deleted::Rest);
        }
        if self.family_versions.contains(&timestamp) {
            return Some(Deleted::Version);
        }
        match self.column {
            Some((CellType::DeleteColumn, _)) => Some(Deleted::Rest),
            Some((_, at)) if at == timestamp => Some(Deleted::Version),
            Some(_) => {
                self.column = None;
                None
            }
            None => None,
        }
    }
}

/// The cells that a marker deletes.
pub(super) enum Deleted {
    /// This version.
    Version,
    /// This version and every older one of the column.
    Rest,
}

/// A counter of the versions of one column.
#[derive(Debug, Default)]
pub(super) struct VersionTracker {
    count: u32,
    last: Option<(u64, CellType)>,
}

impl VersionTracker {
    /// Counts a cell against a limit; a repetition of the previous cell is skipped.
    pub(super) fn check(
        &mut self,
        cell: &StoredCell,
        limit: u32,
        min_versions: u32,
        oldest: u64,
    ) -> MatchCode {
        let this = (cell.timestamp(), cell.kind());
        if self.last == Some(this) {
            return MatchCode::Skip;
        }
        if !cell.is_delete() {
            self.count = self.count.saturating_add(1);
        }
        if self.count > limit || (self.count > min_versions && cell.timestamp() < oldest) {
            return MatchCode::SeekNextCol;
        }
        self.last = Some(this);
        MatchCode::Include
    }

    /// Like [`check`](Self::check), for a column that a read names: after the last version that it
    /// wants, the read leaves the column.
    pub(super) fn check_explicit(
        &mut self,
        cell: &StoredCell,
        limit: u32,
        min_versions: u32,
        oldest: u64,
    ) -> MatchCode {
        if self.last.is_some_and(|(timestamp, _)| timestamp == cell.timestamp()) {
            return MatchCode::Skip;
        }
        self.count = self.count.saturating_add(1);
        if self.count >= limit || (self.count >= min_versions && cell.timestamp() < oldest) {
            return MatchCode::IncludeAndSeekNextCol;
        }
        self.last = Some((cell.timestamp(), cell.kind()));
        MatchCode::Include
    }
}
