//! Change streams: many writers, while partitions are divided and merged, and a reader that is
//! killed again and again. It finds each mutation once, and those of each row in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tallrow::changes::{ChangePosition, ChangeRecord, ColumnChange, TypedChanges};
use tallrow::{Client, Config, RowKey, Table, TableDescriptor, TypedTable};
use tallrow_mock::{Change, Fault, MockCluster, StatusCode};
use tallrow_tests::{Random, in_memory, thorough};
use tokio::sync::Notify;

const WRITERS: u32 = 8;
const KILLS: usize = 5;
/// The rows of each writer.
const ROWS: u32 = 16;
/// After how many records the reader saves what it has read, together with its position.
const SAVED_EACH: usize = 37;

#[derive(RowKey, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    row: u32,
    writer: u32,
}

#[derive(Table, Debug)]
#[table(name = "numbers")]
#[family("d")]
struct Number {
    #[key]
    key: Key,
    #[cell("d:n")]
    n: u32,
}

/// What survives the death of the reader: the position, and what was read before it.
#[derive(Default)]
struct Saved {
    position: Option<Vec<u8>>,
    read: BTreeMap<Key, Vec<u32>>,
    /// How many partitions were divided, and how many were merged with others.
    divided: usize,
    merged: usize,
}

/// What the reader has read since it saved its position, which it loses when it is killed.
#[derive(Default)]
struct Unsaved {
    changes: Vec<(Key, u32)>,
    divided: usize,
    merged: usize,
}

struct Shared {
    saved: Mutex<Saved>,
    /// How many changes the readers have returned, those of killed ones too.
    returned: AtomicUsize,
    /// How many changes are saved.
    kept: AtomicUsize,
    more: Notify,
}

impl Unsaved {
    fn add(&mut self, record: ChangeRecord<TypedChanges<Number>>, shared: &Shared) {
        match record {
            ChangeRecord::Change(change) => {
                assert!(change.key.encode()[..] >= *change.partition.start());
                assert!(
                    change.partition.end().is_empty()
                        || change.key.encode()[..] < *change.partition.end()
                );
                match change.column(Number::N).unwrap() {
                    ColumnChange::Set(n) => self.changes.push((change.key, n)),
                    other => panic!("{other:?}"),
                }
                shared.returned.fetch_add(1, Ordering::Relaxed);
            }
            ChangeRecord::PartitionClosed { partition, followed_by } => {
                self.divided += usize::from(followed_by.len() > 1);
                let is_larger = |of: &tallrow::changes::ChangePartition| {
                    of.start() < partition.start()
                        || of.end() != partition.end() && followed_by.len() == 1
                };
                self.merged += usize::from(followed_by.iter().any(is_larger));
            }
            _ => {}
        }
    }

    /// Saves the position and what was read before it in one step.
    fn save(&mut self, position: &ChangePosition, shared: &Shared) {
        let Self { changes, divided, merged } = std::mem::take(self);
        let mut saved = shared.saved.lock().unwrap();
        saved.position = Some(position.to_bytes());
        saved.divided += divided;
        saved.merged += merged;
        shared.kept.fetch_add(changes.len(), Ordering::Relaxed);
        for (key, n) in changes {
            saved.read.entry(key).or_default().push(n);
        }
    }
}

/// Reads from the saved position until it is killed.
async fn read(table: TypedTable<Number>, shared: Arc<Shared>) {
    let position = shared.saved.lock().unwrap().position.clone();
    let position = ChangePosition::from_bytes(&position.expect("it is saved before")).unwrap();
    let changes = table.changes().unwrap().resume(&position).heartbeat(Duration::from_secs(1));
    let mut changes = changes.open().unwrap();
    let mut unsaved = Unsaved::default();
    for count in 1.. {
        let record = changes.next_record().await.unwrap().expect("the stream has no end");
        let is_idle = matches!(record, ChangeRecord::Heartbeat { .. });
        unsaved.add(record, &shared);
        if count % SAVED_EACH == 0 || is_idle {
            unsaved.save(&changes.position(), &shared);
        }
        shared.more.notify_one();
    }
}

/// Writes the numbers from 0, one after another to each of its rows.
async fn write(table: TypedTable<Number>, writer: u32, numbers: u32, written: Arc<AtomicUsize>) {
    for n in 0..numbers {
        for row in 0..ROWS {
            let key = Key { row: row * (u32::MAX / ROWS), writer };
            table.put(&Number { key, n }).await.unwrap();
            written.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Divides and merges the partitions of the table at random, once for each share of what is
/// written.
async fn disturb(mock: MockCluster, written: Arc<AtomicUsize>, all: usize) {
    let mut random = Random::new(1, 0);
    for step in 0..40 {
        while written.load(Ordering::Relaxed) < all * step / 40 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let starts: Vec<Vec<u8>> =
            mock.regions("numbers").into_iter().map(|region| region.start_key).collect();
        let at =
            u32::try_from(1 + random.below(u64::from(u32::MAX))).unwrap().to_be_bytes().to_vec();
        if step % 3 == 2 && starts.len() > 1 {
            let row = starts[random.index(starts.len() - 1)].clone();
            mock.apply(&Change::MergeRegions { table: "numbers".into(), row }).unwrap();
        } else if !starts.contains(&at) {
            mock.split_region("numbers", &at).unwrap();
        }
    }
}

async fn client(mock: &MockCluster) -> Client {
    let config = Config::new().connector(in_memory(mock));
    Client::connect_with(&mock.bigtable_url().unwrap(), config).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn each_mutation_is_read_once_and_in_order_by_a_reader_that_is_killed() {
    let all: usize = if thorough() { 100_000 } else { 4_000 };
    let numbers = u32::try_from(all).unwrap().div_ceil(WRITERS * ROWS);
    let all = (numbers * WRITERS * ROWS) as usize;
    let builder = MockCluster::builder().in_memory().servers(1).bigtable_port(0).seed(3);
    let mock = builder.start().await.unwrap();
    let writing = client(&mock).await;
    let day = Duration::from_secs(86_400);
    let table = TableDescriptor::of::<Number>().unwrap().change_stream_retention(day);
    writing.admin().create_table(&table).await.unwrap();

    let begin = writing.table::<Number>().changes().unwrap();
    let mut begun = begin.heartbeat(Duration::from_millis(100)).open().unwrap();
    begun.next_record().await.unwrap();
    let saved = Saved { position: Some(begun.position().to_bytes()), ..Saved::default() };
    drop(begun);
    let shared = Arc::new(Shared {
        saved: Mutex::new(saved),
        returned: AtomicUsize::new(0),
        kept: AtomicUsize::new(0),
        more: Notify::new(),
    });
    // Streams break, too.
    mock.inject(
        Fault::on("ReadChangeStream").chance(0.05).fail_midway(StatusCode::Unavailable, "broken"),
    );

    let written = Arc::new(AtomicUsize::new(0));
    let mut tasks = tokio::task::JoinSet::new();
    for writer in 0..WRITERS {
        tasks.spawn(write(writing.table::<Number>(), writer, numbers, written.clone()));
    }
    tasks.spawn(disturb(mock.clone(), written, all));

    for kill in 1..=KILLS + 1 {
        // Each reader has a client of its own, as after a restart.
        let reader = tokio::spawn(read(client(&mock).await.table::<Number>(), shared.clone()));
        let until = if kill > KILLS { all } else { all * kill / (KILLS + 1) };
        while shared.kept.load(Ordering::Relaxed) < until {
            assert!(!reader.is_finished(), "{:?}", reader.await);
            shared.more.notified().await;
        }
        if kill > KILLS {
            // Nothing follows.
            tokio::time::sleep(Duration::from_secs(10)).await;
        }
        reader.abort();
        assert!(reader.await.unwrap_err().is_cancelled());
    }
    while let Some(task) = tasks.join_next().await {
        task.unwrap();
    }

    let saved = shared.saved.lock().unwrap();
    assert_eq!(saved.read.len(), (WRITERS * ROWS) as usize);
    let expected: Vec<u32> = (0..numbers).collect();
    for (key, read) in &saved.read {
        assert_eq!(*read, expected, "{key:?}");
    }
    assert_eq!(shared.kept.load(Ordering::Relaxed), all);
    // Some were read again, because their reader was killed before it had saved them.
    let returned = shared.returned.load(Ordering::Relaxed);
    assert!(returned > all, "{returned} of {all}");
    assert!(saved.divided > 5 && saved.merged > 5, "{} and {}", saved.divided, saved.merged);
    let regions = mock.regions("numbers").len();
    println!("{all} mutations, {returned} returned, {regions} partitions at the end");
}
