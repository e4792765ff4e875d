//! Every pattern on every store while its processes are killed at random moments: what was
//! acknowledged is there, nothing is there twice, and nothing by half. On the mock, replies are
//! lost too.

mod ids;
mod index;
mod lists;
mod lookup;
mod moves;
mod series;

use std::pin::Pin;
use std::time::Duration;

use tallrow::{Client, Error, ErrorKind};
use tallrow_mock::MockCluster;
use tallrow_tests::{Process, Random, Store, lossy, patient, task, tell, thorough};

/// How many processes work at a time.
const PROCESSES: usize = 3;
/// How many of them are killed before the end, at which all are.
fn kills() -> usize {
    if thorough() { 24 } else { 2 }
}

type Running<T> = Pin<Box<dyn Future<Output = T>>>;

/// A pattern, and what is asked of it.
struct Pattern {
    name: &'static str,
    /// The tables whose replies are lost.
    tables: &'static [&'static str],
    /// New tables, in place of those that an earlier run left.
    create: fn(Client) -> Running<()>,
    /// The steps of a process with this number, for ever; each is told when it is acknowledged.
    work: fn(Client, u64) -> Running<()>,
    /// Panics if something was lost, doubled or torn, then deletes the tables.
    check: fn(Client, Told) -> Running<()>,
}

/// The public modules of the crate that change several cells or rows for a program, by the patterns
/// that try them.
const PATTERNS: [Pattern; 6] = [
    ids::PATTERN,
    index::PATTERN,
    lists::PATTERN,
    lookup::PATTERN,
    moves::PATTERN,
    series::PATTERN,
];

/// What processes told, and how much more may have been done.
struct Told {
    lines: Vec<String>,
    /// How many steps were not known to be done when they ended.
    unknown: usize,
}

impl Told {
    /// The numbers of each line.
    fn numbers<const N: usize>(&self) -> impl Iterator<Item = [u64; N]> {
        self.lines.iter().map(|line| {
            let mut numbers = line.split(' ').map(|number| number.parse().unwrap());
            std::array::from_fn(|_| numbers.next().unwrap())
        })
    }
}

/// What is told of a step whose outcome is not known.
const UNKNOWN: &str = "unknown";

/// The result of a step; none if it was not made, or it is not known whether it was, which is told.
fn done<T>(result: Result<T, Error>) -> Option<T> {
    match result {
        Ok(value) => return Some(value),
        Err(error) if error.kind() == ErrorKind::OutcomeUnknown => tell(UNKNOWN),
        Err(error) => assert!(error.kind().is_safe_to_retry(), "{error:?}"),
    }
    None
}

/// What the names of all tables begin with: other suites have tables of the same types.
const PREFIX: &str = "t_patterns_";

async fn connect(url: &str) -> Client {
    loop {
        let config = lossy::config().table_prefix(PREFIX);
        match Client::connect_with(url, config).await {
            Ok(client) => return client,
            Err(error) => assert!(error.kind().is_safe_to_retry(), "{error:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn work_as_process() {
    let Some(task) = task() else { return };
    let [name, number, url] = task.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{task}") };
    let pattern = PATTERNS.iter().find(|pattern| pattern.name == name).unwrap();
    (pattern.work)(connect(url).await, number.parse().unwrap()).await;
}

/// Runs processes that are killed, and checks what is there afterwards.
async fn survives(
    pattern: &Pattern,
    url: &str,
    faults_begin: impl FnOnce(),
    faults_end: impl FnOnce(),
) {
    let client = Client::connect_with(url, patient().table_prefix(PREFIX)).await.unwrap();
    (pattern.create)(client.clone()).await;
    faults_begin();
    let mut random = Random::new(5, pattern.name.len() as u64);
    let mut number = 0;
    let mut start = || {
        number += 1;
        Process::start("patterns::work_as_process", &format!("{} {number} {url}", pattern.name))
    };
    let mut running: Vec<_> = (0..PROCESSES).map(|_| start()).collect();
    let (mut lines, mut unknown) = (Vec::new(), 0);
    for kill in 0..kills() {
        let mut process = std::mem::replace(&mut running[kill % PROCESSES], start());
        // After some steps, and at any point of the next one.
        let steps = 1 + random.below(20);
        lines.extend((0..steps).map_while(|_| process.told()));
        assert!(!process.ended_within(Duration::from_micros(random.below(5_000))));
        lines.extend(process.kill());
        unknown += 1;
    }
    for mut process in running {
        lines.extend((0..10).map_while(|_| process.told()));
        assert!(!process.ended_within(Duration::ZERO), "a process ended: {lines:?}");
        lines.extend(process.kill());
        unknown += 1;
    }
    faults_end();
    let steps = lines.len();
    lines.retain(|line| line != UNKNOWN);
    unknown += steps - lines.len();
    println!("{}: {} steps, {unknown} unknown", pattern.name, lines.len());
    (pattern.check)(client, Told { lines, unknown }).await;
}

async fn all_survive_on_mock(store: Store) {
    for pattern in &PATTERNS {
        let mock =
            MockCluster::builder().seed(9).servers(2).bigtable_port(0).start().await.unwrap();
        let lose = || {
            for table in pattern.tables {
                lossy::lose_replies(store, &mock, &format!("{PREFIX}{table}"), 0.01, 1);
            }
        };
        survives(pattern, &store.url(&mock), lose, || mock.clear_faults()).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_survive_on_hbase_mock() {
    all_survive_on_mock(Store::HBase).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_survive_on_bigtable_mock() {
    all_survive_on_mock(Store::Bigtable).await;
}

/// Runs if the environment names a cluster.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_survive_on_real() {
    let Some(url) = Store::HBase.real() else { return };
    for pattern in &PATTERNS {
        survives(pattern, &url, || {}, || {}).await;
    }
}

/// Runs if the environment names an emulator. Its rows share their lists of columns, so that a read
/// beside a delete misses cells (see `DEFECTS` of the suite of the client): hours are not compacted
/// there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_survive_on_emulator() {
    let Some(url) = Store::Bigtable.real() else { return };
    for pattern in PATTERNS.iter().filter(|pattern| pattern.name != "series") {
        survives(pattern, &url, || {}, || {}).await;
    }
}

/// Each module of the room of patterns has a test here. The changes of whole tables are tried by
/// `suites/rekey`, copies by `cli/tests/commands/copy.rs`.
#[test]
fn every_pattern_is_tried() {
    let source = include_str!("../../../sdk/src/patterns/mod.rs");
    let modules = source.lines().filter_map(|line| line.strip_prefix("pub mod "));
    let modules: Vec<_> = modules.map(|rest| rest.trim_end_matches(';')).collect();
    let mut known: Vec<_> = PATTERNS.iter().map(|pattern| pattern.name).collect();
    known.sort_unstable();
    assert_eq!(modules, known, "add the pattern to PATTERNS");
}
