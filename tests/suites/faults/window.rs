//! How many calls are outstanding at a server that says it has too much to do, and what that means
//! for the others.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::join_all;
use tallrow::observe::{ConnectionInfo, Observer, WindowCause, WindowEvent};
use tallrow::{Client, Config, ErrorKind, Put, RetryBudget};
use tallrow_mock::{Fault, MockCluster};
use tallrow_tests::{in_memory, thorough};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use super::{Site, class, config, seed};

/// Remembers what happens to windows.
#[derive(Default)]
struct Windows(Mutex<Vec<WindowEvent>>);

impl Observer for Windows {
    fn window_changed(&self, _: &ConnectionInfo<'_>, window: WindowEvent) {
        self.0.lock().unwrap().push(window);
    }
}

impl Windows {
    fn caused_by(&self, cause: WindowCause) -> Vec<usize> {
        let events = self.0.lock().unwrap();
        let of = events.iter().filter(|event| event.cause == Some(cause));
        of.filter_map(|event| event.calls).collect()
    }

    fn latest(&self) -> Option<WindowEvent> {
        self.0.lock().unwrap().last().copied()
    }
}

/// Two servers: rows up to `m` are on the first, the others on the second.
async fn two_servers(config: Config) -> (Site, Arc<Windows>) {
    seed().await;
    let mock = MockCluster::builder().servers(2).in_memory().start().await.unwrap();
    let windows = Arc::new(Windows::default());
    let config = config.connector(in_memory(&mock)).observer(windows.clone());
    let client = Client::connect_with(&mock.url(), config).await.unwrap();
    let site = Site::new(mock, client, &["m"]).await;
    site.mock.move_region("t", b"a", 0).unwrap();
    site.mock.move_region("t", b"z", 1).unwrap();
    site.client.prefetch_regions("t").await.unwrap();
    for row in ["a", "z"] {
        site.table.put(Put::new(row).cell("f", "q", "v")).await.unwrap();
    }
    (site, windows)
}

fn patient() -> Config {
    config().attempt_timeout(Duration::from_secs(60)).operation_timeout(Duration::from_secs(60))
}

/// This many tasks if `TALLROW_THOROUGH` is set, else a quarter: a test spends most of its time on
/// their reads.
fn tasks(full: usize) -> usize {
    if thorough() { full } else { full / 4 }
}

/// A limit of bytes in flight that the operations of `tasks(2_000)` tasks exceed.
fn in_flight_bytes() -> usize {
    tasks(200 << 10)
}

/// How many tasks read in each ms what is not to be held back; a test spends nearly all its time on
/// their reads.
fn tasks_beside() -> usize {
    if thorough() { 32 } else { 2 }
}

/// Tasks that read one row again and again, each with a pause of its own between two reads, and the
/// numbers of reads that were answered and that failed.
struct Readers {
    tasks: Vec<JoinHandle<()>>,
    answered: Arc<AtomicU64>,
    failed: Arc<AtomicU64>,
}

impl Readers {
    /// All read in each ms, if they are answered: in paused time, answers take none.
    fn start(site: &Site, row: &'static str, tasks: usize) -> Self {
        Self::pausing(site, row, tasks, |_| 1)
    }

    /// For many tasks, which with one pause would all be in one call.
    fn spread(site: &Site, row: &'static str, tasks: usize) -> Self {
        Self::pausing(site, row, tasks, |task| 1 + task as u64 % 97)
    }

    fn pausing(site: &Site, row: &'static str, tasks: usize, ms: fn(usize) -> u64) -> Self {
        let (answered, failed) = <(Arc<AtomicU64>, Arc<AtomicU64>)>::default();
        let read = |task: usize| {
            let pause = Duration::from_millis(ms(task));
            let (table, answered, failed) = (site.table.clone(), answered.clone(), failed.clone());
            tokio::spawn(async move {
                loop {
                    sleep(pause).await;
                    let count = if table.get(row).await.is_ok() { &answered } else { &failed };
                    count.fetch_add(1, Ordering::Relaxed);
                }
            })
        };
        Self { tasks: (0..tasks).map(read).collect(), answered, failed }
    }

    fn answered(&self) -> u64 {
        self.answered.load(Ordering::Relaxed)
    }

    /// How many were answered in this time.
    async fn answered_in(&self, time: Duration) -> u64 {
        let before = self.answered();
        sleep(time).await;
        self.answered() - before
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

/// A server whose queue holds so many calls.
fn queue(server: usize, calls: usize, each: Duration) -> [Fault; 2] {
    ["Get", "Multi"].map(|method| Fault::on(method).server(server).limit_call_queue(calls, each))
}

#[tokio::test(start_paused = true)]
async fn a_full_queue_makes_the_window_smaller_and_it_grows_back() {
    let (site, windows) = two_servers(patient()).await;
    // Each call is slower than 10 ms, so the client does not wait for it before it sends the next.
    queue(0, 4, Duration::from_millis(20)).into_iter().for_each(|fault| site.mock.inject(fault));
    let readers = Readers::spread(&site, "a", tasks(400));
    sleep(Duration::from_secs(5)).await;
    let refused = windows.caused_by(WindowCause::QueueFull);
    assert!(!refused.is_empty() && refused.iter().all(|size| *size >= 1), "{refused:?}");
    let metrics = site.client.metrics();
    let servers = || metrics.servers.iter();
    let exceptions: u64 = servers().map(|server| server.exceptions).sum();
    let calls: u64 = servers().map(|server| server.calls).sum();
    assert!(exceptions * 10 <= calls, "{exceptions} of {calls} calls were refused");
    assert!(readers.answered() > 1_000, "{}", readers.answered());
    assert_eq!(readers.failed.load(Ordering::Relaxed), 0);
    assert!(servers().any(|server| server.window_reductions.contains_key("queue full")));

    site.mock.clear_faults();
    let is_unlimited =
        || site.client.metrics().servers.iter().all(|server| server.window.is_none());
    for _ in 0..50 {
        sleep(Duration::from_millis(100)).await;
        // What the tasks read after that shows nothing, and takes long.
        if is_unlimited() && !thorough() {
            break;
        }
    }
    assert_eq!(windows.latest().unwrap().calls, None);
    assert!(is_unlimited());
}

#[tokio::test(start_paused = true)]
async fn a_server_that_refuses_everything_is_asked_rarely() {
    let refused = async |adapts: bool| {
        let budget = RetryBudget::unlimited();
        let (site, _) = two_servers(patient().adaptive_window(adapts).retry_budget(budget)).await;
        for method in ["Get", "Multi"] {
            let full = class("CallQueueTooBigException");
            site.mock.inject(Fault::on(method).server(0).throw(&full, "full"));
        }
        let _readers = Readers::spread(&site, "a", tasks(500));
        let before = site.mock.call_count("Get") + site.mock.call_count("Multi");
        sleep(Duration::from_secs(20)).await;
        site.mock.call_count("Get") + site.mock.call_count("Multi") - before
    };
    let (with, without) = (refused(true).await, refused(false).await);
    assert!(with <= 80, "{with} calls were refused in 20 s");
    assert!(without > 5 * with, "{without} without a window");
}

#[tokio::test(start_paused = true)]
async fn a_slow_server_holds_back_no_other() {
    // The slow server has more to do than all bytes in flight allow.
    let config = patient().in_flight_bytes(in_flight_bytes());
    let (site, _) = two_servers(config).await;
    let second = Duration::from_secs(1);
    let rate = {
        let readers = Readers::start(&site, "z", tasks_beside());
        sleep(second).await;
        readers.answered_in(3 * second).await
    };
    for method in ["Get", "Multi"] {
        site.mock.inject(Fault::on(method).server(0).pause_handler(2 * second));
    }
    let slow = Readers::spread(&site, "a", tasks(2_000));
    let readers = Readers::start(&site, "z", tasks_beside());
    sleep(second).await;
    let beside = readers.answered_in(3 * second).await;
    assert!(beside * 100 >= rate * 95, "{beside} instead of {rate}");
    assert!(slow.answered() > 100, "{}", slow.answered());
}

#[tokio::test(start_paused = true)]
async fn a_server_that_refuses_holds_back_no_other() {
    let (site, _) = two_servers(patient().in_flight_bytes(in_flight_bytes())).await;
    let second = Duration::from_secs(1);
    for method in ["Get", "Multi"] {
        let full = class("CallQueueTooBigException");
        site.mock.inject(Fault::on(method).server(0).throw(&full, "full"));
    }
    let _refused = Readers::spread(&site, "a", tasks(2_000));
    let readers = Readers::start(&site, "z", tasks_beside());
    sleep(second).await;
    let beside = readers.answered_in(3 * second).await;
    assert!(beside >= tasks_beside() as u64 * 3_000 / 2 * 95 / 100, "{beside}");
}

#[tokio::test(start_paused = true)]
async fn one_busy_region_hardly_holds_back_the_others_of_its_server() {
    let (site, windows) = two_servers(patient()).await;
    site.mock.move_region("t", b"z", 0).unwrap();
    site.table.get("z").await.unwrap();
    let time = Duration::from_millis(if thorough() { 2_000 } else { 500 });
    let readers = Readers::start(&site, "z", if thorough() { 64 } else { 8 });
    let rate = readers.answered_in(time).await;
    // Alone or with others, it is refused: an operation that is sent in a call with others takes
    // them with it.
    site.mock.inject(Fault::on("Mutate").throw(&class("RegionTooBusyException"), "busy"));
    let table = site.table.clone();
    let writer = tokio::spawn(async move {
        loop {
            let _ = table.put(Put::new("a").cell("f", "q", "v")).await;
        }
    });
    let beside = readers.answered_in(time).await;
    writer.abort();
    assert!(beside * 100 >= rate * 90, "{beside} instead of {rate}");
    let sizes = windows.caused_by(WindowCause::RegionBusy);
    assert!(sizes.iter().all(|size| *size >= 4), "{sizes:?}");
}

#[tokio::test(start_paused = true)]
async fn throttled_operations_and_late_answers_are_told() {
    let (site, windows) = two_servers(patient()).await;
    let ms = Duration::from_millis;
    let throttled = class("quotas.RpcThrottlingException");
    let text = "number of requests exceeded - wait 250ms";
    for method in ["Get", "Multi"] {
        site.mock.inject(Fault::on(method).server(0).chance(0.3).throw(&throttled, text));
        site.mock.inject(Fault::on(method).server(0).pause_handler(ms(80)));
    }
    let readers = Readers::spread(&site, "a", 400);
    sleep(ms(2_000)).await;
    let sizes = windows.caused_by(WindowCause::Throttled);
    assert!(!sizes.is_empty() && sizes.iter().all(|size| *size >= 4), "{sizes:?}");
    assert!(windows.caused_by(WindowCause::Late).is_empty());

    site.mock.clear_faults();
    for method in ["Get", "Multi"] {
        site.mock.inject(Fault::on(method).server(0).pause_handler(ms(2_000)));
    }
    sleep(ms(10_000)).await;
    assert!(!windows.caused_by(WindowCause::Late).is_empty());
    assert_eq!(readers.failed.load(Ordering::Relaxed), 0);
}

#[tokio::test(start_paused = true)]
async fn a_server_without_an_answer_is_told() {
    let (site, windows) = two_servers(config()).await;
    for method in ["Get", "Multi"] {
        site.mock.inject(Fault::on(method).server(0).drop_request());
    }
    let count = if thorough() { 400 } else { 30 };
    let readers = Readers::spread(&site, "a", count);
    sleep(Duration::from_secs(2)).await;
    assert!(!windows.caused_by(WindowCause::NoAnswer).is_empty());
    site.mock.clear_faults();
    sleep(Duration::from_secs(5)).await;
    assert!(readers.answered() > 250 * count as u64, "{}", readers.answered());
}

#[tokio::test(start_paused = true)]
async fn the_calls_to_a_server_have_the_limit_that_was_set() {
    let (site, _) = two_servers(patient().max_calls_per_server(5)).await;
    queue(0, 5, Duration::from_millis(20)).into_iter().for_each(|fault| site.mock.inject(fault));
    let readers = Readers::spread(&site, "a", 200);
    sleep(Duration::from_secs(2)).await;
    assert!(readers.answered() > 500, "{}", readers.answered());
    let metrics = site.client.metrics();
    let exceptions: u64 = metrics.servers.iter().map(|server| server.exceptions).sum();
    assert_eq!(exceptions, 0, "no more than 5 calls are outstanding");
}

#[tokio::test(start_paused = true)]
async fn an_operation_that_is_not_to_wait_is_refused_when_many_wait_for_the_window() {
    let (site, _) = two_servers(patient().max_calls_per_server(1)).await;
    for method in ["Get", "Multi"] {
        site.mock.inject(Fault::on(method).server(0).drop_request());
    }
    let _readers = Readers::spread(&site, "a", 1_500);
    sleep(Duration::from_millis(500)).await;
    let hasty = site.table.clone().with_wait_when_full(false);
    let started = Instant::now();
    let error = hasty.get("a").await.unwrap_err();
    assert_eq!(
        (error.kind(), started.elapsed()),
        (ErrorKind::TooManyInFlight, Duration::ZERO),
        "{error}"
    );
    hasty.get("z").await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn batches_stay_within_the_window() {
    let (site, _) = two_servers(patient().max_calls_per_server(1)).await;
    site.mock.inject(Fault::on("Multi").server(0).limit_call_queue(1, Duration::from_millis(5)));
    let started = Instant::now();
    let put = async |batch: usize| {
        let puts = (0..100).map(|n| Put::new(format!("a{batch}-{n}")).cell("f", "q", "v"));
        site.table.put_all(puts).await.into_result().unwrap();
    };
    join_all((0..10).map(put)).await;
    assert_eq!(site.mock.call_count("Multi"), 10, "none was refused");
    assert_eq!(started.elapsed(), Duration::from_millis(50), "one after the other");
}
