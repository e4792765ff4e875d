//! Change streams as the records of the log, and the records as change streams.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use bytes::Bytes;
use prost::Message;
use tallrow_wire::bigtable::Mutation;

use super::{ChangeLog, ChangeLogs, Entry, KeySpan, LoggedChange, Logs};
use crate::base::lock;
use crate::journal::{SpanRecord, StreamEntryRecord, StreamRecord};

/// How many positions are left out after a restart. Tokens may have positions behind those of the
/// entries that were in the log when the process ended; no other entry gets these.
const SKIPPED: u64 = 1 << 32;

/// The entries of a record of a checkpoint.
const RECORD_ENTRIES: usize = 1_000;

impl ChangeLogs {
    /// Takes the logs of an earlier process. Each table has its retention and its regions here; a
    /// log without a table has ended.
    pub(crate) fn restore(&self, from: Self, mut tables: BTreeMap<Vec<u8>, (u64, Vec<KeySpan>)>) {
        let mut logs = from.logs.into_inner().unwrap_or_default();
        logs.of_tables.retain(|name, log| {
            let Some((retention_ms, regions)) = tables.remove(name) else { return false };
            log.retention_ms = retention_ms;
            log.partitions = regions;
            log.next = log.next.saturating_add(SKIPPED);
            true
        });
        self.count.store(logs.of_tables.len(), Ordering::Release);
        *lock(&self.logs) = logs;
    }

    /// Returns records of all logs, without their entries.
    pub(crate) fn positions(&self) -> Vec<StreamRecord> {
        lock(&self.logs).of_tables.iter().map(|(name, log)| log.to_record(name)).collect()
    }

    /// Returns records of the entries from now on.
    pub(crate) fn keep_changes(&self) {
        self.is_kept.store(true, Ordering::Relaxed);
    }

    /// Returns the highest id of a log.
    pub(crate) fn last_id(&self) -> u64 {
        lock(&self.logs).last_id
    }

    /// Sets the highest id of a log of an earlier process.
    pub(crate) fn continue_after(&mut self, id: u64) {
        let logs = self.logs.get_mut().unwrap_or_else(PoisonError::into_inner);
        logs.last_id = logs.last_id.max(id);
    }

    /// Calls `write` with records of all logs.
    pub(crate) fn write_records<E>(
        &self,
        mut write: impl FnMut(StreamRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        for (table, log) in &lock(&self.logs).of_tables {
            write(log.to_record(table))?;
            let mut entries = log.entries.iter().peekable();
            while entries.peek().is_some() {
                let part = entries.by_ref().take(RECORD_ENTRIES);
                let part = part.map(|(at, (added, entry))| entry.to_record(log.id, *at, *added));
                let entries = part.collect();
                write(StreamRecord { entries, ..log.to_record(table) })?;
            }
        }
        Ok(())
    }

    /// Makes the changes of a record of an earlier process.
    pub(crate) fn apply(&mut self, record: StreamRecord) -> Result<(), String> {
        self.continue_after(record.id);
        let Logs { of_tables, .. } = self.logs.get_mut().unwrap_or_else(PoisonError::into_inner);
        let log =
            of_tables.entry(record.table.to_vec()).or_insert_with(|| ChangeLog::new(record.id));
        if log.id != record.id {
            *log = ChangeLog::new(record.id);
        }
        log.first = log.first.max(record.first);
        log.next = log.next.max(record.next);
        log.last_micros = log.last_micros.max(record.last_micros);
        record.entries.into_iter().try_for_each(|entry| log.restore(entry))
    }

    /// Adds entries of the log of a table that an earlier process has added.
    pub(crate) fn restore_entries(
        &mut self,
        table: &[u8],
        entries: &[StreamEntryRecord],
    ) -> Result<(), String> {
        let logs = self.logs.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(log) = logs.of_tables.get_mut(table) else { return Ok(()) };
        let id = log.id;
        let mut of_log = entries.iter().filter(|entry| entry.stream == id).cloned();
        of_log.try_for_each(|entry| log.restore(entry))
    }

    /// Ends the log of a table, if it has one.
    pub(crate) fn end(&mut self, table: &[u8]) {
        let logs = self.logs.get_mut().unwrap_or_else(PoisonError::into_inner);
        logs.of_tables.remove(table);
    }
}

impl ChangeLog {
    /// Returns a record of the log without entries.
    pub(super) fn to_record(&self, table: &[u8]) -> StreamRecord {
        StreamRecord {
            table: Bytes::copy_from_slice(table),
            id: self.id,
            first: self.first,
            next: self.next,
            last_micros: self.last_micros,
            entries: Vec::new(),
        }
    }

    fn restore(&mut self, record: StreamEntryRecord) -> Result<(), String> {
        let (position, added) = (record.position, record.added_ms);
        self.last_micros = self.last_micros.max(record.micros);
        self.next = self.next.max(position.saturating_add(1));
        self.entries.insert(position, (added, record.try_into()?));
        Ok(())
    }
}

impl Entry {
    /// Returns the record of the entry.
    pub(super) fn to_record(&self, stream: u64, position: u64, added_ms: u64) -> StreamEntryRecord {
        let record =
            StreamEntryRecord { stream, position, added_ms, ..StreamEntryRecord::default() };
        let spans = |of: &[KeySpan]| of.iter().map(SpanRecord::from).collect();
        match self {
            Self::Change(change) => StreamEntryRecord {
                row: change.row.clone(),
                mutations: change.mutations.iter().map(|of| of.encode_to_vec().into()).collect(),
                micros: change.micros,
                ..record
            },
            Self::Replaced { old, new } => {
                StreamEntryRecord { old: spans(old), new: spans(new), ..record }
            }
        }
    }
}

impl TryFrom<StreamEntryRecord> for Entry {
    type Error = String;

    fn try_from(record: StreamEntryRecord) -> Result<Self, String> {
        if !record.old.is_empty() || !record.new.is_empty() {
            let spans = |of: Vec<SpanRecord>| of.into_iter().map(KeySpan::from).collect();
            return Ok(Self::Replaced { old: spans(record.old), new: spans(record.new) });
        }
        let mutations = record.mutations.into_iter().map(Mutation::decode);
        let mutations = mutations.collect::<Result<_, _>>();
        let mutations =
            mutations.map_err(|error| format!("a mutation of a change stream: {error}"))?;
        let (row, micros) = (record.row, record.micros);
        Ok(Self::Change(Arc::new(LoggedChange { row, mutations, micros })))
    }
}

impl From<&KeySpan> for SpanRecord {
    fn from(span: &KeySpan) -> Self {
        Self { start: span.start.clone(), end: span.end.clone() }
    }
}

impl From<SpanRecord> for KeySpan {
    fn from(record: SpanRecord) -> Self {
        Self { start: record.start, end: record.end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Next, Reading};

    fn span(start: &'static str, end: &'static str) -> KeySpan {
        KeySpan { start: start.into(), end: end.into() }
    }

    #[test]
    fn a_restored_log_has_its_entries_and_no_position_twice() {
        let logs = ChangeLogs::default();
        logs.keep_changes();
        let halves = || vec![span("", "m"), span("m", "")];
        let mut records = vec![logs.update(b"t", Some(1_000), halves, 0).unwrap()];
        let first = logs.add(b"t", b"a", vec![Mutation::default()], 5).unwrap();
        records.extend(logs.update(b"t", Some(1_000), || vec![span("", "")], 6));
        // Of this one, the log of the cluster has nothing, but a reader may have passed it.
        logs.add(b"t", b"x", Vec::new(), 7);
        let (id, end) = logs.position(b"t", None).unwrap();

        let mut image = ChangeLogs::default();
        records.into_iter().try_for_each(|record| image.apply(record)).unwrap();
        image.restore_entries(b"t", &[first]).unwrap();
        let again = ChangeLogs::default();
        let tables = BTreeMap::from([(b"t".to_vec(), (1_000, vec![span("", "")]))]);
        again.restore(image, tables);
        let next = |partition: KeySpan, position| {
            let reading = Reading { partition, position, since: 0, known: Vec::new() };
            again.next((b"t", id), &reading, 8)
        };
        let Next::Change(change, 1) = next(span("", "m"), 0) else { panic!() };
        assert_eq!((&change.row[..], change.micros), (&b"a"[..], 5_000));
        assert!(matches!(next(span("", "m"), 1), Next::Replaced(new, 2) if new == [span("", "")]));
        again.add(b"t", b"y", Vec::new(), 8);
        let Next::Change(change, _) = next(span("", ""), end) else { panic!() };
        assert_eq!(&change.row[..], b"y", "it is behind the position that a reader had");
        // The next stream of the table is another one.
        again.update(b"t", None, Vec::new, 9);
        again.update(b"t", Some(1_000), || vec![span("", "")], 9);
        assert!(matches!(next(span("", ""), end), Next::Gone));
    }
}
