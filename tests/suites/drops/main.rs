//! Operations whose futures are dropped at random points, on HBase and on a mock that loses
//! replies: the other operations get correct results, and dropped ones leak nothing.

mod abandon;
mod counts;
mod mock_process;
mod model;
mod worker;

use std::time::Duration;

use tallrow::op::CallOptions;
use tallrow::{Client, Config, FamilyDescriptor, Get, Put, RawTable, Scan, TableDescriptor};
use tallrow_tests::{Place, patience, patient, thorough};

use counts::Counts;
use mock_process::MockProcess;
use worker::Worker;

/// The number of tasks that run the operations.
const WORKERS: usize = 64;
const SEED: u64 = 7;

/// The limit of bytes in flight.
const IN_FLIGHT: usize = 4 << 20;
/// The maximum growth of the process in a round, in bytes; the writes that it drops are several
/// times as large.
const GROWTH: usize = 4 << 20;
/// The maximum number of rounds. What leaks grows in each, what the allocator keeps does not.
const ROUNDS: usize = 5;

/// The memory of the process is that of one test at a time.
static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// A cluster and a table on it.
struct Site {
    /// It loses replies; none on HBase.
    mock: Option<MockProcess>,
    table: RawTable,
}

impl Site {
    async fn mock() -> Self {
        let mock = MockProcess::start();
        let config = Config::new()
            .attempt_timeout(patience())
            .operation_timeout(patience())
            .pause(Duration::from_millis(2))
            .in_flight_bytes(IN_FLIGHT);
        let client = Client::connect_with(&mock.url, config).await.unwrap();
        let descriptor = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("f"));
        client.admin().create_table_with_splits(&descriptor, ["w2", "w4"]).await.unwrap();
        // Scans too are answered in the end, however many replies they lose and however slow the
        // machine is.
        let attempt = Duration::from_secs(1);
        let options = CallOptions::new().timeout(patience()).attempt_timeout(attempt);
        let table = client.raw_table("t").unwrap().with_options(options);
        Self { mock: Some(mock), table }
    }

    async fn real(test: &str) -> Option<Self> {
        let place = Place::real(test).await?;
        let name = place.table(&["w2", "w4"]).await.name().clone();
        let client = place.client_by(patient().in_flight_bytes(IN_FLIGHT)).await;
        Some(Self { mock: None, table: client.raw_table(name).unwrap() })
    }

    /// The table, for calls that are sent only once, however slow the machine is.
    fn patient_table(&self) -> RawTable {
        let options = CallOptions::new().timeout(patience()).attempt_timeout(patience());
        self.table.clone().with_options(options)
    }

    /// Calls each method until a reply was lost: how many calls of a method the workers make, and
    /// how many they drop before they are sent, depends on the machine.
    async fn lose_of_each_method(&mut self) {
        let Some(mock) = &mut self.mock else { return };
        while mock.unfired_faults() > 0 {
            let put = || Put::new("another").cell("f", "q", "v");
            // A put without a reply is unknown.
            let _ = self.table.put(put()).await;
            self.table.get("another").await.unwrap();
            for read in self.table.get_all(["another", "w00/0"].map(Get::new)).await {
                read.unwrap();
            }
            self.table.count(Scan::prefix("another")).await.unwrap();
        }
    }

    /// Runs all workers, each with its share of `operations`.
    async fn run(&self, workers: Vec<Worker>, operations: usize) -> (Vec<Worker>, Counts) {
        let tasks: Vec<_> = workers
            .into_iter()
            .map(|mut worker| {
                let table = self.table.clone();
                tokio::spawn(async move {
                    let counts = worker.run(&table, operations / WORKERS).await;
                    (worker, counts)
                })
            })
            .collect();
        let (mut workers, mut all) = (Vec::new(), Counts::default());
        for task in tasks {
            let (worker, counts) = task.await.unwrap();
            workers.push(worker);
            all += counts;
        }
        (workers, all)
    }
}

/// The memory of this process in bytes; none without `/proc`.
fn memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<usize>().ok().map(|kb| kb << 10)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropped_operations_leak_nothing() {
    let _alone = ALONE.lock().await;
    leak_nothing(Site::mock().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropped_operations_leak_nothing_on_real() {
    if let Some(site) = Site::real("drops").await {
        let _alone = ALONE.lock().await;
        leak_nothing(site).await;
    }
}

async fn leak_nothing(mut site: Site) {
    let mut workers = Vec::new();
    for number in 0..WORKERS {
        let table = site.patient_table();
        workers.push(Worker::new(number, SEED, &table, site.mock.is_none()).await);
    }

    let operations = if thorough() { 100_000 } else { 30_000 };
    let mut counts = Counts::default();
    let mut memories = Vec::new();
    for round in 0..ROUNDS {
        if let Some(mock) = &mut site.mock {
            mock.lose_replies();
            // Memory that is held until a connection breaks would be released in the first round
            // but not in the others.
            if round == 0 {
                mock.close_connections();
            }
        }
        let counted;
        (workers, counted) = site.run(workers, operations / 2).await;
        site.lose_of_each_method().await;
        if let Some(mock) = &mut site.mock {
            assert_eq!(mock.lose_no_more(), 0, "some faults have never fired");
        }
        counts += counted;
        memories.extend(memory());
        if round > 0 && grows_no_more(&memories) {
            break;
        }
    }
    println!("{counts}; memory after each round: {memories:?} bytes");
    assert!(counts.dropped > operations / 5 && counts.answered > operations / 5, "{counts}");

    for worker in &mut workers {
        worker.check_all(&site.table).await;
    }
    all_in_flight_bytes_are_free(&site).await;
    operations_are_sent_immediately(&mut site).await;
    assert!(grows_no_more(&memories), "{memories:?} bytes after each round");
}

/// Whether the process has hardly grown in the last round.
fn grows_no_more(memories: &[usize]) -> bool {
    match memories {
        [.., before, last] => *last < before + GROWTH,
        _ => true,
    }
}

/// One operation can use almost the whole limit of bytes in flight.
async fn all_in_flight_bytes_are_free(site: &Site) {
    let put = Put::new("whole").cell("f", "q", vec![7; IN_FLIGHT - (4 << 10)]);
    if let Err(error) = site.patient_table().put(put).await {
        panic!("bytes in flight are still held: {error:?}");
    }
}

/// No call is counted as outstanding: single operations are not sent in a Multi.
async fn operations_are_sent_immediately(site: &mut Site) {
    let table = site.patient_table();
    let Some(mock) = &mut site.mock else { return };
    let before = ["Get", "Multi"].map(|m| mock.call_count(m));
    for _ in 0..100 {
        table.get("w00/0").await.unwrap();
    }
    let calls = ["Get", "Multi"].map(|m| mock.call_count(m));
    assert_eq!([calls[0] - before[0], calls[1] - before[1]], [100, 0]);
}
