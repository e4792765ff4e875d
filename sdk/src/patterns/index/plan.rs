//! Plans the writes of one change of a row.
//!
//! # Invariants
//!
//! - The entries are also right on Bigtable, where deletes leave no markers and clocks guarantee no
//!   order. Tests: `tests/suites/index/mod.rs::writers_that_lose_replies_on_bigtable`,
//!   `tests/suites/faults/index.rs::a_change_is_seen_whatever_the_clocks_say`.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::change_id::ChangeId;
use super::entries::{Entry, Intent, add_entry_to_delete};
use super::marker::{IndexEntryRef, IndexMarker};
use super::merged::Merged;
use super::state::{
    DELETED_FOR, RowBefore, State, StoredIndexMarker, timestamp_after, write_timestamps_after,
};
use crate::model::cell::{Cell, CellType};
use crate::model::show;
use crate::request::op::{CheckAndMutate, Mutation, MutationKind, RowMutations};
use crate::table::private::ColumnName;
use crate::table::{Table, version_bytes, version_conflict};
use crate::{Delete, DeliveryGuarantee, Error, Increment, Put, RawTable, Result, Row, Timestamp};

/// A change of a row, and the name of the operation that the program called.
pub(super) struct Change {
    pub(super) operation_name: &'static str,
    pub(super) row: Bytes,
    pub(super) kind: ChangeKind,
    /// The column that contains the row's version, and the version that must be in it for the
    /// change to be made.
    pub(super) version: Option<(ColumnName, u64)>,
}

pub(super) enum ChangeKind {
    Write(RowMutations),
    Delete,
    /// Only the entries of the row change.
    Reindex,
}

/// The writes of a change.
pub(super) struct Plan {
    pub(super) id: ChangeId,
    /// The change of the row itself, with its condition.
    pub(super) commit: CheckAndMutate,
    /// The bytes of the marker that the condition requires; `None` if the row must have no marker.
    pub(super) expected_marker: Option<Bytes>,
    new: Vec<(usize, Bytes, Entry)>,
    /// The entries that the row no longer has after the change.
    old: Vec<(usize, Bytes, ChangeId)>,
    intent: Intent,
    /// The increments of the summaries, each with the number of its summary.
    pub(super) increments: Vec<(usize, Increment)>,
}

impl Plan {
    /// Returns the number of the index and the key of each new entry.
    pub(super) fn new_keys(&self) -> impl Iterator<Item = (usize, &Bytes)> {
        self.new.iter().map(|(index, key, _)| (*index, key))
    }

    /// Returns the writes that are made before the row is changed: the new entries, and the intents
    /// for new and old entries.
    pub(super) fn puts_before_change(&self) -> Vec<(usize, Put)> {
        let mut puts: BTreeMap<(usize, &Bytes), Put> = BTreeMap::new();
        let mut add = |index: usize, key, add: &dyn Fn(Put) -> Put| {
            let put = puts.remove(&(index, key)).unwrap_or_else(|| Put::new(key));
            puts.insert((index, key), add(put));
        };
        for (index, key, entry) in &self.new {
            add(*index, key, &|put| self.intent(entry.id).add_to_put(entry.add_to_put(put)));
        }
        for (index, key, entry) in &self.old {
            add(*index, key, &|put| self.intent(*entry).add_to_put(put));
        }
        puts.into_iter().map(|((index, _), put)| (index, put)).collect()
    }

    /// Returns the writes that are made after the row was changed: they delete the old entries and
    /// all intents.
    pub(super) fn deletes_after_change(&self) -> Vec<(usize, Delete)> {
        self.deletes(false)
    }

    /// Returns the writes that are made if the row was not changed: they delete the new entries and
    /// all intents.
    pub(super) fn deletes_without_change(&self) -> Vec<(usize, Delete)> {
        self.deletes(true)
    }

    fn deletes(&self, deletes_without_change: bool) -> Vec<(usize, Delete)> {
        let new = self
            .new
            .iter()
            .map(|(index, key, entry)| (*index, key, entry.id, deletes_without_change));
        let old = self
            .old
            .iter()
            .map(|(index, key, entry)| (*index, key, *entry, !deletes_without_change));
        let mut deletes: BTreeMap<(usize, &Bytes), Delete> = BTreeMap::new();
        for (index, key, entry, is_deleted) in new.chain(old) {
            let delete = deletes.remove(&(index, key)).unwrap_or_else(|| Delete::new(key));
            let delete = self.intent(entry).add_to_delete(delete);
            let delete = if is_deleted { add_entry_to_delete(delete, entry) } else { delete };
            deletes.insert((index, key), delete);
        }
        deletes.into_iter().map(|((index, _), delete)| (index, delete)).collect()
    }

    fn intent(&self, entry_written_by: ChangeId) -> Intent {
        Intent { entry_written_by, ..self.intent.clone() }
    }
}

impl<T: Table> State<T> {
    /// Plans the writes of a change; returns `None` if there is nothing to do.
    pub(super) fn plan(&self, change: &Change, before: &RowBefore) -> Result<Option<Plan>> {
        self.check_version(change, before)?;
        let id = ChangeId::new();
        let mut merged = Merged::new(change.row.clone(), before.row.as_ref());
        let after = match &change.kind {
            ChangeKind::Write(changes) => {
                merged.apply(changes)?;
                merged.row()?
            }
            ChangeKind::Delete => None,
            ChangeKind::Reindex => merged.row()?,
        };
        let stored = before.marker.as_ref();
        let was_live = stored.is_some_and(|stored| stored.marker.live);
        if before.row.is_none() && after.is_none() && !was_live {
            return Ok(None);
        }
        let read = after.as_ref().map(T::from_row).transpose()?;
        let increments = match change.kind {
            ChangeKind::Reindex => Vec::new(),
            _ => self.increments(before.row.as_ref(), read.as_ref())?,
        };
        let row = after.as_ref().zip(read.as_ref());
        let (entries, new) = self.entries(&change.row, row, stored, id)?;
        let marked = stored.map(|stored| &stored.marker.entries[..]).unwrap_or_default();
        let mut old = Vec::new();
        for entry in marked.iter().filter(|entry| !entries.contains(entry)) {
            old.push((self.number_of(&entry.index)?, entry.key.clone(), entry.id));
        }
        let live = after.is_some() || matches!(change.kind, ChangeKind::Write(_));
        let marker = IndexMarker { live, change: id, entries };
        let condition = self.if_unchanged(&change.row, stored);
        let intent = Intent {
            entry_written_by: id,
            change: id,
            required_marker_change: stored.map(|stored| stored.marker.change),
            row: change.row.clone(),
        };
        Ok(Some(Plan {
            id,
            commit: condition.then(single(self.mutation(change, &merged, before, &marker))),
            expected_marker: stored.map(|stored| stored.bytes.clone()),
            new,
            old,
            intent,
            increments,
        }))
    }

    fn increments(&self, old: Option<&Row>, new: Option<&T>) -> Result<Vec<(usize, Increment)>> {
        let mut increments = Vec::new();
        if self.summaries.is_empty() {
            return Ok(increments);
        }
        let old = old.map(T::from_row).transpose()?;
        for (number, summary) in self.summaries.iter().enumerate() {
            let of_one = summary.increments(old.as_ref(), new)?;
            increments.extend(of_one.into_iter().map(|increment| (number, increment)));
        }
        Ok(increments)
    }

    /// Returns the entries that a row has after a change, and those of these entries that have to
    /// be written.
    #[allow(clippy::type_complexity, reason = "two lists")]
    fn entries(
        &self,
        key: &Bytes,
        row: Option<(&Row, &T)>,
        stored: Option<&StoredIndexMarker>,
        id: ChangeId,
    ) -> Result<(Vec<IndexEntryRef>, Vec<(usize, Bytes, Entry)>)> {
        let (mut entries, mut new) = (Vec::new(), Vec::new());
        let Some((row, read)) = row else { return Ok((entries, new)) };
        for (number, index) in self.indexes.iter().enumerate() {
            for index_key in index.keys(read)? {
                let known = stored.and_then(|stored| stored.marker.entry(&index.name, &index_key));
                if let Some(known) = known.filter(|_| index.covered.is_none()) {
                    entries.push(known.clone());
                    continue;
                }
                new.push((number, index_key.clone(), index.entry(id, key, row)));
                let name = Bytes::copy_from_slice(index.name.as_bytes());
                entries.push(IndexEntryRef { index: name, id, key: index_key });
            }
        }
        Ok((entries, new))
    }

    fn number_of(&self, index: &[u8]) -> Result<usize> {
        let number = self.indexes.iter().position(|known| known.name.as_bytes() == index);
        number.ok_or_else(|| {
            let index = show::bytes(index);
            let text = format!(
                "the row has an entry in the index {index}, which this table was built without"
            );
            Error::invalid(text)
        })
    }

    /// Returns the mutation that changes the row and its marker. The server sets the timestamps of
    /// the cells. On HBase, these timestamps are not earlier than the timestamp of the marker in
    /// the condition. Bigtable's clocks do not guarantee that, so on Bigtable the writer also sets
    /// timestamps, see [`write_timestamps_after`]. Only deletes on HBase need timestamps of this
    /// computer's clock; such timestamps must never be written to a store whose servers do not
    /// continue from them.
    fn mutation(
        &self,
        change: &Change,
        merged: &Merged,
        before: &RowBefore,
        marker: &IndexMarker,
    ) -> RowMutations {
        let (family, qualifier, bytes) = (&self.family, &self.qualifier, marker.encode());
        let mut all = RowMutations::new(&change.row).delivery(DeliveryGuarantee::AtMostOnce);
        // A delete marker hides even cells that are written in the same millisecond. So the delete
        // marker gets a time that is earlier than the time of the row's marker, and therefore
        // earlier than the time of the next change.
        let hides = self.raw.has_delete_markers();
        all.in_order = !hides;
        let latest = timestamp_after(before.newest);
        let earlier = Timestamp::from_millis(latest.as_millis() - 1);
        let mut put = Put::new(&change.row);
        if !marker.live {
            // Without delete markers, no cell is left that could be newer than the row's marker.
            put.push(family, qualifier, hides.then_some(latest), &bytes);
            let delete = Delete::new(&change.row);
            return match hides {
                true => all.add(delete.until(earlier)).add(put.ttl(DELETED_FOR)),
                false => all.add(delete).add(put),
            };
        }
        let changes = match &change.kind {
            ChangeKind::Write(changes) => &changes.mutations[..],
            ChangeKind::Delete | ChangeKind::Reindex => &[],
        };
        let was_deleted = before.marker.as_ref().is_some_and(|stored| !stored.marker.live);
        if hides && was_deleted && !changes.is_empty() {
            return all.add(merged.put_at(latest).cell_at(family, qualifier, latest, bytes));
        }
        let deletes = changes.iter().any(|(kind, _)| *kind == MutationKind::Delete);
        let times = match hides {
            true => vec![deletes.then_some(latest)],
            false => write_timestamps_after(before.newest),
        };
        let mut push = |family: &[u8], qualifier: &[u8], value: &[u8]| {
            times.iter().for_each(|time| put.push(family, qualifier, *time, value));
        };
        for (kind, cells) in changes {
            match kind {
                MutationKind::Put => {
                    for cell in cells.cells.cells() {
                        push(cell.family(), cell.qualifier(), cell.value());
                    }
                }
                MutationKind::Delete => {
                    let delete = |delete: Delete, cell: Cell| match cell.kind() {
                        CellType::DeleteFamily if hides => {
                            delete.family_until(cell.family(), earlier)
                        }
                        CellType::DeleteFamily => delete.family(cell.family()),
                        _ if hides => delete.column_until(cell.family(), cell.qualifier(), earlier),
                        _ => delete.column(cell.family(), cell.qualifier()),
                    };
                    all = all.add(cells.cells.cells().fold(Delete::new(&change.row), delete));
                }
                MutationKind::Increment
                | MutationKind::Append
                | MutationKind::AddToCells
                | MutationKind::MergeToCells => {
                    all.mutations.push((*kind, cells.clone()));
                }
            }
        }
        push(family, qualifier, &bytes);
        all.add(put)
    }

    fn check_version(&self, change: &Change, before: &RowBefore) -> Result<()> {
        let Some(((family, qualifier), version)) = change.version else { return Ok(()) };
        let found = before.row.as_ref().and_then(|row| row.value(family, qualifier));
        match found.unwrap_or_default() == version_bytes(version)? {
            true => Ok(()),
            false => Err(version_conflict(version)),
        }
    }

    /// Returns the table of the index with this number.
    pub(super) fn index_table(&self, number: usize) -> Result<&RawTable> {
        let index = self.indexes.get(number).map(|index| &index.table);
        index.ok_or_else(|| Error::invalid("no such index"))
    }
}

/// Converts mutations that consist of a single put to a plain put, whose request is smaller. Other
/// mutations stay as they are.
fn single(mut mutations: RowMutations) -> Mutation {
    match (mutations.mutations.pop(), mutations.mutations.is_empty()) {
        (Some((MutationKind::Put, cells)), true) => {
            Put { cells }.delivery(DeliveryGuarantee::AtMostOnce).into()
        }
        (last, _) => {
            mutations.mutations.extend(last);
            mutations.into()
        }
    }
}
