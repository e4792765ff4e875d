//! Writers that know what their rows may be.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tallrow::admin::Aggregate;
use tallrow::op::AddToCells;
use tallrow::{
    Client, Delete, Error, FamilyDescriptor, Increment, Put, RawTable, Scan, TableDescriptor,
};
use tallrow_tests::{Random, Store};

use super::follower::Seen;
use super::progress::Progress;

/// The rows of each writer that it puts and deletes.
pub(super) const ROWS: u64 = 8;

/// The table of the writers of a store.
pub(super) fn table_name(store: Store) -> &'static str {
    match store {
        Store::HBase => "of_hbase",
        Store::Bigtable => "of_bigtable",
    }
}

/// The start of all values, which shows that this process wrote them.
fn mark() -> String {
    format!("{}:", std::process::id())
}

/// The value of a put that was read from this row.
pub(super) fn value_of(bytes: &[u8], row: &str) -> u64 {
    let text = std::str::from_utf8(bytes).unwrap();
    let value = text.strip_prefix(&mark()).and_then(|value| value.parse().ok());
    value.unwrap_or_else(|| panic!("{row} has {text}, of another test"))
}

/// Creates the table of a store.
pub(super) async fn create(client: &Client, store: Store) {
    let table = TableDescriptor::new(table_name(store)).unwrap();
    let table = table
        .family(FamilyDescriptor::new("d"))
        .family(FamilyDescriptor::new("s").aggregate(Aggregate::Sum));
    let table = match store {
        Store::HBase => table,
        Store::Bigtable => table.change_stream_retention(Duration::from_secs(86_400)),
    };
    client.admin().create_table(&table).await.unwrap();
}

/// What a writer did.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    acknowledged: u64,
    unknown: u64,
    increments: u64,
    checks: u64,
}

impl Counts {
    pub(super) fn add(&mut self, other: Self) {
        self.acknowledged += other.acknowledged;
        self.unknown += other.unknown;
        self.increments += other.increments;
        self.checks += other.checks;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { acknowledged, unknown, increments, checks } = self;
        write!(
            f,
            "{acknowledged} operations acknowledged ({increments} of them increments), {unknown} \
             with an unknown outcome, {checks} reads checked"
        )
    }
}

/// A counter: what was acknowledged, and how many increments may have happened besides.
#[derive(Clone, Copy, Debug, Default)]
struct Counter {
    acknowledged: i64,
    unknown: i64,
}

impl Counter {
    /// Checks what was read.
    fn check(&mut self, found: i64, what: &str) {
        let most = self.acknowledged + self.unknown;
        assert!((self.acknowledged..=most).contains(&found), "{what} is {found}: {self:?}");
        *self = Self { acknowledged: found, unknown: 0 };
    }

    /// Notes an increment, which may have returned the counter.
    fn note(&mut self, outcome: &Result<Option<i64>, Error>, what: &str) {
        match outcome {
            Err(_) => self.unknown += 1,
            Ok(None) => self.acknowledged += 1,
            Ok(Some(found)) => {
                self.acknowledged += 1;
                self.check(*found, what);
            }
        }
    }
}

/// A writer of its own rows.
pub(super) struct Writer {
    store: Store,
    number: u64,
    table: RawTable,
    random: Random,
    /// What each row may have, none for nothing; one value, unless an outcome is unknown.
    rows: BTreeMap<u64, Vec<Option<u64>>>,
    /// The values of each row that were acknowledged.
    acknowledged: BTreeMap<u64, Vec<u64>>,
    /// The counter that is incremented, and the sum to which is added.
    counters: [Counter; 2],
    last_value: u64,
    counts: Counts,
    progress: Arc<Progress>,
}

impl Writer {
    pub(super) fn new(
        store: Store,
        number: u64,
        client: &Client,
        progress: &Arc<Progress>,
    ) -> Self {
        Self {
            store,
            number,
            table: client.raw_table(table_name(store)).unwrap(),
            random: Random::new(34, 1 + number),
            rows: (0..ROWS).map(|row| (row, vec![None])).collect(),
            acknowledged: BTreeMap::new(),
            counters: [Counter::default(); 2],
            last_value: 0,
            counts: Counts::default(),
            progress: Arc::clone(progress),
        }
    }

    pub(super) fn counts(&self) -> Counts {
        self.counts
    }

    fn key(&self, row: u64) -> String {
        format!("{row}-{}", self.number)
    }

    fn counter_key(&self) -> String {
        format!("n-{}", self.number)
    }

    fn put(&mut self, row: u64) -> (Put, u64) {
        self.last_value += 1;
        let value = self.last_value;
        (Put::new(self.key(row)).cell("d", "q", format!("{}{value}", mark())), value)
    }

    /// Notes the outcome of a write.
    fn wrote(&mut self, row: u64, value: Option<u64>, is_acknowledged: bool) {
        let values = self.rows.get_mut(&row).unwrap();
        if is_acknowledged {
            values.clear();
            self.acknowledged.entry(row).or_default().extend(value);
            self.counts.acknowledged += 1;
            self.progress.count(|all| all.operations += 1);
        } else {
            self.counts.unknown += 1;
        }
        values.push(value);
    }

    pub(super) async fn run(mut self) -> Self {
        while !self.progress.ends() {
            let row = self.random.below(ROWS);
            match self.random.below(8) {
                0 | 1 => {
                    let (put, value) = self.put(row);
                    let done = self.table.put(put).await.is_ok();
                    self.wrote(row, Some(value), done);
                }
                2 => {
                    let done = self.table.delete(Delete::new(self.key(row))).await.is_ok();
                    self.wrote(row, None, done);
                }
                3 => {
                    let puts: Vec<_> = (0..ROWS).map(|row| self.put(row)).collect();
                    let values: Vec<_> = puts.iter().map(|(_, value)| *value).collect();
                    let results = self.table.put_all(puts.into_iter().map(|(put, _)| put)).await;
                    for ((row, value), result) in (0..ROWS).zip(values).zip(results) {
                        self.wrote(row, Some(value), result.is_ok());
                    }
                }
                4 | 5 => self.increment().await,
                6 => self.add().await,
                _ => self.check(row).await,
            }
        }
        self
    }

    async fn increment(&mut self) {
        let key = self.counter_key();
        let increment = Increment::new(&key).add("d", "n", 1);
        let outcome = self.table.increment(increment).await.map(|row| {
            row.map(|row| row.counter("d", "n").unwrap().expect("the counter is returned"))
        });
        self.counters[0].note(&outcome, &format!("{:?} {key}", self.store));
        self.count(outcome.is_ok());
    }

    async fn add(&mut self) {
        let key = self.counter_key();
        let outcome = self.table.add_to_cells(AddToCells::new(&key).add("s", "n", 1)).await;
        self.count(outcome.is_ok());
        self.counters[1].note(&outcome.map(|()| None), &key);
    }

    fn count(&mut self, is_acknowledged: bool) {
        match is_acknowledged {
            true => {
                self.counts.acknowledged += 1;
                self.counts.increments += 1;
                self.progress.count(|all| all.operations += 1);
            }
            false => self.counts.unknown += 1,
        }
    }

    /// Reads a row, which must have one of the values that it may have.
    async fn check(&mut self, row: u64) {
        let (key, store) = (self.key(row), self.store);
        let Ok(found) = self.table.get(key.as_str()).await else { return };
        let found = found.map(|row| value_of(row.value("d", "q").unwrap(), &key));
        let values = self.rows.get_mut(&row).unwrap();
        assert!(values.contains(&found), "{store:?} {key} has {found:?}, expected of {values:?}");
        *values = vec![found];
        self.counts.checks += 1;
    }

    /// Reads all rows and both counters.
    pub(super) async fn check_all(&mut self) {
        let before = self.counts.checks;
        for row in 0..ROWS {
            self.check(row).await;
        }
        assert_eq!(self.counts.checks, before + ROWS, "a row could not be read");
        let key = self.counter_key();
        let row = self.table.get(key.as_str()).await.unwrap();
        for (counter, family) in self.counters.iter_mut().zip(["d", "s"]) {
            let found = row.as_ref().and_then(|row| row.counter(family, "n").unwrap());
            counter.check(found.unwrap_or(0), &format!("{:?} {key} {family}", self.store));
        }
    }
}

impl Writer {
    /// Checks what was read of the change stream of the table, after all rows were read: each write
    /// that was acknowledged is there once, and in its place, and no other one that was not tried.
    pub(super) fn check_seen(&self, seen: &Seen) {
        if self.store != Store::Bigtable {
            return;
        }
        for (row, acknowledged) in &self.acknowledged {
            let key = self.key(*row);
            let found = seen.puts.get(&key).map(|found| &found[..]).unwrap_or_default();
            assert!(found.is_sorted_by(|a, b| a < b), "{key}: {found:?}");
            assert!(found.iter().all(|value| *value <= self.last_value), "{key}: {found:?}");
            let missing = acknowledged.iter().find(|value| found.binary_search(value).is_err());
            assert_eq!(missing, None, "{key}: {found:?}");
        }
        let key = self.counter_key();
        let [increments, additions] = self.counters.map(|counter| counter.acknowledged);
        let found = seen.increments.get(&key).cloned().unwrap_or_default();
        assert_eq!(found, (1..=increments).collect::<Vec<_>>(), "{key}");
        assert_eq!(seen.additions.get(&key).copied().unwrap_or(0), additions, "{key}");
    }
}

/// Checks that a table has no rows but those of the writers.
pub(super) async fn check_rows(client: &Client, store: Store) {
    let table = client.raw_table(table_name(store)).unwrap();
    let mut rows = table.scan(Scan::all()).unwrap();
    while let Some(row) = rows.next_row().await.unwrap() {
        let key = String::from_utf8(row.key().to_vec()).unwrap();
        let (of, number) = key.split_once('-').unwrap();
        let is_row = of == "n" || of.parse::<u64>().unwrap() < ROWS;
        assert!(is_row && number.parse::<u64>().unwrap() < super::WRITERS, "{key}");
    }
}
