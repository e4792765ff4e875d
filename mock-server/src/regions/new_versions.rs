//! Decides which cells are deleted in a family with `NEW_VERSION_BEHAVIOR`: a marker deletes only
//! cells that were written before it, and the order of the writes also decides which versions are
//! the newest. The rules are those of HBase's `NewVersionBehaviorTracker`.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use tallrow_wire::cell::CellType;

use super::tracker::MatchCode;
use crate::cells::StoredCell;

/// A marker of a family or a column. Markers are stored by the sequence ids of their writes. The
/// entry with the greatest possible id stands for having no marker.
#[derive(Clone, Debug)]
struct Marker {
    /// The timestamp up to which the marker deletes.
    timestamp: Option<u64>,
    /// The markers of single versions that were written before this marker: their sequence ids, by
    /// timestamp.
    versions: BTreeMap<u64, BTreeSet<u64>>,
    /// The sequence ids of the counted cells, by the sequence id of the version marker before which
    /// they were written.
    counted: BTreeMap<u64, BTreeSet<u64>>,
}

impl Marker {
    fn new(timestamp: Option<u64>) -> Self {
        let counted = BTreeMap::from([(u64::MAX, BTreeSet::new())]);
        Self { timestamp, versions: BTreeMap::new(), counted }
    }

    fn delete_version(&mut self, marker: &StoredCell) {
        let sequence_id = marker.sequence_id();
        self.versions.entry(marker.timestamp()).or_default().insert(sequence_id);
        let next = self.counted.range(sequence_id..).next();
        let before = next.map(|(_, ids)| ids.range(..sequence_id).copied().collect());
        self.counted.insert(sequence_id, before.unwrap_or_default());
    }
}

/// The markers found so far in one family of one row, and the versions of the current column.
#[derive(Debug)]
pub(super) struct NewVersionTracker {
    max_versions: usize,
    min_versions: u32,
    of_family: BTreeMap<u64, Marker>,
    of_column: BTreeMap<u64, Marker>,
    last: Option<Last>,
    count: u32,
}

/// The last cell of a column.
#[derive(Debug)]
struct Last {
    qualifier: Vec<u8>,
    timestamp: u64,
    kind: CellType,
    sequence_id: u64,
}

impl NewVersionTracker {
    pub(super) fn new(max_versions: u32, min_versions: u32) -> Self {
        Self {
            max_versions: usize::try_from(max_versions).unwrap_or(usize::MAX),
            min_versions,
            of_family: BTreeMap::from([(u64::MAX, Marker::new(None))]),
            of_column: BTreeMap::new(),
            last: None,
            count: 0,
        }
    }

    /// Moves on to a cell. Returns the sequence id of the last cell if that is a put of the same
    /// version.
    fn go_to(&mut self, cell: &StoredCell) -> Option<u64> {
        let of_column = matches!(cell.kind(), CellType::Delete | CellType::DeleteColumn);
        let changed = match &self.last {
            Some(last) => last.qualifier != cell.qualifier(),
            // As in HBase, an empty qualifier at the start of a family is not a new column, unless
            // its first cell is a marker of the column.
            None => !cell.qualifier().is_empty() || of_column,
        };
        if changed {
            self.of_column = self.of_family.clone();
            self.count = 0;
        } else if let Some(last) = &self.last
            && last.kind == CellType::Put
            && (last.kind, last.timestamp) == (cell.kind(), cell.timestamp())
        {
            return Some(last.sequence_id);
        }
        self.last = Some(Last {
            qualifier: cell.qualifier().to_vec(),
            timestamp: cell.timestamp(),
            kind: cell.kind(),
            sequence_id: cell.sequence_id(),
        });
        None
    }

    /// Adds a marker.
    pub(super) fn add(&mut self, marker: &StoredCell) {
        self.go_to(marker);
        let sequence_id = marker.sequence_id();
        let markers = match marker.kind() {
            CellType::DeleteFamily | CellType::DeleteFamilyVersion => &mut self.of_family,
            _ => &mut self.of_column,
        };
        if matches!(marker.kind(), CellType::DeleteFamily | CellType::DeleteColumn) {
            markers.insert(sequence_id, Marker::new(Some(marker.timestamp())));
        } else if let Some((_, next)) = markers.range_mut(sequence_id..).next() {
            next.delete_version(marker);
        }
    }

    /// Whether a cell is deleted, or is not one of the newest versions.
    pub(super) fn is_deleted(&mut self, cell: &StoredCell) -> bool {
        let repeated = self.go_to(cell);
        let id = cell.sequence_id();
        for (_, marker) in self.of_column.range_mut(id..) {
            let of_version = marker.versions.get(&cell.timestamp());
            let deleted = of_version.and_then(|ids| ids.range(id..).next().copied());
            let until = repeated.unwrap_or(u64::MAX).min(deleted.unwrap_or(u64::MAX));
            for (_, counted) in marker.counted.range_mut(id..=until.max(id)) {
                if counted.len() >= self.max_versions {
                    return true;
                }
                counted.insert(id);
            }
            if deleted.is_some() || marker.timestamp.is_some_and(|up_to| cell.timestamp() <= up_to)
            {
                return true;
            }
        }
        repeated.is_some()
    }

    /// Counts a version, and compares the count with the wanted number.
    pub(super) fn check(&mut self, cell: &StoredCell, wanted: u32, oldest: u64) -> MatchCode {
        self.count = self.count.saturating_add(1);
        if cell.timestamp() < oldest {
            // The last version that is kept although it has expired is included even if the read
            // has the number of versions that it wants. A read that names its columns comes to it:
            // it seeks the column in which it is, and so stays there.
            match self.count.cmp(&self.min_versions) {
                Ordering::Less => {}
                Ordering::Equal => return MatchCode::IncludeAndSeekNextCol,
                Ordering::Greater => return MatchCode::SeekNextCol,
            }
        }
        match self.count.cmp(&wanted) {
            Ordering::Less => MatchCode::Include,
            Ordering::Equal => MatchCode::IncludeAndSeekNextCol,
            Ordering::Greater => MatchCode::SeekNextCol,
        }
    }
}
