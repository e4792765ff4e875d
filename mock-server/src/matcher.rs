//! Which cells of a row are seen, by a read or by a flush or compaction: delete markers, versions, time to live.
//!
//! The rules are those of HBase's `ScanDeleteTracker`, `ScanWildcardColumnTracker` and the query matchers.

use tallrow_wire::cell::CellType;

use crate::cell::StoredCell;
use crate::schema::{Family, KeepDeleted};

/// The delete markers met so far in one family of one row.
#[derive(Debug, Default)]
pub(crate) struct DeleteTracker {
    /// The newest DeleteFamily.
    family: Option<u64>,
    /// Timestamps of DeleteFamilyVersion.
    family_versions: Vec<u64>,
    /// The strongest marker of the current column that still counts.
    column: Option<(CellType, u64)>,
}

impl DeleteTracker {
    /// A new column starts; markers of the family stay.
    fn next_column(&mut self) {
        self.column = None;
    }

    fn add(&mut self, marker: &StoredCell) {
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

    fn masks(&mut self, timestamp: u64) -> Option<Mask> {
        if self.family.is_some_and(|family| timestamp <= family) {
            return Some(Mask::Rest);
        }
        if self.family_versions.contains(&timestamp) {
            return Some(Mask::One);
        }
        match self.column {
            Some((CellType::DeleteColumn, _)) => Some(Mask::Rest),
            Some((_, at)) if at == timestamp => Some(Mask::One),
            Some(_) => {
                self.column = None;
                None
            }
            None => None,
        }
    }
}

/// What a marker hides.
enum Mask {
    /// This version.
    One,
    /// This and every older version of the column.
    Rest,
}

/// What becomes of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is seen.
    Include,
    /// It is not seen.
    Skip,
    /// It is not seen, nor is any later cell of its column.
    NextColumn,
}

/// Counts the versions of one column.
#[derive(Debug, Default)]
pub(crate) struct VersionTracker {
    count: u32,
    last: Option<(u64, CellType)>,
}

impl VersionTracker {
    /// Counts one more cell against a limit; a repetition of the cell before is skipped.
    fn check(&mut self, cell: &StoredCell, limit: u32, min: u32, oldest: u64) -> Verdict {
        let this = (cell.timestamp(), cell.kind());
        if self.last == Some(this) {
            return Verdict::Skip;
        }
        if !cell.is_delete() {
            self.count = self.count.saturating_add(1);
        }
        if self.count > limit || (self.count > min && cell.timestamp() < oldest) {
            return Verdict::NextColumn;
        }
        self.last = Some(this);
        Verdict::Include
    }
}

/// Judges the cells of one family of one row, in order.
#[derive(Debug)]
pub(crate) struct ColumnMatcher<'a> {
    family: &'a Family,
    now: u64,
    oldest: u64,
    deletes: DeleteTracker,
    versions: VersionTracker,
    column_done: bool,
}

/// What a read wants of one family.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// Timestamps from, inclusive.
    pub(crate) from: u64,
    /// Timestamps to, exclusive.
    pub(crate) to: u64,
    /// How many versions of a column the family and the read allow.
    pub(crate) versions: u32,
    /// Whether markers and masked cells are wanted too.
    pub(crate) raw: bool,
}

impl<'a> ColumnMatcher<'a> {
    /// For a read or a compaction of `family` at time `now`; `raw` reads see expired cells.
    pub(crate) fn new(family: &'a Family, now: u64, raw: bool) -> Self {
        Self {
            family,
            now,
            oldest: if raw { 0 } else { family.oldest_unexpired(now) },
            deletes: DeleteTracker::default(),
            versions: VersionTracker::default(),
            column_done: false,
        }
    }

    /// The next cell is of another column.
    pub(crate) fn next_column(&mut self) {
        self.deletes.next_column();
        self.versions = VersionTracker::default();
        self.column_done = false;
    }

    /// Whether no further cell of this column can be seen.
    pub(crate) fn column_done(&self) -> bool {
        self.column_done
    }

    /// Nothing more of this column is wanted.
    pub(crate) fn finish_column(&mut self) {
        self.column_done = true;
    }

    /// Judges a cell for a read; `selected` tells whether its column was asked for.
    pub(crate) fn read(&mut self, cell: &StoredCell, wanted: &Wanted, selected: bool) -> Verdict {
        let verdict = self.judge_read(cell, wanted, selected);
        self.settle(verdict)
    }

    fn judge_read(&mut self, cell: &StoredCell, wanted: &Wanted, selected: bool) -> Verdict {
        let timestamp = cell.timestamp();
        if let Some(verdict) = self.expired(cell) {
            return verdict;
        }
        if cell.is_delete() && !wanted.raw {
            let applies = timestamp >= wanted.from
                && (timestamp < wanted.to || self.family.keep_deleted == KeepDeleted::No);
            if applies {
                self.deletes.add(cell);
            }
            return Verdict::Skip;
        }
        match self.deletes.masks(timestamp) {
            Some(Mask::Rest) => return Verdict::NextColumn,
            Some(Mask::One) => return Verdict::Skip,
            None => {}
        }
        if timestamp >= wanted.to {
            return Verdict::Skip;
        }
        if timestamp < wanted.from || !selected {
            return Verdict::NextColumn;
        }
        self.versions.check(cell, wanted.versions, self.family.min_versions, self.oldest)
    }

    /// Judges a cell for a flush or minor compaction. Writes after `settled` are younger than an open scanner and stay.
    pub(crate) fn flush(&mut self, cell: &StoredCell, settled: u64) -> Verdict {
        let verdict = self.judge_flush(cell, settled);
        self.settle(verdict)
    }

    fn judge_flush(&mut self, cell: &StoredCell, settled: u64) -> Verdict {
        if let Some(verdict) = self.expired(cell) {
            return verdict;
        }
        if cell.is_delete() {
            if cell.sequence_id() <= settled {
                self.track(cell);
            }
            return Verdict::Include;
        }
        self.masked_or_counted(cell, settled)
    }

    /// Judges a cell for a major compaction; `oldest_put` is the smallest timestamp of any value in the family.
    pub(crate) fn compact(&mut self, cell: &StoredCell, settled: u64, oldest_put: u64) -> Verdict {
        let verdict = self.judge_compact(cell, settled, oldest_put);
        self.settle(verdict)
    }

    fn judge_compact(&mut self, cell: &StoredCell, settled: u64, oldest_put: u64) -> Verdict {
        if let Some(verdict) = self.expired(cell) {
            return verdict;
        }
        if !cell.is_delete() {
            return self.masked_or_counted(cell, settled);
        }
        if cell.sequence_id() > settled {
            return Verdict::Include;
        }
        self.track(cell);
        let kept = match self.family.keep_deleted {
            KeepDeleted::No => false,
            KeepDeleted::Yes => true,
            KeepDeleted::UntilExpired => cell.timestamp() >= self.oldest,
        };
        if !kept {
            return Verdict::Skip;
        }
        if cell.timestamp() < oldest_put {
            return Verdict::NextColumn;
        }
        self.count(cell, settled)
    }

    fn masked_or_counted(&mut self, cell: &StoredCell, settled: u64) -> Verdict {
        match self.deletes.masks(cell.timestamp()) {
            Some(Mask::Rest) => Verdict::NextColumn,
            Some(Mask::One) => Verdict::Skip,
            None => self.count(cell, settled),
        }
    }

    fn count(&mut self, cell: &StoredCell, settled: u64) -> Verdict {
        if cell.sequence_id() > settled {
            return Verdict::Include;
        }
        let (max, min) = (self.family.max_versions, self.family.min_versions);
        self.versions.check(cell, max, min, self.oldest)
    }

    fn track(&mut self, marker: &StoredCell) {
        let tracked = match self.family.keep_deleted {
            KeepDeleted::No => true,
            KeepDeleted::Yes => false,
            KeepDeleted::UntilExpired => marker.timestamp() < self.oldest,
        };
        if tracked {
            self.deletes.add(marker);
        }
    }

    fn expired(&self, cell: &StoredCell) -> Option<Verdict> {
        // Markers of the family lie in the column without a name, behind whatever versions it has.
        if self.column_done && !marks_family(cell.kind()) {
            return Some(Verdict::NextColumn);
        }
        if self.family.min_versions == 0 && cell.timestamp() < self.oldest {
            return Some(Verdict::NextColumn);
        }
        let over = cell.ttl().is_some_and(|ttl| cell.timestamp().saturating_add(ttl) < self.now);
        over.then_some(Verdict::Skip)
    }

    fn settle(&mut self, verdict: Verdict) -> Verdict {
        if verdict == Verdict::NextColumn {
            self.column_done = true;
        }
        verdict
    }
}

fn marks_family(kind: CellType) -> bool {
    matches!(kind, CellType::DeleteFamily | CellType::DeleteFamilyVersion)
}
