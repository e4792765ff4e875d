//! What a cluster keeps of its tables while they exist, and after they were dropped, counted by the
//! allocator. The tests run one after the other, and nothing else allocates meanwhile.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

#[path = "suite/frames.rs"]
#[allow(dead_code, reason = "the tests of HBase's protocol use more of it")]
mod frames;

use std::alloc::System;
use std::time::Duration;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use tallrow_mock::MockCluster;
use tallrow_wire::proto::*;
use tallrow_wire::region;
use tokio::sync::{Mutex, MutexGuard};

use crate::frames::{Frames, bytes, increment, meta, mutation, raw_scan, specifier};

#[global_allocator]
static ALLOCATED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The number of bytes that are allocated.
fn live() -> usize {
    let stats = ALLOCATED.stats();
    stats.bytes_allocated - stats.bytes_deallocated
}

/// Locked by the test that runs.
static TURN: Mutex<()> = Mutex::const_new(());

/// The number of servers, on each of which a table has one region.
const SERVERS: usize = 2;

/// The rows of each region.
const ROWS: u32 = 10;

/// The number of tables that are created, disabled and deleted until the master has forgotten its
/// first procedures.
const TABLES_UNTIL_FULL: usize = 350;

/// The most bytes that the histories of a cluster take after this number of tables.
const HISTORIES: usize = 384 << 10;

/// A cluster in memory, with a connection to each of its servers.
struct Site {
    cluster: MockCluster,
    master: Frames,
    servers: Vec<Frames>,
    tables: usize,
    nonce: u64,
    _turn: MutexGuard<'static, ()>,
}

impl Site {
    async fn start() -> Self {
        let turn = TURN.lock().await;
        let cluster = MockCluster::builder().in_memory().servers(SERVERS).start().await.unwrap();
        let (master, servers) = connect(&cluster).await;
        Self { cluster, master, servers, tables: 0, nonce: 0, _turn: turn }
    }

    fn next_nonce(&mut self) -> Option<u64> {
        self.nonce += 1;
        Some(self.nonce)
    }

    /// Creates a table with one region on each server.
    async fn create(&mut self) -> TableName {
        self.tables += 1;
        let name = region::parse_table_name(format!("t{:05}", self.tables).as_bytes());
        let family = ColumnFamilySchema { name: "f".into(), ..Default::default() };
        let request = CreateTableRequest {
            table_schema: TableSchema {
                table_name: Some(name.clone()),
                column_families: vec![family],
                ..Default::default()
            },
            split_keys: vec!["m".into()],
            nonce: self.next_nonce(),
            ..Default::default()
        };
        self.master.call::<CreateTableResponse>("CreateTable", &request).await.unwrap();
        name
    }

    /// Puts, adds, gets and scans in the region of the rows with this start.
    async fn use_region(&mut self, name: &TableName, start: &str) {
        let name = frames::text(&name.qualifier);
        let region = specifier(&self.cluster, &name, start.as_bytes());
        let regions = self.cluster.regions(&name);
        let server = regions.iter().find(|found| found.name == region.value).unwrap().server;
        let nonce = self.next_nonce().unwrap();
        let client = &mut self.servers[server.unwrap()];

        let put = |row: u32| {
            let (row, value) = (format!("{start}row-{row:012}"), "v".repeat(100));
            mutation(MutationType::Put, &row, &[("q", 0, &value)])
        };
        let action = |index: u32| Action {
            index: Some(index),
            mutation: Some(put(index)),
            ..Default::default()
        };
        let region_action = vec![RegionAction {
            region: region.clone(),
            action: (0..ROWS).map(action).collect(),
            ..Default::default()
        }];
        let multi = MultiRequest { region_action, ..Default::default() };
        let answer = client.call::<MultiResponse>("Multi", &multi).await.unwrap().0;
        let result = &answer.region_action_result[0].result_or_exception;
        assert!(result.len() == ROWS as usize && result.iter().all(|r| r.exception.is_none()));

        let mutation = increment(&format!("{start}counter"), 1, nonce);
        let mutate = MutateRequest { region: region.clone(), mutation, ..Default::default() };
        client.call::<MutateResponse>("Mutate", &mutate).await.unwrap();

        let get = Get { row: bytes(&format!("{start}counter")), ..Default::default() };
        let get = GetRequest { region: region.clone(), get };
        client.call::<GetResponse>("Get", &get).await.unwrap();

        let scan = ScanRequest {
            region: Some(region),
            scan: Some(raw_scan()),
            number_of_rows: Some(ROWS / 2),
            client_handles_partials: Some(true),
            ..Default::default()
        };
        let answer = client.call::<ScanResponse>("Scan", &scan).await.unwrap().0;
        assert_eq!(answer.more_results_in_region, Some(true));
        let (scanner_id, close_scanner) = (answer.scanner_id, Some(true));
        let close = ScanRequest { scanner_id, close_scanner, ..Default::default() };
        client.call::<ScanResponse>("Scan", &close).await.unwrap();
    }

    /// Creates, fills and drops a table.
    async fn create_and_drop(&mut self) {
        let name = self.create().await;
        self.use_region(&name, "a").await;
        self.use_region(&name, "m").await;
        let (table_name, nonce) = (name.clone(), self.next_nonce());
        let disable = DisableTableRequest { table_name, nonce, ..Default::default() };
        self.master.call::<DisableTableResponse>("DisableTable", &disable).await.unwrap();
        let (table_name, nonce) = (name, self.next_nonce());
        let delete = DeleteTableRequest { table_name, nonce, ..Default::default() };
        self.master.call::<DeleteTableResponse>("DeleteTable", &delete).await.unwrap();
    }

    /// Returns the number of live bytes after what is kept for some time only was forgotten: nonces
    /// and scanners by the next table, an hour later, the rows of dropped tables by a major
    /// compaction of `hbase:meta`, and the buffers of connections by new connections. A buffer
    /// doubles once, when a request is the first that does not fit into the rest of it.
    async fn live_after_a_while(&mut self) -> usize {
        (self.master, self.servers) = connect(&self.cluster).await;
        self.cluster.advance_clock(Duration::from_secs(3_600)).unwrap();
        self.create_and_drop().await;
        let at = self.cluster.regions("hbase:meta")[0].server.unwrap();
        let at = self.cluster.server_address(at).unwrap();
        let mut admin = Frames::open(&self.cluster, at, "AdminService").await;
        let flush = FlushRegionRequest { region: meta(), ..Default::default() };
        admin.call::<FlushRegionResponse>("FlushRegion", &flush).await.unwrap();
        let (region, major) = (meta(), Some(true));
        let compact = CompactRegionRequest { region, major, ..Default::default() };
        admin.call::<CompactRegionResponse>("CompactRegion", &compact).await.unwrap();
        // The server reads the end of the connection before it answers the next call.
        drop(admin);
        tokio::task::yield_now().await;
        live()
    }
}

/// Connects to the master and to each region server.
async fn connect(cluster: &MockCluster) -> (Frames, Vec<Frames>) {
    let master = Frames::open(cluster, cluster.rpc_address(), "MasterService").await;
    let mut servers = Vec::new();
    for server in 0..SERVERS {
        let address = cluster.server_address(server).unwrap();
        servers.push(Frames::open(cluster, address, "ClientService").await);
    }
    (master, servers)
}

#[tokio::test(start_paused = true)]
async fn nothing_is_kept_of_dropped_tables_but_histories_of_a_bounded_size() {
    let mut site = Site::start().await;
    site.create_and_drop().await;
    let first = site.live_after_a_while().await;
    for _ in 0..TABLES_UNTIL_FULL {
        site.create_and_drop().await;
    }
    let full = site.live_after_a_while().await;
    for _ in 0..TABLES_UNTIL_FULL {
        site.create_and_drop().await;
    }
    let later = site.live_after_a_while().await;
    println!("live bytes: {first}, {full}, {later}");
    assert!(full - first <= HISTORIES, "histories of {} bytes", full - first);
    assert_eq!(later, full);
}

#[tokio::test(start_paused = true)]
async fn a_table_keeps_no_buffer_of_the_connection_that_created_it() {
    const TABLES: usize = 20;
    /// More than what a table takes, and less than the buffer of a connection.
    const BYTES_OF_A_TABLE: usize = 16 << 10;
    let mut site = Site::start().await;
    // Each table is created by a request that is in another part of the stream of bytes.
    let unknown = GetTableStateRequest {
        table_name: TableName { namespace: "n".into(), qualifier: vec![b'a'; 100_000].into() },
    };
    let mut create = async || {
        site.create().await;
        let answer = site.master.call::<GetTableStateResponse>("GetTableState", &unknown).await;
        assert_eq!(answer.unwrap_err().simple_name(), "TableNotFoundException");
    };
    create().await;
    let before = live();
    for _ in 0..TABLES {
        create().await;
    }
    let of_each = live().saturating_sub(before) / TABLES;
    assert!(of_each <= BYTES_OF_A_TABLE, "{of_each} bytes a table");
    assert!(of_each >= 1_000, "{of_each} bytes a table: they are not there");
}

#[tokio::test(start_paused = true)]
async fn an_open_scanner_keeps_no_buffer_of_its_connection() {
    const SCANNERS: usize = 50;
    let mut site = Site::start().await;
    let name = site.create().await;
    site.use_region(&name, "a").await;
    let name = frames::text(&name.qualifier);
    let region = specifier(&site.cluster, &name, b"a");
    let server = site.cluster.regions(&name)[0].server.unwrap();
    let client = &mut site.servers[server];
    let scan = ScanRequest {
        region: Some(region.clone()),
        scan: Some(Scan { stop_row: Some("b".into()), ..raw_scan() }),
        number_of_rows: Some(1),
        client_handles_partials: Some(true),
        ..Default::default()
    };
    // Some of these fill the buffer, so that each scanner is opened by a request in another one.
    let get = Get { row: vec![b'a'; 30_000].into(), ..Default::default() };
    let get = GetRequest { region, get };
    let mut with_one = 0;
    for opened in 1..=SCANNERS {
        let answer = client.call::<ScanResponse>("Scan", &scan).await.unwrap().0;
        assert_eq!(answer.more_results_in_region, Some(true));
        for _ in 0..3 {
            client.call::<GetResponse>("Get", &get).await.unwrap();
        }
        if opened == 1 {
            with_one = live();
        }
    }
    let each = live().saturating_sub(with_one) / (SCANNERS - 1);
    assert!((100..8 << 10).contains(&each), "{each} bytes an open scanner");
}
