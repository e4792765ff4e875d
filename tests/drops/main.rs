//! Operations whose futures are dropped at random points, with lost replies among them: the answers to the others are
//! right, and afterwards nothing is held that belonged to a dropped one.

mod abandon;
mod counts;
mod mock_process;
mod model;
mod worker;

use std::time::Duration;

use tallrow::{Client, Config, FamilyDescriptor, Put, RawTable, TableDescriptor};

use counts::Counts;
use mock_process::MockProcess;
use worker::Worker;

/// Operations in all, in two halves, and tasks that make them.
const OPERATIONS: usize = 100_000;
const WORKERS: usize = 64;
const SEED: u64 = 7;

/// Every operation counts for its bytes against this many in flight.
const IN_FLIGHT: usize = 4 << 20;
/// The second half may raise the memory of the process by this many bytes; the writes it drops weigh several times that.
const GROWTH: usize = 4 << 20;

/// A cluster that loses replies, and a table of it.
struct Site {
    mock: MockProcess,
    table: RawTable,
}

impl Site {
    async fn new() -> Self {
        let mock = MockProcess::start();
        let config = Config {
            attempt_timeout: Duration::from_secs(1),
            operation_timeout: Duration::from_secs(20),
            page_timeout: Duration::from_secs(2),
            pause: Duration::from_millis(2),
            in_flight_bytes: IN_FLIGHT,
            ..Config::default()
        };
        let client = Client::connect_with(&mock.url, config).await.unwrap();
        let descriptor = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("f"));
        client.admin().create_table_with_splits(&descriptor, ["w2", "w4"]).await.unwrap();
        let table = client.raw_table("t").unwrap();
        Self { mock, table }
    }

    /// All workers, each with its share of `operations`.
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

/// The memory of this process in bytes; none where `/proc` does not say.
fn memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<usize>().ok().map(|kb| kb << 10)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropped_operations_leave_nothing_behind() {
    let mut site = Site::new().await;
    let mut workers = Vec::new();
    for number in 0..WORKERS {
        workers.push(Worker::new(number, SEED, &site.table).await);
    }

    let mut counts = Counts::default();
    let mut memories = Vec::new();
    // What is held until a connection breaks would be free again in the first half, and is not in the second.
    for close in [true, false] {
        site.mock.lose_replies();
        if close {
            site.mock.close_connections();
        }
        let half;
        (workers, half) = site.run(workers, OPERATIONS / 2).await;
        assert_eq!(site.mock.lose_no_more(), 0, "every way to lose a reply happened");
        counts += half;
        memories.extend(memory());
    }
    println!("{counts}; memory after each half: {memories:?} bytes");
    assert!(counts.dropped > OPERATIONS / 5 && counts.answered > OPERATIONS / 5, "{counts}");

    for worker in &mut workers {
        worker.check_all(&site.table).await;
    }
    the_whole_budget_is_free(&site).await;
    operations_leave_at_once(&mut site).await;
    if let [first, second] = memories[..] {
        assert!(second < first + GROWTH, "{first} bytes after half of it, {second} after all");
    }
}

/// One operation has almost all of the bytes in flight to itself.
async fn the_whole_budget_is_free(site: &Site) {
    let put = Put::new("whole").cell("f", "q", vec![7; IN_FLIGHT - (4 << 10)]);
    let table = site.table.clone().with_timeout(Duration::from_secs(5));
    if let Err(error) = table.put(put).await {
        panic!("bytes in flight are still held: {error:?}");
    }
}

/// No call is taken for outstanding: each lone operation is sent as itself.
async fn operations_leave_at_once(site: &mut Site) {
    let asked = ["Get", "Multi"].map(|m| site.mock.call_count(m));
    for _ in 0..100 {
        site.table.get("w00/0").await.unwrap();
    }
    let calls = ["Get", "Multi"].map(|m| site.mock.call_count(m));
    assert_eq!([calls[0] - asked[0], calls[1] - asked[1]], [100, 0]);
}
