//! Reads from secondary replicas: who is asked, when, how often, and what may be stale.

use std::time::Duration;

use tallrow::op::{CallOptions, Consistency, HedgedReadBudget, RowOperation};
use tallrow::{Client, Config, ErrorKind, FamilyDescriptor, Get, Put, Scan, TableDescriptor};
use tallrow_mock::{CallFaultBuilder, Fault, MockCluster};
use tallrow_tests::in_memory;
use tokio::time::Instant;

use super::{ATTEMPT_TIMEOUT, Site, config, seed};

const GET_TIMEOUT: Duration = Duration::from_millis(10);
const SCAN_TIMEOUT: Duration = Duration::from_secs(1);

/// Three servers, and a table `t` whose regions have a primary and a secondary replica. Row `r` was
/// `old` at the last flush, and is `new`.
async fn site_with(config: Config) -> Site {
    seed().await;
    let mock = MockCluster::builder().in_memory().servers(3).start().await.unwrap();
    let config = config.connector(in_memory(&mock));
    let client = Client::connect_with(&mock.url(), config).await.unwrap();
    let table = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("f"));
    client.admin().create_table(&table.region_replication(2)).await.unwrap();
    let table = client.raw_table("t").unwrap();
    table.put(Put::new("r").cell("f", "q", "old")).await.unwrap();
    client.admin().hbase().unwrap().flush("t").await.unwrap();
    table.put(Put::new("r").cell("f", "q", "new")).await.unwrap();
    Site { mock, client, table }
}

async fn site() -> Site {
    site_with(config()).await
}

impl Site {
    /// The server that has a replica of the region of row `r`.
    fn server(&self, replica: u16) -> usize {
        self.mock.replica_server("t", b"r", replica).unwrap()
    }

    /// Calls of a method for the table, on the server of a replica.
    fn on(&self, method: &str, replica: u16) -> CallFaultBuilder {
        Fault::on(method).table("t").server(self.server(replica))
    }

    /// The value of row `r` with `Consistency::Timeline`, whether it may be stale, and how long it
    /// took.
    async fn read(&self) -> (String, bool, Duration) {
        let started = Instant::now();
        let read = self.table.get_timeline("r").await.unwrap();
        let row = read.value.unwrap();
        assert_eq!(row.is_stale(), read.is_stale);
        let value = String::from_utf8(row.value("f", "q").unwrap().to_vec()).unwrap();
        (value, read.is_stale, started.elapsed())
    }

    /// Reads of the table that were hedged, limited, failed over, won by a secondary replica, and
    /// stale.
    fn counts(&self) -> [u64; 5] {
        let replicas = self.client.metrics().replicas;
        [replicas.hedged, replicas.limited, replicas.failed_over, replicas.won, replicas.stale]
    }
}

fn timeline() -> CallOptions {
    CallOptions::new().consistency(Consistency::Timeline)
}

#[tokio::test(start_paused = true)]
async fn the_primary_replica_answers_if_it_is_not_late() {
    let site = site().await;
    let before = site.mock.call_count("Get");
    assert_eq!(site.read().await, ("new".into(), false, Duration::ZERO));
    site.mock
        .inject(site.on("Get", 0).nth(1).pause_handler(GET_TIMEOUT - Duration::from_millis(1)));
    assert_eq!(site.read().await.0, "new");
    assert_eq!(site.mock.call_count("Get") - before, 2);
    assert_eq!(site.counts(), [0; 5]);
}

#[tokio::test(start_paused = true)]
async fn a_secondary_replica_answers_for_a_silent_one_after_10_ms() {
    let site = site().await;
    site.mock.inject(site.on("Get", 0).drop_request());
    for _ in 0..3 {
        assert_eq!(site.read().await, ("old".into(), true, GET_TIMEOUT));
    }
    assert_eq!(site.counts(), [3, 0, 0, 3, 3]);
    site.mock.set_region_replica_replication(true);
    assert_eq!(site.read().await, ("new".into(), true, GET_TIMEOUT), "it may be stale, and is not");
    // That there is nothing may be stale too.
    let read = site.table.get_timeline("s").await.unwrap();
    assert!(read.is_stale && read.value.is_none());
    // What is awaited no longer is not in flight: nothing is left when the client is closed.
    site.client.close(Duration::from_secs(1)).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn the_first_answer_is_taken_even_if_it_is_the_late_one() {
    let site = site().await;
    site.mock.inject(site.on("Get", 0).pause_handler(Duration::from_millis(30)));
    site.mock.inject(site.on("Get", 1).drop_request());
    assert_eq!(site.read().await, ("new".into(), false, Duration::from_millis(30)));
    assert_eq!(site.counts(), [1, 0, 0, 0, 0]);
}

#[tokio::test(start_paused = true)]
async fn strong_reads_are_never_hedged() {
    let site = site().await;
    let before = site.mock.call_count("Get");
    site.mock.inject(site.on("Get", 0).nth(1).drop_request());
    let started = Instant::now();
    let row = site.table.get("r").await.unwrap().unwrap();
    assert_eq!((row.value("f", "q"), row.is_stale()), (Some(&b"new"[..]), false));
    assert!(started.elapsed() >= ATTEMPT_TIMEOUT);
    assert_eq!(site.mock.call_count("Get") - before, 2);
    assert_eq!(site.counts(), [0; 5]);
}

#[tokio::test(start_paused = true)]
async fn hedged_reads_are_limited() {
    let few = HedgedReadBudget::new(0, 1);
    let site = site_with(config().hedged_reads(few)).await;
    site.mock.inject(site.on("Get", 0).drop_request());
    let started = Instant::now();
    for _ in 0..40 {
        assert_eq!(site.read().await.2, GET_TIMEOUT, "what 40 seconds fill");
    }
    assert!(started.elapsed() < Duration::from_secs(1));
    // Beyond the limit the primary replica is awaited; once it has failed, the other one is asked
    // in its stead.
    let (value, is_stale, took) = site.read().await;
    assert_eq!((value.as_str(), is_stale), ("old", true));
    assert!(took > GET_TIMEOUT && took <= ATTEMPT_TIMEOUT, "{took:?}");
    assert_eq!(site.counts(), [40, 1, 1, 41, 41]);

    let site = site_with(config().hedged_reads(HedgedReadBudget::new(50, 0))).await;
    site.mock.inject(site.on("Get", 0).pause_handler(Duration::from_millis(20)));
    let mut fresh = 0;
    for _ in 0..100 {
        fresh += usize::from(!site.read().await.1);
    }
    assert_eq!((fresh, site.counts()[0]), (50, 50), "half of the reads");
}

#[tokio::test(start_paused = true)]
async fn a_failed_primary_replica_is_replaced_at_once_and_without_limit() {
    let none = HedgedReadBudget::new(0, 0);
    let site = site_with(config().hedged_reads(none)).await;
    site.mock.inject(site.on("Get", 0).close_before());
    site.mock.inject(Fault::on_connect().server(site.server(0)).close());
    for _ in 0..20 {
        assert_eq!(site.read().await, ("old".into(), true, Duration::ZERO));
    }
    assert_eq!(site.counts(), [0, 0, 20, 20, 20]);
    // Another region server has it now.
    site.mock.clear_faults();
    tokio::time::sleep(Duration::from_secs(2)).await;
    site.read().await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(site.read().await, ("new".into(), false, Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn reads_go_on_while_hbase_meta_is_silent_too() {
    let site = site().await;
    site.read().await;
    site.mock.inject(site.on("Get", 0).close_before());
    site.mock.inject(Fault::on_connect().server(site.server(0)).close());
    site.mock.inject(Fault::on("Scan").table("hbase:meta").drop_request());
    let before = site.mock.meta_call_count();
    for _ in 0..100 {
        assert_eq!(site.read().await, ("old".into(), true, Duration::ZERO));
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    let lookups = site.mock.meta_call_count() - before;
    assert!(lookups <= 4, "{lookups} lookups in 3 s: one a second is enough");
}

#[tokio::test(start_paused = true)]
async fn if_no_replica_answers_the_error_is_that_of_the_primary_one() {
    let site = site().await;
    site.mock.inject(site.on("Get", 0).drop_request());
    site.mock.inject(site.on("Get", 1).drop_request());
    let table = site.table.clone().with_timeout(Duration::from_secs(2));
    let started = Instant::now();
    let error = table.get_timeline("r").await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Timeout | ErrorKind::Unreachable), "{error:?}");
    let primary = site.mock.server_address(site.server(0)).unwrap().to_string();
    assert_eq!(error.server(), Some(primary.as_str()));
    assert!(started.elapsed() <= Duration::from_secs(2));

    let site = self::site().await;
    site.mock.inject(site.on("Get", 0).close_before());
    site.mock.inject(site.on("Get", 1).close_before());
    site.mock.inject(Fault::on_connect().server(site.server(0)).close());
    site.mock.inject(Fault::on_connect().server(site.server(1)).close());
    let table = site.table.clone().with_timeout(Duration::from_secs(2));
    let error = table.get_timeline("r").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreachable, "{error:?}");
}

#[tokio::test(start_paused = true)]
async fn what_the_primary_replica_refuses_is_not_asked_of_another() {
    let site = site().await;
    let get = Get::new("r").family("nosuch");
    let error = site.table.get_timeline(get).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::NoSuchFamily, 1));
    assert_eq!(site.counts(), [0; 5]);
}

#[tokio::test(start_paused = true)]
async fn a_replica_that_moved_is_found() {
    let site = site().await;
    site.read().await;
    let (primary, old) = (site.server(0), site.server(1));
    let other = (0..3).find(|server| *server != primary && *server != old).unwrap();
    site.mock.move_replica("t", b"r", 1, other).unwrap();
    site.mock.inject(site.on("Get", 0).drop_request());
    let (value, is_stale, took) = site.read().await;
    assert_eq!((value.as_str(), is_stale), ("old", true));
    assert!(took < 2 * ATTEMPT_TIMEOUT, "{took:?}: the location was looked up meanwhile");
    assert_eq!(site.read().await.2, GET_TIMEOUT);
}

#[tokio::test(start_paused = true)]
async fn a_primary_replica_that_moved_is_followed() {
    let site = site().await;
    let (primary, secondary) = (site.server(0), site.server(1));
    let other = (0..3).find(|server| *server != primary && *server != secondary).unwrap();
    site.read().await;
    site.mock.move_region("t", b"r", other).unwrap();
    assert!(site.read().await.1, "a secondary one is asked before the region is looked up");
    assert_eq!(site.read().await, ("new".into(), false, Duration::ZERO));
    site.mock.kill_server(other).unwrap();
    assert_ne!(site.server(0), other);
    site.read().await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(site.read().await, ("new".into(), false, Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn one_replica_can_be_named() {
    let site = site().await;
    let of = async |replica| {
        let get = Get::new("r").options(CallOptions::new().replica(replica));
        let row = site.table.get(get).await.unwrap().unwrap();
        (row.value("f", "q").unwrap().to_vec(), row.is_stale())
    };
    assert_eq!(of(0).await, (b"new".to_vec(), false));
    assert_eq!(of(1).await, (b"old".to_vec(), true));
    let table = site.table.clone().with_timeout(Duration::from_secs(1));
    let error = table.get(Get::new("r").options(CallOptions::new().replica(2))).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreachable);
    assert!(error.to_string().contains("no server for replica 2"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn each_get_of_a_batch_says_whether_it_may_be_stale() {
    let site = site().await;
    site.mock.inject(site.on("Get", 0).drop_request());
    site.mock.inject(site.on("Multi", 0).drop_request());
    let table = site.table.clone().with_options(timeline());
    let gets = ["r", "s", "r"].map(Get::new).map(RowOperation::from);
    let started = Instant::now();
    let outcomes = table.batch(gets).await.into_result().unwrap();
    assert_eq!(started.elapsed(), GET_TIMEOUT);
    assert!(outcomes.iter().all(|outcome| outcome.is_stale));
    let found: Vec<_> = outcomes.iter().map(|outcome| outcome.row.is_some()).collect();
    assert_eq!(found, [true, false, true]);
    assert!(table.exists("r").await.unwrap());
    // Writes are not sent to secondary replicas.
    table.put(Put::new("w").cell("f", "q", "1")).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn every_read_is_so_by_configuration() {
    let site = site_with(config().consistency(Consistency::Timeline)).await;
    site.mock.inject(site.on("Get", 0).drop_request());
    site.mock.inject(site.on("Scan", 0).drop_request());
    assert!(site.table.get("r").await.unwrap().unwrap().is_stale());
    assert!(site.table.scan(Scan::all()).unwrap().next_row().await.unwrap().unwrap().is_stale());
    let strong = CallOptions::new().consistency(Consistency::Strong);
    let table = site.table.clone().with_timeout(Duration::from_secs(1)).with_options(strong);
    assert_eq!(table.get("r").await.unwrap_err().kind(), ErrorKind::Timeout);
}

/// Rows `r00` to `r89` of 300 bytes, all flushed.
async fn filled(config: Config) -> Site {
    let site = site_with(config).await;
    let puts = (0..90).map(|i| Put::new(format!("r{i:02}")).cell("f", "q", [7; 300]));
    site.table.put_all(puts).await.into_result().unwrap();
    site.table.delete("r").await.unwrap();
    site.client.admin().hbase().unwrap().flush("t").await.unwrap();
    site
}

/// The keys of a scan, those that may be stale, and how long it took.
async fn scanned(site: &Site, scan: Scan) -> (Vec<String>, Vec<String>, Duration) {
    let started = Instant::now();
    let mut rows = site.table.scan(scan.options(timeline())).unwrap();
    let (mut keys, mut stale) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next_row().await.unwrap() {
        let key = String::from_utf8(row.key().to_vec()).unwrap();
        if row.is_stale() {
            stale.push(key.clone());
        }
        if !row.is_partial() {
            keys.push(key);
        }
    }
    assert_eq!(rows.metrics().stale_rows as usize, stale.len());
    (keys, stale, started.elapsed())
}

fn all_keys() -> Vec<String> {
    (0..90).map(|i| format!("r{i:02}")).collect()
}

#[tokio::test(start_paused = true)]
async fn a_scan_goes_on_at_a_secondary_replica_wherever_the_primary_one_falls_silent() {
    for nth in [1, 2, 3, 8] {
        for reversed in [false, true] {
            let site = filled(config()).await;
            scanned(&site, Scan::all().limit(1)).await;
            site.mock.inject(site.on("Scan", 0).nth(nth).times(1_000).drop_request());
            let scan = Scan::all().bytes_per_call(2_000);
            let scan = if reversed { scan.reversed() } else { scan };
            let (mut keys, stale, took) = scanned(&site, scan).await;
            if reversed {
                keys.reverse();
            }
            assert_eq!(keys, all_keys(), "silent from call {nth} on");
            assert_eq!(took, SCAN_TIMEOUT, "the rest comes from the other replica");
            assert!(!stale.is_empty());
            assert_eq!(stale.len() == keys.len(), nth == 1, "{} stale from {nth} on", stale.len());
            assert_eq!(site.counts()[0], 1);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_row_that_was_read_in_part_comes_whole_from_another_replica() {
    for batch in [None, Some(7)] {
        let site = filled(config()).await;
        let wide =
            (0..100).fold(Put::new("r05"), |put, i| put.cell("f", format!("w{i:03}"), [7; 200]));
        site.table.put(wide).await.unwrap();
        site.client.admin().hbase().unwrap().flush("t").await.unwrap();
        scanned(&site, Scan::all().limit(1)).await;
        site.mock.inject(site.on("Scan", 0).nth(3).times(1_000).drop_request());
        let scan = Scan::all().bytes_per_call(3_000).options(timeline());
        let scan = batch.map_or(scan.clone(), |cells| scan.batch(cells));
        let mut rows = site.table.scan(scan).unwrap();
        let mut cells = Vec::new();
        while let Some(row) = rows.next_row().await.unwrap() {
            cells.extend(row.cells().iter().map(|c| (c.row().to_vec(), c.qualifier().to_vec())));
        }
        let count = cells.len();
        cells.dedup();
        assert_eq!((count, cells.len()), (190, 190), "batches of {batch:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn scanners_that_lost_the_race_are_closed() {
    let site = filled(config()).await;
    site.mock.inject(site.on("Scan", 0).nth(1).pause_handler(SCAN_TIMEOUT * 3 / 2));
    let mut rows = site.table.scan(Scan::all().bytes_per_call(2_000).options(timeline())).unwrap();
    assert!(rows.next_row().await.unwrap().unwrap().is_stale());
    drop(rows);
    tokio::time::sleep(SCAN_TIMEOUT).await;
    assert_eq!(site.mock.open_scanner_count(), 0);

    site.mock.inject(site.on("Scan", 0).nth(1).pause_handler(SCAN_TIMEOUT * 3 / 2));
    site.mock.inject(site.on("Scan", 1).nth(1).pause_handler(SCAN_TIMEOUT));
    let mut rows = site.table.scan(Scan::all().bytes_per_call(2_000).options(timeline())).unwrap();
    assert!(!rows.next_row().await.unwrap().unwrap().is_stale());
    drop(rows);
    tokio::time::sleep(SCAN_TIMEOUT).await;
    assert_eq!(site.mock.open_scanner_count(), 0);
}

#[tokio::test(start_paused = true)]
async fn strong_scans_and_scans_beyond_the_limit_wait_for_the_primary_replica() {
    let site = filled(config().hedged_reads(HedgedReadBudget::new(0, 0))).await;
    site.mock.inject(site.on("Scan", 0).nth(1).pause_handler(SCAN_TIMEOUT * 3 / 2));
    let mut rows = site.table.scan(Scan::all()).unwrap();
    assert!(!rows.next_row().await.unwrap().unwrap().is_stale());
    assert_eq!(site.counts(), [0; 5]);
    site.mock.inject(site.on("Scan", 0).nth(1).pause_handler(SCAN_TIMEOUT * 3 / 2));
    let (keys, stale, _) = scanned(&site, Scan::all()).await;
    assert_eq!((keys.len(), stale.len()), (90, 0));
    assert_eq!(site.counts(), [0, 1, 0, 0, 0]);
    // Its connection ends, and then the other one is asked in its stead.
    site.mock.inject(site.on("Scan", 0).nth(1).close_before());
    let (keys, stale, took) = scanned(&site, Scan::all()).await;
    assert_eq!((keys.len(), stale.len(), took), (90, 90, Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn replicas_come_and_go_with_the_table() {
    let site = site().await;
    let admin = site.client.admin();
    let describe = async || admin.describe("t").await.unwrap();
    assert_eq!(describe().await.get("REGION_REPLICATION"), Some("2"));
    for replicas in [3, 1, 2] {
        let table = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("f"));
        let diff = admin.diff_table(&table.region_replication(replicas)).await.unwrap();
        admin.alter(&diff).await.unwrap();
        for replica in 0..4 {
            let server = site.mock.replica_server("t", b"r", replica);
            assert_eq!(server.is_some(), replica < replicas, "replica {replica} of {replicas}");
        }
    }
    site.mock.split_region("t", b"m").unwrap();
    assert!(site.mock.replica_server("t", b"a", 1).is_some());
    admin.hbase().unwrap().disable_table("t").await.unwrap();
    assert_eq!(site.mock.replica_server("t", b"a", 1), None);
    admin.hbase().unwrap().enable_table("t").await.unwrap();
    assert_ne!(site.mock.replica_server("t", b"a", 1), site.mock.replica_server("t", b"a", 0));
    admin.hbase().unwrap().flush("t").await.unwrap();
    let get = Get::new("r").options(CallOptions::new().replica(1));
    assert_eq!(site.table.get(get).await.unwrap().unwrap().value("f", "q"), Some(&b"new"[..]));
}
