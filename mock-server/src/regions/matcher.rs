//! Decides which cells of a row a read returns and which a flush or compaction keeps, by delete
//! markers, versions and time to live.
//!
//! The rules are those of HBase's `ScanDeleteTracker`, `ScanWildcardColumnTracker` and the query
//! matchers.
//!
//! # Invariants
//!
//! - Families retain what their options specify, as on HBase. Tests:
//!   `tests/suites/client/retention.rs`.

use std::ops::Range;

use super::new_versions::NewVersionTracker;
use super::tracker::{DeleteTracker, Deleted, MatchCode, VersionTracker};
use crate::cells::StoredCell;
use crate::schema::{Family, KeepDeleted};

/// A matcher for the cells of one family of one row, in order.
#[derive(Debug)]
pub(super) struct ColumnMatcher<'a> {
    family: &'a Family,
    now: u64,
    oldest: u64,
    deletes: DeleteTracker,
    versions: VersionTracker,
    /// The tracker that replaces `deletes` and `versions` if the family has `NEW_VERSION_BEHAVIOR`.
    new_versions: Option<NewVersionTracker>,
    column_done: bool,
}

/// The selection of a read in one family.
#[derive(Clone, Debug)]
pub(super) struct FamilyQuery {
    /// The selected timestamps.
    pub(super) times: Range<u64>,
    /// The maximum number of versions of a column that a filter sees.
    pub(super) max_versions: u32,
    /// The maximum number of versions of a column that the read returns.
    pub(super) wanted_versions: u32,
    /// Whether delete markers and deleted cells are returned too.
    pub(super) raw: bool,
}

impl<'a> ColumnMatcher<'a> {
    /// Makes a matcher for a read or compaction of a family; a raw read returns expired cells too.
    pub(super) fn new(family: &'a Family, now: u64, raw: bool) -> Self {
        Self {
            family,
            now,
            oldest: if raw { 0 } else { family.oldest_unexpired(now) },
            deletes: DeleteTracker::default(),
            versions: VersionTracker::default(),
            new_versions: (family.new_version_behavior && !raw)
                .then(|| NewVersionTracker::new(family.max_versions, family.min_versions)),
            column_done: false,
        }
    }

    /// Starts a new column.
    pub(super) fn next_column(&mut self) {
        self.deletes.next_column();
        self.versions = VersionTracker::default();
        self.column_done = false;
    }

    /// Matches a cell for a read, regardless of the columns and the number of versions that the
    /// read selects.
    pub(super) fn match_read(&mut self, cell: &StoredCell, query: &FamilyQuery) -> MatchCode {
        let timestamp = cell.timestamp();
        if let Some(code) = self.expired(cell) {
            return code;
        }
        if cell.is_delete() && !query.raw {
            let applies = timestamp >= query.times.start
                && (timestamp < query.times.end || self.family.keep_deleted == KeepDeleted::No);
            if applies {
                self.add_marker(cell);
            }
            return MatchCode::Skip;
        }
        match self.is_deleted(cell) {
            Some(Deleted::Rest) => return MatchCode::SeekNextCol,
            Some(Deleted::Version) => return MatchCode::Skip,
            None => {}
        }
        if timestamp >= query.times.end {
            return MatchCode::Skip;
        }
        match timestamp < query.times.start {
            true => MatchCode::SeekNextCol,
            false => MatchCode::Include,
        }
    }

    /// Counts the versions of a column for a read; `named` says whether the read names its columns.
    pub(super) fn match_versions(
        &mut self,
        cell: &StoredCell,
        query: &FamilyQuery,
        named: bool,
    ) -> MatchCode {
        let (limit, min_versions) = (query.max_versions, self.family.min_versions);
        match &mut self.new_versions {
            // The tracker does not know about filters: it never returns more versions than the read
            // wants.
            Some(tracker) => tracker.check(cell, query.wanted_versions, self.oldest),
            None if named => self.versions.check_explicit(cell, limit, min_versions, self.oldest),
            None => self.versions.check(cell, limit, min_versions, self.oldest),
        }
    }

    fn add_marker(&mut self, marker: &StoredCell) {
        match &mut self.new_versions {
            Some(tracker) => tracker.add(marker),
            None => self.deletes.add(marker),
        }
    }

    fn is_deleted(&mut self, cell: &StoredCell) -> Option<Deleted> {
        match &mut self.new_versions {
            Some(tracker) => tracker.is_deleted(cell).then_some(Deleted::Version),
            None => self.deletes.is_deleted(cell.timestamp()),
        }
    }

    /// Whether a flush or minor compaction keeps a cell. Cells that were written after the smallest
    /// read point are newer than what an open scanner reads, and are kept.
    pub(super) fn flush_keeps(&mut self, cell: &StoredCell, smallest_read_point: u64) -> bool {
        let code = self.match_flush(cell, smallest_read_point);
        self.keeps(code)
    }

    fn match_flush(&mut self, cell: &StoredCell, smallest_read_point: u64) -> MatchCode {
        // What was deleted, and when, is known only if a whole row is read
        // (`IncludeAllCompactionQueryMatcher`).
        if self.new_versions.is_some() {
            return MatchCode::Include;
        }
        if let Some(code) = self.expired(cell) {
            return code;
        }
        if cell.is_delete() {
            if cell.sequence_id() <= smallest_read_point {
                self.track(cell);
            }
            return MatchCode::Include;
        }
        self.check_deletes_and_versions(cell, smallest_read_point)
    }

    /// Whether a major compaction keeps a cell; `oldest_put` is the smallest timestamp of a put in
    /// the family.
    pub(super) fn compaction_keeps(
        &mut self,
        cell: &StoredCell,
        smallest_read_point: u64,
        oldest_put: u64,
    ) -> bool {
        let code = self.match_compact(cell, smallest_read_point, oldest_put);
        self.keeps(code)
    }

    fn match_compact(
        &mut self,
        cell: &StoredCell,
        smallest_read_point: u64,
        oldest_put: u64,
    ) -> MatchCode {
        if let Some(code) = self.expired(cell) {
            return code;
        }
        if !cell.is_delete() {
            return self.check_deletes_and_versions(cell, smallest_read_point);
        }
        if cell.sequence_id() > smallest_read_point {
            return MatchCode::Include;
        }
        self.track(cell);
        let kept = match self.family.keep_deleted {
            KeepDeleted::No => false,
            KeepDeleted::Yes => true,
            KeepDeleted::UntilExpired => cell.timestamp() >= self.oldest,
        };
        if !kept {
            return MatchCode::Skip;
        }
        if cell.timestamp() < oldest_put {
            return MatchCode::SeekNextCol;
        }
        self.check_versions(cell, smallest_read_point)
    }

    fn check_deletes_and_versions(
        &mut self,
        cell: &StoredCell,
        smallest_read_point: u64,
    ) -> MatchCode {
        match self.is_deleted(cell) {
            Some(Deleted::Rest) => MatchCode::SeekNextCol,
            Some(Deleted::Version) => MatchCode::Skip,
            None => self.check_versions(cell, smallest_read_point),
        }
    }

    fn check_versions(&mut self, cell: &StoredCell, smallest_read_point: u64) -> MatchCode {
        if cell.sequence_id() > smallest_read_point {
            return MatchCode::Include;
        }
        let (max, min) = (self.family.max_versions, self.family.min_versions);
        match &mut self.new_versions {
            Some(tracker) => tracker.check(cell, max, self.oldest),
            None => self.versions.check(cell, max, min, self.oldest),
        }
    }

    fn track(&mut self, marker: &StoredCell) {
        let tracked = match self.family.keep_deleted {
            KeepDeleted::No => true,
            KeepDeleted::Yes => false,
            KeepDeleted::UntilExpired => marker.timestamp() < self.oldest,
        };
        if tracked {
            self.add_marker(marker);
        }
    }

    fn expired(&self, cell: &StoredCell) -> Option<MatchCode> {
        // In a column with an empty qualifier, markers of the family may follow, so that only the
        // version is left (`ScanQueryMatcher.getKeyForNextColumn`), and each cell is looked at.
        if self.column_done && !cell.qualifier().is_empty() {
            return Some(MatchCode::SeekNextCol);
        }
        let all_expire = self.family.min_versions == 0 && self.new_versions.is_none();
        if all_expire && cell.timestamp() < self.oldest {
            return Some(MatchCode::SeekNextCol);
        }
        // As in Java, a sum that overflows is in the past.
        let end = |ttl| cell.timestamp().cast_signed().wrapping_add(ttl);
        let over = cell.ttl().is_some_and(|ttl| end(ttl) < self.now.cast_signed());
        over.then_some(MatchCode::Skip)
    }

    /// Whether a flush or compaction keeps the cell.
    fn keeps(&mut self, code: MatchCode) -> bool {
        self.column_done |=
            matches!(code, MatchCode::SeekNextCol | MatchCode::IncludeAndSeekNextCol);
        matches!(code, MatchCode::Include | MatchCode::IncludeAndSeekNextCol)
    }
}
