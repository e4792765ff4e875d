//! The cells of a row without its key, and what makes one row equal to another.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bytes::Bytes;

use crate::model::cell::CellType;
use crate::request::filter::{Compare, Filter, SingleColumnValue};
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

/// Reads whole rows.
pub(super) fn get(row: &[u8]) -> Get {
    Get::new(row).versions(ALL)
}

/// Scans whole rows.
pub(super) fn whole(scan: Scan) -> Scan {
    scan.versions(ALL)
}

pub(super) async fn read(table: &RawTable, row: &[u8]) -> Result<Cells> {
    Ok(Cells::of(table.get(get(row)).await?.as_ref()))
}

/// All cells that a row has or had, unless a compaction has removed them. In a store without delete
/// markers those that a row had are gone.
pub(super) async fn history(table: &RawTable, row: &[u8]) -> Result<Cells> {
    if !table.has_delete_markers() {
        return read(table, row).await;
    }
    let mut rows = table.scan(whole(Scan::range(row..=row)).raw())?;
    Ok(Cells::of(rows.next_row().await?.as_ref()))
}

impl Cells {
    pub(super) fn of(row: Option<&Row>) -> Self {
        let mut cells = Self::default();
        let all = row.map(Row::cells).unwrap_or_default();
        for cell in all.iter().filter(|cell| cell.kind() == CellType::Put) {
            let name = (cell.share(cell.family()), cell.share(cell.qualifier()));
            let value = cell.share(cell.value());
            cells.0.entry(name).or_default().insert(cell.timestamp(), value);
        }
        cells
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn columns(&self) -> usize {
        self.0.len()
    }

    /// Adds the cells of another row.
    pub(super) fn extend(&mut self, other: Self) {
        for (name, versions) in other.0 {
            self.0.entry(name).or_default().extend(versions);
        }
    }

    /// Whether it has every cell of another row, or one with the same time and value.
    pub(super) fn contains(&self, other: &Self) -> bool {
        other.0.iter().all(|(name, versions)| {
            self.0.get(name).is_some_and(|own| {
                versions.iter().all(|(timestamp, value)| own.get(timestamp) == Some(value))
            })
        })
    }

    /// The cells that another row has too.
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

    /// The put of all cells under this key; empty if there are none.
    pub(super) fn put(&self, row: &[u8]) -> Put {
        let mut put = Put::new(row);
        for ((family, qualifier), versions) in &self.0 {
            for (timestamp, value) in versions {
                put.push(family, qualifier, Some(*timestamp), value);
            }
        }
        put
    }

    /// Puts all cells under this key, if its first column is absent there.
    pub(super) fn put_if_absent(&self, row: &[u8]) -> Option<CheckAndMutate> {
        let ((family, qualifier), _) = self.0.first_key_value()?;
        Some(Check::new(row, family, qualifier).if_not_exists().then(self.put(row)))
    }

    /// The newest version of every column.
    fn newest(&self) -> impl Iterator<Item = (&Name, Timestamp, &Bytes)> {
        self.0.iter().filter_map(|(name, versions)| {
            let (timestamp, value) = versions.last_key_value()?;
            Some((name, *timestamp, value))
        })
    }

    /// Deletes all columns under this key, if the row is [`unchanged`](Self::unchanged); none if it
    /// has no columns.
    pub(super) fn delete_if_unchanged(&self, row: &[u8], history: &Self) -> Option<CheckAndMutate> {
        let delete =
            self.newest().fold(Delete::new(row), |delete, ((family, qualifier), at, _)| {
                delete.column_until(family, qualifier, at)
            });
        Some(Check::filter(row, self.unchanged(history)?).then(delete))
    }

    /// What finds the row if the newest version of every column is the one in here, and there is no
    /// other column; none if it has no columns. `history` has the older versions: a filter sees
    /// also those that a read does not return.
    pub(super) fn unchanged(&self, history: &Self) -> Option<Filter> {
        let (mut known, mut present) = (Vec::new(), Vec::new());
        for (name, newest, value) in self.newest() {
            let (family, qualifier) = name;
            let is_newest = Filter::column_value(family, qualifier, Compare::Equal, value);
            known.push(is_newest.and(Filter::timestamps([newest])));
            let older = [self, history].into_iter().filter_map(|cells| cells.0.get(name));
            let older = older.flat_map(|versions| versions.range(..newest)).map(|(time, _)| *time);
            let older: BTreeSet<_> = older.collect();
            if !older.is_empty() {
                let any = Filter::column_value(family, qualifier, Compare::GreaterOrEqual, "");
                known.push(any.and(Filter::timestamps(older)));
            }
            let is_newest = SingleColumnValue::new(family, qualifier, Compare::Equal, value);
            present.push(Filter::from(is_newest.filter_if_missing(true)));
        }
        (!known.is_empty()).then(|| {
            present.push(Filter::any(known).skip());
            Filter::all(present)
        })
    }

    /// What has to be put and deleted in `copy` to make it equal to this row, where older versions
    /// than the limits are not counted.
    pub(super) fn changes(&self, copy: &Self, limits: &VersionLimits) -> Changes {
        let mut changes = Changes::default();
        for (name, versions) in &self.0 {
            let copied = copy.0.get(name);
            // Bigtable's tables have more until it collects them.
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
                // Without a marker for all older versions, one of them would become visible.
                let older = self.0.get(name).and_then(|own| own.range(..*timestamp).next());
                changes.deletes.push((name.clone(), *timestamp, older.is_none()));
            }
        }
        changes
    }

    /// Whether it has no such version, and not because it has enough newer ones.
    fn lacks(&self, name: &Name, timestamp: &Timestamp, limits: &VersionLimits) -> bool {
        self.0.get(name).is_none_or(|own| {
            let newer = own.range(*timestamp..).count();
            !own.contains_key(timestamp) && newer < limit_of(name, limits)
        })
    }

    /// Whether this copy may be written now that its row is this one: whatever the row does not
    /// have any more is hidden by a newer version.
    pub(super) fn may_be_written(&self, row: &Self, limits: &VersionLimits) -> bool {
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

/// How many versions of a column are kept.
fn limit_of(name: &Name, limits: &VersionLimits) -> usize {
    limits.get(&name.0).copied().unwrap_or(usize::MAX)
}

/// What makes a copy of a row equal to the row.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub(super) puts: Cells,
    /// The column, the version, and whether all older ones go with it.
    deletes: Vec<(Name, Timestamp, bool)>,
}

impl Changes {
    pub(super) fn is_empty(&self) -> bool {
        self.puts.is_empty() && self.deletes.is_empty()
    }

    /// The change of the row with this key. All its times are given, so it may be sent twice.
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
        cells(row).changes(&cells(copy), &VersionLimits::from([("d".into(), limit)]))
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
        let harmless = |row: &[_]| copy.may_be_written(&cells(row), &limits);
        assert!(harmless(&[("a", 2, "y"), ("b", 1, "x")]));
        assert!(harmless(&[("a", 3, "z")]));
        assert!(!harmless(&[("a", 2, "other")]));
        assert!(!harmless(&[("a", 1, "x")]));
        assert!(!harmless(&[]));
    }
}
