//! The cells of a row without its row key, and the changes that make one row equal to another.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bytes::Bytes;

use crate::model::cell::CellType;
use crate::request::filter::{CompareOperator, Filter, SingleColumnValue};
use crate::request::op::{Check, CheckAndMutate, RowMutations};
use crate::{Delete, DeliveryGuarantee, Get, Put, RawTable, Result, Row, Scan, Timestamp};

/// How many versions of a cell are read: all.
const ALL: u32 = i32::MAX as u32;

type Name = (Bytes, Bytes);
type Versions = BTreeMap<Timestamp, Bytes>;

/// The visible versions of all columns of a row; empty if there is no row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cells(BTreeMap<Name, Versions>);

/// How many versions each family of a table keeps.
pub(super) type VersionLimits = HashMap<Bytes, usize>;

/// Returns a get of a whole row, with all versions.
pub(super) fn get_all_versions(row: &[u8]) -> Get {
    Get::new(row).versions(ALL)
}

/// Makes a scan return whole rows with all versions.
pub(super) fn with_all_versions(scan: Scan) -> Scan {
    scan.versions(ALL)
}

pub(super) async fn read_cells(table: &RawTable, row: &[u8]) -> Result<Cells> {
    Ok(Cells::of(table.get(get_all_versions(row)).await?.as_ref()))
}

/// Reads all cells that a row has or had, unless a compaction has removed them. In a store without
/// delete markers, reads only the cells that the row has.
pub(super) async fn read_cell_history(table: &RawTable, row: &[u8]) -> Result<Cells> {
    if !table.has_delete_markers() {
        return read_cells(table, row).await;
    }
    let mut rows = table.scan(with_all_versions(Scan::range(row..=row)).raw())?;
    Ok(Cells::of(rows.next_row().await?.as_ref()))
}

impl Cells {
    pub(super) fn of(row: Option<&Row>) -> Self {
        let mut cells = Self::default();
        let all = row.map(Row::cells).unwrap_or_default();
        for cell in all.iter().filter(|cell| cell.kind() == CellType::Put) {
            let name = (cell.slice_ref(cell.family()), cell.slice_ref(cell.qualifier()));
            let value = cell.slice_ref(cell.value());
            cells.0.entry(name).or_default().insert(cell.timestamp(), value);
        }
        cells
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn column_count(&self) -> usize {
        self.0.len()
    }

    /// Adds the cells of another row.
    pub(super) fn extend(&mut self, other: Self) {
        for (name, versions) in other.0 {
            self.0.entry(name).or_default().extend(versions);
        }
    }

    /// Returns whether this row has every cell of another row, with the same time and value.
    pub(super) fn contains(&self, other: &Self) -> bool {
        other.0.iter().all(|(name, versions)| {
            self.0.get(name).is_some_and(|own| {
                versions.iter().all(|(timestamp, value)| own.get(timestamp) == Some(value))
            })
        })
    }

    /// Returns the cells that another row has too.
    pub(super) fn common(&self, other: &Self) -> Self {
        let mut common = self.clone();
        for (name, versions) in &mut common.0 {
            let others = other.0.get(name);
            versions.retain(|timestamp, value| {
                others.and_then(|others| others.get(timestamp)) == Some(value)
            });
        }
        common.0.retain(|_, versions| !versions.is_empty());
        common
    }

    /// Returns a put of all cells under this row key; it is empty if there are no cells.
    pub(super) fn put(&self, row: &[u8]) -> Put {
        let mut put = Put::new(row);
        for ((family, qualifier), versions) in &self.0 {
            for (timestamp, value) in versions {
                put.push(family, qualifier, Some(*timestamp), value);
            }
        }
        put
    }

    /// Returns a put of all cells under this row key, on the condition that the first column is
    /// absent there; `None` if there are no cells.
    pub(super) fn put_if_absent(&self, row: &[u8]) -> Option<CheckAndMutate> {
        let ((family, qualifier), _) = self.0.first_key_value()?;
        Some(Check::new(row, family, qualifier).if_not_exists().then(self.put(row)))
    }

    /// Returns the newest version of every column.
    fn newest(&self) -> impl Iterator<Item = (&Name, Timestamp, &Bytes)> {
        self.0.iter().filter_map(|(name, versions)| {
            let (timestamp, value) = versions.last_key_value()?;
            Some((name, *timestamp, value))
        })
    }

    /// Returns a delete of all columns under this row key, on the condition that the row matches
    /// [`unchanged_filter`](Self::unchanged_filter); `None` if there are no columns.
    pub(super) fn delete_if_unchanged(&self, row: &[u8], history: &Self) -> Option<CheckAndMutate> {
        let delete =
            self.newest().fold(Delete::new(row), |delete, ((family, qualifier), at, _)| {
                delete.column_until(family, qualifier, at)
            });
        Some(Check::if_row_matches(row, self.unchanged_filter(history)?).then(delete))
    }

    /// Returns a filter that matches a row if the newest version of every column is the newest
    /// version in these cells, and the row has no other column; `None` if there are no columns.
    /// `history` contains the older versions, which are needed because a filter also sees versions
    /// that a read does not return.
    pub(super) fn unchanged_filter(&self, history: &Self) -> Option<Filter> {
        let (mut known, mut present) = (Vec::new(), Vec::new());
        for (name, newest, value) in self.newest() {
            let (family, qualifier) = name;
            let is_newest = Filter::column_value(family, qualifier, CompareOperator::Equal, value);
            known.push(is_newest.and(Filter::timestamps([newest])));
            let older = [self, history].into_iter().filter_map(|cells| cells.0.get(name));
            let older = older.flat_map(|versions| versions.range(..newest)).map(|(time, _)| *time);
            let older: BTreeSet<_> = older.collect();
            if !older.is_empty() {
                let any =
                    Filter::column_value(family, qualifier, CompareOperator::GreaterOrEqual, "");
                known.push(any.and(Filter::timestamps(older)));
            }
            let is_newest =
                SingleColumnValue::new(family, qualifier, CompareOperator::Equal, value);
            present.push(Filter::from(is_newest.filter_if_missing(true)));
        }
        (!known.is_empty()).then(|| {
            present.push(Filter::any(known).skip());
            Filter::all(present)
        })
    }

    /// Returns what has to be put and deleted in `copy` to make it equal to this row. Versions
    /// beyond the limit of their family are ignored.
    pub(super) fn changes_to_copy(&self, copy: &Self, limits: &VersionLimits) -> Changes {
        let mut changes = Changes::default();
        for (name, versions) in &self.0 {
            let copied = copy.0.get(name);
            // A Bigtable table contains more versions until they are garbage-collected.
            let kept = versions.iter().rev().take(limit_of(name, limits));
            let missing = kept.filter(|(timestamp, value)| {
                copied.and_then(|copied| copied.get(timestamp)) != Some(value)
            });
            let missing: Versions =
                missing.map(|(timestamp, value)| (*timestamp, value.clone())).collect();
            if !missing.is_empty() {
                changes.puts.0.insert(name.clone(), missing);
            }
        }
        for (name, copied) in &copy.0 {
            for timestamp in copied.keys().filter(|timestamp| self.lacks(name, timestamp, limits)) {
                // Without a delete marker for all older versions, an older version would become
                // visible.
                let older = self.0.get(name).and_then(|own| own.range(..*timestamp).next());
                changes.deletes.push((name.clone(), *timestamp, older.is_none()));
            }
        }
        changes
    }

    /// Returns whether this row lacks a version for a reason other than the limit of versions: it
    /// has fewer newer versions than the limit.
    fn lacks(&self, name: &Name, timestamp: &Timestamp, limits: &VersionLimits) -> bool {
        self.0.get(name).is_none_or(|own| {
            let newer = own.range(*timestamp..).count();
            !own.contains_key(timestamp) && newer < limit_of(name, limits)
        })
    }

    /// Returns whether this copy is still right if its source row is now `row`: every version in
    /// the copy must have the same value in `row`, or be hidden there by newer versions.
    pub(super) fn is_valid_copy_of(&self, row: &Self, limits: &VersionLimits) -> bool {
        self.0.iter().all(|(name, versions)| {
            versions.iter().all(|(timestamp, value)| {
                match row.0.get(name).and_then(|own| own.get(timestamp)) {
                    Some(own) => own == value,
                    None => !row.lacks(name, timestamp, limits),
                }
            })
        })
    }
}

/// Returns how many versions of a column are kept.
fn limit_of(name: &Name, limits: &VersionLimits) -> usize {
    limits.get(&name.0).copied().unwrap_or(usize::MAX)
}

/// The puts and deletes that make a copy of a row equal to the row.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub(super) puts: Cells,
    /// For each version to delete: its column, its timestamp, and whether all older versions are
    /// deleted too.
    deletes: Vec<(Name, Timestamp, bool)>,
}

impl Changes {
    pub(super) fn is_empty(&self) -> bool {
        self.puts.is_empty() && self.deletes.is_empty()
    }

    /// Returns the mutation of the row with this key. All its timestamps are explicit, so it may be
    /// sent twice.
    pub(super) fn mutation(&self, row: &[u8]) -> RowMutations {
        let mut mutations = RowMutations::new(row).delivery(DeliveryGuarantee::AtLeastOnce);
        if !self.puts.is_empty() {
            mutations = mutations.add(self.puts.put(row));
        }
        if !self.deletes.is_empty() {
            let mut delete = Delete::new(row);
            for ((family, qualifier), timestamp, older) in &self.deletes {
                delete = match older {
                    true => delete.column_until(family, qualifier, *timestamp),
                    false => delete.version(family, qualifier, *timestamp),
                };
            }
            mutations = mutations.add(delete);
        }
        mutations
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::cell::Cell;

    fn cells(of: &[(&str, u64, &str)]) -> Cells {
        let cell = |(qualifier, timestamp, value): &(&str, u64, &str)| {
            let timestamp = Timestamp::from_millis(*timestamp);
            Cell::new("r", "d", qualifier, timestamp, CellType::Put, value).unwrap()
        };
        Cells::of(Row::new(of.iter().map(cell).collect(), false).as_ref())
    }

    fn changes(row: &[(&str, u64, &str)], copy: &[(&str, u64, &str)], limit: usize) -> Changes {
        cells(row).changes_to_copy(&cells(copy), &VersionLimits::from([("d".into(), limit)]))
    }

    fn deletes(changes: &Changes) -> Vec<(u64, bool)> {
        changes.deletes.iter().map(|(_, time, older)| (time.as_millis(), *older)).collect()
    }

    #[test]
    fn equal_rows_need_no_changes() {
        let row = [("a", 1, "x"), ("a", 2, "y"), ("b", 1, "z")];
        assert!(changes(&row, &row, 1).is_empty());
        assert!(changes(&[], &[], 1).is_empty());
        assert!(cells(&row).contains(&cells(&row[1..])));
        assert!(!cells(&row[1..]).contains(&cells(&row)));
        assert!(!cells(&row).contains(&cells(&[("a", 2, "z")])));
    }

    #[test]
    fn missing_and_different_versions_are_put() {
        let found = changes(&[("a", 2, "y"), ("a", 1, "x")], &[("a", 2, "other")], 9);
        assert_eq!(found.puts, cells(&[("a", 2, "y"), ("a", 1, "x")]));
        assert_eq!(deletes(&found), []);
    }

    #[test]
    fn a_deleted_column_takes_its_older_versions_along() {
        let found = changes(&[("b", 1, "z")], &[("a", 2, "y"), ("b", 1, "z")], 1);
        assert!(found.puts.is_empty());
        assert_eq!(deletes(&found), [(2, true)]);
    }

    #[test]
    fn a_deleted_version_leaves_the_older_ones() {
        let copy = [("a", 1, "x"), ("a", 2, "y"), ("a", 3, "z")];
        let found = changes(&[("a", 1, "x"), ("a", 3, "z")], &copy, 3);
        assert_eq!(deletes(&found), [(2, false)]);
    }

    #[test]
    fn versions_beyond_the_limit_are_left_to_the_server() {
        let found = changes(&[("a", 3, "z"), ("a", 2, "y")], &[("a", 2, "y"), ("a", 1, "x")], 2);
        assert_eq!((deletes(&found), found.puts), (vec![], cells(&[("a", 3, "z")])));
        // Of the row too: the server of the copy may have removed what is beyond the limit.
        let row = [("a", 3, "z"), ("a", 2, "y"), ("a", 1, "x")];
        assert!(changes(&row, &row[..2], 2).is_empty());
        assert!(changes(&row, &row, 2).is_empty());
        assert!(!changes(&row, &row[..2], 3).is_empty());
        let found = changes(&[("a", 3, "z")], &[("a", 3, "z"), ("a", 1, "x")], 2);
        assert_eq!(deletes(&found), [(1, true)]);
    }

    #[test]
    fn a_stale_copy_is_harmless_only_below_a_newer_version() {
        let limits = VersionLimits::from([("d".into(), 1)]);
        let copy = cells(&[("a", 2, "y")]);
        let harmless = |row: &[_]| copy.is_valid_copy_of(&cells(row), &limits);
        assert!(harmless(&[("a", 2, "y"), ("b", 1, "x")]));
        assert!(harmless(&[("a", 3, "z")]));
        assert!(!harmless(&[("a", 2, "other")]));
        assert!(!harmless(&[("a", 1, "x")]));
        assert!(!harmless(&[]));
    }
}
