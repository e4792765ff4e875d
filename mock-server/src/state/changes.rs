//! The changes of tables with a change stream, and the partitions of the streams.
//!
//! A log numbers the changes of a table, and the divisions and merges of its partitions, in their
//! order. A position in the log is the number of what is read next, so a reader of a partition that
//! was divided or merged since finds its end at the same place whenever it reads.
//!
//! A partition that was replaced may come into being again, with the same rows. A reader reads one
//! of these lives of a partition: that it was replaced before this life is not its end, although it
//! reads the changes of its rows from before then, if it begins there.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use tallrow_wire::bigtable::Mutation;
use tallrow_wire::proto::RegionInfo;
use tokio::sync::watch;

use crate::base::lock;
use crate::journal::{StreamEntryRecord, StreamRecord};

mod records;

/// A range of row keys: the first, and the one after the last. An empty key is an end of the table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct KeySpan {
    pub(crate) start: Bytes,
    pub(crate) end: Bytes,
}

impl KeySpan {
    /// The rows of a region.
    pub(crate) fn of(region: &RegionInfo) -> Self {
        let key = |key: &Option<Bytes>| key.clone().unwrap_or_default();
        Self { start: key(&region.start_key), end: key(&region.end_key) }
    }

    pub(crate) fn contains(&self, row: &[u8]) -> bool {
        *self.start <= *row && (self.end.is_empty() || *row < *self.end)
    }

    /// The rows that are in both.
    pub(crate) fn common(&self, other: &Self) -> Option<Self> {
        let start = self.start.clone().max(other.start.clone());
        let end = match (self.end.is_empty(), other.end.is_empty()) {
            (true, _) => other.end.clone(),
            (_, true) => self.end.clone(),
            _ => self.end.clone().min(other.end.clone()),
        };
        (end.is_empty() || start < end).then_some(Self { start, end })
    }
}

/// The mutations of a row that were made in one step.
#[derive(Debug, PartialEq)]
pub(crate) struct LoggedChange {
    pub(crate) row: Bytes,
    pub(crate) mutations: Vec<Mutation>,
    /// When they were made, in microseconds. No two changes of a log have the same time.
    pub(crate) micros: u64,
}

/// What is in a log.
#[derive(Clone, Debug)]
enum Entry {
    Change(Arc<LoggedChange>),
    /// Partitions were replaced by others that cover the same rows.
    Replaced {
        old: Vec<KeySpan>,
        new: Vec<KeySpan>,
    },
}

/// The changes of one table.
#[derive(Debug)]
struct ChangeLog {
    /// Tells the log from logs that the table had before.
    id: u64,
    retention_ms: u64,
    /// The first position that can be read.
    first: u64,
    /// The position of the next entry.
    next: u64,
    /// Entries by their positions, with the times in ms at which they were added.
    entries: BTreeMap<u64, (u64, Entry)>,
    /// The partitions now.
    partitions: Vec<KeySpan>,
    last_micros: u64,
    /// Told of each entry.
    added: watch::Sender<()>,
}

/// Where a reader of a partition is in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) partition: KeySpan,
    /// The position of what is read next.
    pub(crate) position: u64,
    /// The position from which on the partition may be replaced: where its life has begun.
    pub(crate) since: u64,
    /// Rows whose changes were read up to a later position.
    pub(crate) known: Vec<(KeySpan, u64)>,
}

impl Reading {
    /// The rows whose changes were read up to a later position than this one.
    pub(crate) fn known_after(&self, position: u64) -> Vec<(KeySpan, u64)> {
        self.known.iter().filter(|(_, to)| *to > position).cloned().collect()
    }

    /// Whether a change of a row at this position was read before.
    fn is_known(&self, row: &[u8], at: u64) -> bool {
        self.known.iter().any(|(span, to)| *to > at && span.contains(row))
    }
}

/// What a reader of a partition finds next.
#[derive(Debug)]
pub(crate) enum Next {
    /// A change, and the position after it.
    Change(Arc<LoggedChange>, u64),
    /// The partition was replaced: the rest of each new one is read from this position.
    Replaced(Vec<KeySpan>, u64),
    /// Nothing yet; this is the position.
    Nothing(u64),
    /// What was at the position is not kept any more.
    TooOld,
    /// The table has no stream now, or another one.
    Gone,
}

/// The logs of all tables that have a change stream, by the names of the tables.
#[derive(Debug, Default)]
pub(crate) struct ChangeLogs {
    logs: Mutex<Logs>,
    /// The number of logs, so that a write to a cluster without streams takes no lock.
    count: AtomicUsize,
    /// Whether the cluster has a log in which the entries are.
    is_kept: AtomicBool,
}

#[derive(Debug, Default)]
struct Logs {
    of_tables: BTreeMap<Vec<u8>, ChangeLog>,
    /// The highest id of a log, of those that have ended too.
    last_id: u64,
}

impl ChangeLogs {
    /// Begins, changes or ends the log of a table: its changes are kept for this time, or not at
    /// all if it is `None`, and its partitions are its regions, none of whose rows are changed
    /// meanwhile. Returns what is to be written to the log of the cluster.
    pub(crate) fn update(
        &self,
        table: &[u8],
        retention_ms: Option<u64>,
        regions: impl FnOnce() -> Vec<KeySpan>,
        now: u64,
    ) -> Option<StreamRecord> {
        if retention_ms.is_none() && self.is_empty() {
            return None;
        }
        let mut logs = lock(&self.logs);
        let Logs { of_tables, last_id } = &mut *logs;
        let record = match (retention_ms, of_tables.get_mut(table)) {
            (None, _) => {
                of_tables.remove(table);
                None
            }
            (Some(retention_ms), Some(log)) => {
                log.retention_ms = retention_ms;
                let entry = log.replace_partitions(regions(), now);
                entry.map(|entry| StreamRecord { entries: vec![entry], ..log.to_record(table) })
            }
            (Some(retention_ms), None) => {
                *last_id = last_id.saturating_add(1);
                let log =
                    ChangeLog { retention_ms, partitions: regions(), ..ChangeLog::new(*last_id) };
                let record = log.to_record(table);
                of_tables.insert(table.to_vec(), log);
                Some(record)
            }
        };
        self.count.store(logs.of_tables.len(), Ordering::Release);
        record
    }

    /// Whether the changes of any table are kept.
    fn is_empty(&self) -> bool {
        self.count.load(Ordering::Acquire) == 0
    }

    /// Whether the changes of this table are kept.
    pub(crate) fn has(&self, table: &[u8]) -> bool {
        !self.is_empty() && lock(&self.logs).of_tables.contains_key(table)
    }

    /// Adds a change that is made at `now` ms. The caller has locked the region of the row. Returns
    /// what is to be written to the log of the cluster, if it has one.
    pub(crate) fn add(
        &self,
        table: &[u8],
        row: &[u8],
        mutations: Vec<Mutation>,
        now: u64,
    ) -> Option<StreamEntryRecord> {
        let mut logs = lock(&self.logs);
        let log = logs.of_tables.get_mut(table)?;
        log.last_micros = now.saturating_mul(1_000).max(log.last_micros.saturating_add(1));
        let row = Bytes::copy_from_slice(row);
        let change = Arc::new(LoggedChange { row, mutations, micros: log.last_micros });
        let position = log.push(now, Entry::Change(Arc::clone(&change)));
        let id = log.id;
        drop(logs);
        let is_kept = self.is_kept.load(Ordering::Relaxed);
        is_kept.then(|| Entry::Change(change).to_record(id, position, now))
    }

    /// Returns the partitions of a table's stream now; `None` if it has no stream.
    pub(crate) fn partitions(&self, table: &[u8]) -> Option<Vec<KeySpan>> {
        lock(&self.logs).of_tables.get(table).map(|log| log.partitions.clone())
    }

    /// Returns the id of the log of a table, and where a reader of a partition begins: at the first
    /// change at or after this time in microseconds, or at what follows if none is given. It reads
    /// the latest life of the partition.
    pub(crate) fn begin(
        &self,
        table: &[u8],
        partition: KeySpan,
        from: Option<u64>,
    ) -> Option<(u64, Reading)> {
        let logs = lock(&self.logs);
        let log = logs.of_tables.get(table)?;
        let (position, since) = (log.position(from), log.latest_life(&partition));
        Some((log.id, Reading { partition, position, since, known: Vec::new() }))
    }

    /// Returns the id of the log of a table, and the position of the first change at or after this
    /// time in microseconds, or of what follows if none is given.
    #[cfg(test)]
    pub(crate) fn position(&self, table: &[u8], from: Option<u64>) -> Option<(u64, u64)> {
        let logs = lock(&self.logs);
        let log = logs.of_tables.get(table)?;
        Some((log.id, log.position(from)))
    }

    /// Returns how long the changes of a table are kept, in ms.
    pub(crate) fn retention_ms(&self, table: &[u8]) -> Option<u64> {
        lock(&self.logs).of_tables.get(table).map(|log| log.retention_ms)
    }

    /// Returns a receiver that is told of each entry.
    pub(crate) fn added(&self, table: &[u8]) -> Option<watch::Receiver<()>> {
        lock(&self.logs).of_tables.get(table).map(|log| log.added.subscribe())
    }

    /// Returns what a reader of a partition finds next.
    pub(crate) fn next(&self, (table, id): (&[u8], u64), reading: &Reading, now: u64) -> Next {
        let Reading { partition, position, since, .. } = reading;
        let mut logs = lock(&self.logs);
        let log = logs.of_tables.get_mut(table).filter(|log| log.id == id);
        let Some(log) = log else { return Next::Gone };
        log.forget_old(now);
        if *position < log.first {
            return Next::TooOld;
        }
        for (at, (_, entry)) in log.entries.range(position..) {
            let at = *at;
            match entry {
                Entry::Change(change) if partition.contains(&change.row) => {
                    if !reading.is_known(&change.row, at) {
                        return Next::Change(Arc::clone(change), at.saturating_add(1));
                    }
                }
                Entry::Replaced { old, new } if at >= *since && old.contains(partition) => {
                    return Next::Replaced(new.clone(), at.saturating_add(1));
                }
                Entry::Change(_) | Entry::Replaced { .. } => {}
            }
        }
        let end = log.next.max(*position);
        match log.partitions.contains(partition) {
            true => Next::Nothing(end),
            // It was replaced before this position.
            false => Next::Replaced(log.partitions.clone(), end),
        }
    }
}

impl ChangeLog {
    /// Makes an empty log.
    fn new(id: u64) -> Self {
        Self {
            id,
            retention_ms: 0,
            first: 0,
            next: 0,
            entries: BTreeMap::new(),
            partitions: Vec::new(),
            last_micros: 0,
            added: watch::Sender::new(()),
        }
    }

    /// Returns the position of the first change at or after this time in microseconds, or of what
    /// follows if none is given.
    fn position(&self, from: Option<u64>) -> u64 {
        let is_after = |from: u64, (added, entry): &(u64, Entry)| match entry {
            Entry::Change(change) => change.micros >= from,
            Entry::Replaced { .. } => added.saturating_mul(1_000) >= from,
        };
        let at = from.and_then(|from| self.entries.iter().find(|(_, entry)| is_after(from, entry)));
        at.map_or(self.next, |(at, _)| *at)
    }

    /// Returns where the latest life of a partition has begun; 0 if that is no longer in the log,
    /// or the partition is as old as the log.
    fn latest_life(&self, partition: &KeySpan) -> u64 {
        let is_begin = |(_, entry): &(u64, Entry)| match entry {
            Entry::Replaced { new, .. } => new.contains(partition),
            Entry::Change(_) => false,
        };
        let begin = self.entries.iter().rev().find(|(_, entry)| is_begin(entry));
        begin.map_or(0, |(at, _)| at.saturating_add(1))
    }

    /// Adds an entry, and returns its position.
    fn push(&mut self, now: u64, entry: Entry) -> u64 {
        self.forget_old(now);
        let position = self.next;
        self.entries.insert(position, (now, entry));
        self.next = position.saturating_add(1);
        self.added.send_replace(());
        position
    }

    /// Replaces partitions that are no regions any more. Returns the entry of this, if there are
    /// any.
    fn replace_partitions(&mut self, regions: Vec<KeySpan>, now: u64) -> Option<StreamEntryRecord> {
        let without = |of: &[KeySpan], others: &[KeySpan]| -> Vec<KeySpan> {
            of.iter().filter(|span| !others.contains(span)).cloned().collect()
        };
        let old = without(&self.partitions, &regions);
        let new = without(&regions, &self.partitions);
        self.partitions = regions;
        if old.is_empty() && new.is_empty() {
            return None;
        }
        let entry = Entry::Replaced { old, new };
        let position = self.push(now, entry.clone());
        Some(entry.to_record(self.id, position, now))
    }

    /// Forgets what is older than the retention.
    fn forget_old(&mut self, now: u64) {
        let oldest = now.saturating_sub(self.retention_ms);
        while let Some(entry) = self.entries.first_entry()
            && entry.get().0 < oldest
        {
            self.first = entry.key().saturating_add(1);
            entry.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: &'static str, end: &'static str) -> KeySpan {
        KeySpan { start: start.into(), end: end.into() }
    }

    fn logs() -> (ChangeLogs, u64) {
        let logs = ChangeLogs::default();
        logs.update(b"t", Some(1_000), || vec![span("", "m"), span("m", "")], 0);
        let id = logs.position(b"t", None).unwrap().0;
        (logs, id)
    }

    fn read(logs: &ChangeLogs, id: u64, of: &KeySpan, from: u64) -> (Vec<Bytes>, Next) {
        let reading =
            Reading { partition: of.clone(), position: from, since: 0, known: Vec::new() };
        read_on(logs, id, reading)
    }

    fn read_on(logs: &ChangeLogs, id: u64, mut reading: Reading) -> (Vec<Bytes>, Next) {
        let mut rows = Vec::new();
        loop {
            match logs.next((b"t", id), &reading, 0) {
                Next::Change(change, next) => {
                    rows.push(change.row.clone());
                    reading.position = next;
                }
                other => return (rows, other),
            }
        }
    }

    #[test]
    fn a_partition_ends_at_the_same_place_whenever_it_is_read() {
        let (logs, id) = logs();
        let (low, high) = (span("", "m"), span("m", ""));
        let add = |row: &str| drop(logs.add(b"t", row.as_bytes(), Vec::new(), 5));
        let divide = |regions: &[KeySpan]| logs.update(b"t", Some(1_000), || regions.to_vec(), 5);
        add("a");
        divide(&[span("", "c"), span("c", "m"), high.clone()]);
        add("a");
        add("x");
        divide(&[low.clone(), high.clone()]);
        add("b");
        let (rows, Next::Replaced(new, next)) = read(&logs, id, &low, 0) else { panic!() };
        assert_eq!((rows, new), (vec![Bytes::from("a")], vec![span("", "c"), span("c", "m")]));
        let (rows, Next::Replaced(new, next)) = read(&logs, id, &span("", "c"), next) else {
            panic!()
        };
        assert_eq!((rows, new), (vec![Bytes::from("a")], vec![low.clone()]));
        let (rows, Next::Nothing(_)) = read(&logs, id, &low, next) else { panic!() };
        assert_eq!(rows, ["b"]);
        let (rows, Next::Nothing(_)) = read(&logs, id, &high, 0) else { panic!() };
        assert_eq!(rows, ["x"]);
        // A partition that the stream does not have now is replaced by those that it has.
        let (_, Next::Replaced(new, _)) = read(&logs, id, &span("c", "m"), next) else { panic!() };
        assert_eq!(new, [low, high]);
    }

    #[test]
    fn a_reader_of_a_later_life_passes_the_end_of_an_earlier_one() {
        let (logs, id) = logs();
        let (low, high) = (span("", "m"), span("m", ""));
        let add = |row: &str| drop(logs.add(b"t", row.as_bytes(), Vec::new(), 5));
        let divide = |regions: &[KeySpan]| logs.update(b"t", Some(1_000), || regions.to_vec(), 5);
        add("a");
        divide(&[span("", "")]);
        add("b");
        divide(&[low.clone(), high.clone()]);
        add("c");
        let (_, begun) = logs.begin(b"t", low.clone(), Some(0)).unwrap();
        assert_eq!((begun.position, begun.since), (0, 4));
        let (rows, end) = read_on(&logs, id, begun.clone());
        assert_eq!(rows, ["a", "b", "c"]);
        assert!(matches!(end, Next::Nothing(5)), "{end:?}");
        divide(&[span("", "")]);
        let (rows, Next::Replaced(new, 6)) = read_on(&logs, id, begun) else { panic!() };
        assert_eq!((rows.len(), new), (3, vec![span("", "")]));
        // It is not there any more, and its latest life has this end too.
        let (_, begun) = logs.begin(b"t", low, Some(0)).unwrap();
        assert!(matches!(read_on(&logs, id, begun).1, Next::Replaced(_, 6)));
    }

    #[test]
    fn what_is_older_than_the_retention_is_forgotten() {
        let (logs, id) = logs();
        logs.add(b"t", b"a", Vec::new(), 10);
        logs.add(b"t", b"a", Vec::new(), 900);
        let at = |position, now| {
            let partition = span("", "m");
            let reading = Reading { partition, position, since: 0, known: Vec::new() };
            logs.next((b"t", id), &reading, now)
        };
        assert!(matches!(at(0, 1_010), Next::Change(_, 1)));
        assert!(matches!(at(0, 1_011), Next::TooOld));
        assert!(matches!(at(1, 1_900), Next::Change(_, 2)));
        assert!(matches!(at(2, 5_000), Next::Nothing(2)));
        // Changes at the same ms have different times.
        logs.add(b"t", b"a", Vec::new(), 5_000);
        logs.add(b"t", b"b", Vec::new(), 5_000);
        assert_eq!(logs.position(b"t", Some(5_000_000)), Some((id, 2)));
        assert_eq!(logs.position(b"t", Some(5_000_001)), Some((id, 3)));
        // The next stream of the table is another one.
        logs.update(b"t", None, Vec::new, 5_000);
        assert!(!logs.has(b"t") && logs.position(b"t", None).is_none());
        logs.update(b"t", Some(1_000), || vec![span("", "")], 5_000);
        assert!(matches!(at(0, 5_000), Next::Gone));
    }

    #[test]
    fn spans_have_the_rows_that_are_in_both() {
        let common = |a: (_, _), b: (_, _)| span(a.0, a.1).common(&span(b.0, b.1));
        assert_eq!(common(("", "m"), ("c", "")), Some(span("c", "m")));
        assert_eq!(common(("", ""), ("c", "d")), Some(span("c", "d")));
        assert_eq!(common(("a", "c"), ("c", "d")), None);
    }
}
