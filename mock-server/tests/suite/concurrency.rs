//! Many callers that change the same tables at the same time: of the changes that exclude each
//! other, one is made, and afterwards the master, the servers and `hbase:meta` agree.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::BytesMut;
use fastrand::Rng;
use prost::Message;
use tallrow_mock::{Change, MockCluster};
use tallrow_wire::cell::Cell;
use tallrow_wire::frame;
use tallrow_wire::meta::RegionRow;
use tallrow_wire::preamble::{self, Auth};
use tallrow_wire::proto::*;
use tallrow_wire::region::parse_table_name;
use tokio::io::AsyncWriteExt;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use crate::data::Folder;
use crate::frames::{Answer, Frames, bytes, create, meta, put, server_of, specifier, text};
use crate::thorough;

/// The callers.
const CALLERS: usize = 8;

fn name(table: &str) -> TableName {
    parse_table_name(table.as_bytes())
}

async fn master_of(cluster: &MockCluster) -> Frames {
    Frames::open(cluster, cluster.rpc_address(), "MasterService").await
}

/// Lets all callers make one call of the master each, at the same time, and returns the answers.
async fn all_call<R, A>(
    cluster: &MockCluster,
    method: &'static str,
    request: impl Fn(usize) -> R,
) -> Vec<Answer<A>>
where
    R: Message + 'static,
    A: Message + Default + 'static,
{
    let (begun, mut callers) = (Arc::new(Barrier::new(CALLERS)), JoinSet::new());
    for caller in 0..CALLERS {
        let (begun, request) = (Arc::clone(&begun), request(caller));
        let mut master = master_of(cluster).await;
        callers.spawn(async move {
            begun.wait().await;
            master.call::<A>(method, &request).await
        });
    }
    callers.join_all().await
}

/// Asserts that one answer is no exception, and that all others are of this class.
fn one_of<A: std::fmt::Debug>(answers: Vec<Answer<A>>, class: &str, what: &str) {
    let (done, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|a| a.is_ok());
    assert_eq!(done.len(), 1, "{what}: {refused:?}");
    let classes: BTreeSet<_> =
        refused.iter().filter_map(|a| Some(a.as_ref().err()?.simple_name())).collect();
    assert_eq!(classes, BTreeSet::from([class]), "{what}");
}

fn table_with_families(families: &[&str]) -> TableSchema {
    let family = |name: &&str| ColumnFamilySchema { name: bytes(name), ..Default::default() };
    TableSchema {
        table_name: Some(name("t")),
        column_families: families.iter().map(family).collect(),
        ..Default::default()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_changes_at_the_same_time_one_is_made_or_all_are() {
    let cluster = MockCluster::builder().in_memory().start().await.unwrap();
    for round in 1..=if thorough() { 400 } else { 30 } {
        let created: Vec<Answer<CreateTableResponse>> =
            all_call(&cluster, "CreateTable", |_| CreateTableRequest {
                table_schema: table_with_families(&["f"]),
                split_keys: vec![bytes("k"), bytes("p")],
                ..Default::default()
            })
            .await;
        one_of(created, "TableExistsException", "creates");
        // Each caller adds a family of its own, and all of them are there.
        let added: Vec<Answer<AddColumnResponse>> =
            all_call(&cluster, "AddColumn", |caller| AddColumnRequest {
                table_name: name("t"),
                column_families: ColumnFamilySchema {
                    name: format!("f{caller}").into(),
                    ..Default::default()
                },
                ..Default::default()
            })
            .await;
        assert!(added.iter().all(|added| added.is_ok()), "{added:?}");
        let mut expected: Vec<String> = (0..CALLERS).map(|caller| format!("f{caller}")).collect();
        expected.insert(0, "f".to_owned());
        assert_eq!(families(&cluster, "t").await, expected, "round {round}");
        agree(&cluster, &format!("round {round}, altered")).await;
        // A request that is repeated before it is answered is one procedure, which has not failed.
        let disabled: Vec<Answer<DisableTableResponse>> =
            all_call(&cluster, "DisableTable", |_| DisableTableRequest {
                table_name: name("t"),
                nonce_group: Some(1),
                nonce: Some(round),
            })
            .await;
        let procedures: BTreeSet<_> =
            disabled.iter().map(|answer| answer.as_ref().unwrap().0.proc_id.unwrap()).collect();
        assert_eq!(procedures.len(), 1, "{disabled:?}");
        agree(&cluster, &format!("round {round}, disabled")).await;
        let deleted: Vec<Answer<DeleteTableResponse>> = all_call(&cluster, "DeleteTable", |_| {
            DeleteTableRequest { table_name: name("t"), ..Default::default() }
        })
        .await;
        one_of(deleted, "TableNotFoundException", "deletes");
        agree(&cluster, &format!("round {round}, deleted")).await;
    }
}

/// The tables that are changed at random.
const TABLES: [&str; 2] = ["a", "b"];
const KEYS: [&str; 5] = ["c", "g", "k", "p", "v"];

/// Makes random changes of all kinds, through the master and through the functions of the mock, and
/// writes rows meanwhile. Whether a change is possible depends on what the others do. Returns which
/// were made.
async fn change_at_random(cluster: MockCluster, seed: u64, changes: u32) -> BTreeSet<&'static str> {
    let (mut random, mut done) = (Rng::with_seed(seed), BTreeSet::new());
    let mut master = master_of(&cluster).await;
    for _ in 0..changes {
        let table = TABLES[random.usize(..TABLES.len())];
        let key = KEYS[random.usize(..KEYS.len())];
        let row = key.as_bytes().to_vec();
        let table_name = name(table);
        let snapshot = SnapshotDescription {
            name: format!("of {table}"),
            table: Some(table.to_owned()),
            ..Default::default()
        };
        let (kind, is_done) = match random.u8(..18) {
            0..3 => ("create", create(&mut master, table, &[], &["g", "p"]).await.is_ok()),
            3 | 4 => {
                let request = DisableTableRequest { table_name, ..Default::default() };
                let method = "DisableTable";
                (method, master.call::<DisableTableResponse>(method, &request).await.is_ok())
            }
            5 | 6 => {
                let request = EnableTableRequest { table_name, ..Default::default() };
                let method = "EnableTable";
                (method, master.call::<EnableTableResponse>(method, &request).await.is_ok())
            }
            7 => {
                let request = DeleteTableRequest { table_name, ..Default::default() };
                let method = "DeleteTable";
                (method, master.call::<DeleteTableResponse>(method, &request).await.is_ok())
            }
            8 => {
                let preserve_splits = Some(random.bool());
                let request =
                    TruncateTableRequest { table_name, preserve_splits, ..Default::default() };
                let method = "truncateTable";
                (method, master.call::<TruncateTableResponse>(method, &request).await.is_ok())
            }
            9 => {
                let column_families = ColumnFamilySchema { name: bytes(key), ..Default::default() };
                let request =
                    AddColumnRequest { table_name, column_families, ..Default::default() };
                let method = "AddColumn";
                (method, master.call::<AddColumnResponse>(method, &request).await.is_ok())
            }
            10 => {
                let column_name = bytes(key);
                let request = DeleteColumnRequest { table_name, column_name, ..Default::default() };
                let method = "DeleteColumn";
                (method, master.call::<DeleteColumnResponse>(method, &request).await.is_ok())
            }
            11 => {
                let take = SnapshotRequest { snapshot, ..Default::default() };
                let method = "Snapshot";
                (method, master.call::<SnapshotResponse>(method, &take).await.is_ok())
            }
            12 => {
                let restore = RestoreSnapshotRequest { snapshot, ..Default::default() };
                let method = "RestoreSnapshot";
                (method, master.call::<RestoreSnapshotResponse>(method, &restore).await.is_ok())
            }
            13 => ("split", cluster.split_region(table, &row).is_ok()),
            14 => {
                let table = table.to_owned();
                ("merge", cluster.apply(&Change::MergeRegions { table, row }).is_ok())
            }
            15 => {
                let live = cluster.live_servers();
                let to = live[random.usize(..live.len())];
                ("move", cluster.move_region(table, &row, to).is_ok())
            }
            16 => {
                // One server always lives, because this caller starts one first.
                let started = cluster.start_server().unwrap();
                ("kill", cluster.kill_server(started - 2).is_ok())
            }
            _ => ("put", write(&cluster, table, key).await),
        };
        if is_done {
            done.insert(kind);
        }
    }
    done
}

/// Writes a row, if its region is open.
async fn write(cluster: &MockCluster, table: &str, row: &str) -> bool {
    let holds = |r: &tallrow_mock::MockRegion| {
        r.start_key[..] <= *row.as_bytes() && (r.end_key.is_empty() || *row.as_bytes() < *r.end_key)
    };
    let Some(region) = cluster.regions(table).into_iter().find(holds) else { return false };
    let Some(server) = region.server else { return false };
    let at = cluster.server_address(server).unwrap();
    // The server may be killed at any moment.
    let Ok(mut stream) = cluster.dial(&at.ip().to_string(), at.port()) else { return false };
    let header = preamble::header("ClientService", "test");
    let mut out = BytesMut::from(&preamble::encode_with_header(Auth::Simple, &header)[..]);
    let kind = RegionSpecifierType::RegionName as i32;
    let region = RegionSpecifier { r#type: kind, value: region.name.into() };
    let request = MutateRequest { region, mutation: put(row), ..Default::default() };
    let (call_id, method_name) = (Some(1), Some("Mutate".to_owned()));
    let header = RequestHeader { call_id, method_name, ..Default::default() };
    frame::encode_request(header, &request, b"", &mut out);
    if stream.write_all(&out).await.is_err() {
        return false;
    }
    let answer = Frames::over(stream).receive().await;
    answer.is_some_and(|answer| answer.header.exception.is_none())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn after_many_changes_at_the_same_time_everybody_agrees() {
    let (runs, changes) = if thorough() { (40, 400) } else { (4, 120) };
    let mut kinds = BTreeSet::new();
    for run in 0..runs {
        // Half of the runs keep their data: nothing waits for itself by the locks of the log.
        let folder = Folder::new();
        let cluster = match run % 2 {
            0 => MockCluster::builder().in_memory().servers(4).start().await.unwrap(),
            _ => folder.builder().servers(4).start().await.unwrap(),
        };
        let mut callers = JoinSet::new();
        for caller in 0..CALLERS as u64 {
            let seed = run * CALLERS as u64 + caller;
            callers.spawn(change_at_random(cluster.clone(), seed, changes));
        }
        for done in callers.join_all().await {
            kinds.extend(done);
        }
        agree(&cluster, &format!("run {run}")).await;
        if run % 2 == 1 {
            let (_copy, again) = crate::data::restarted(&folder.bytes()).await;
            assert_eq!(again.dump_tables(), cluster.dump_tables(), "run {run}");
            agree(&again, &format!("run {run}, started again")).await;
            again.shutdown().await;
        }
        cluster.shutdown().await;
    }
    assert_eq!(kinds.len(), 14, "{kinds:?}");
}

/// The names of the families of a table, in order.
async fn families(cluster: &MockCluster, table: &str) -> Vec<String> {
    let request =
        GetTableDescriptorsRequest { table_names: vec![name(table)], ..Default::default() };
    let mut master = master_of(cluster).await;
    let method = "GetTableDescriptors";
    let (found, _) = master.call::<GetTableDescriptorsResponse>(method, &request).await.unwrap();
    let families = found.table_schema[0].column_families.iter();
    let mut families: Vec<_> = families.map(|family| text(&family.name)).collect();
    families.sort();
    families
}

/// The rows of `hbase:meta`, by their keys.
async fn meta_rows(cluster: &MockCluster) -> BTreeMap<Vec<u8>, Vec<Cell>> {
    let server = server_of(cluster, "hbase:meta", b"");
    let mut client = Frames::open(cluster, server, "ClientService").await;
    let request = ScanRequest {
        region: Some(meta()),
        scan: Some(Scan { max_result_size: Some(64 << 20), ..Default::default() }),
        number_of_rows: Some(100_000),
        close_scanner: Some(true),
        client_handles_partials: Some(true),
        ..Default::default()
    };
    let (answer, cells) = client.call::<ScanResponse>("Scan", &request).await.unwrap();
    assert_ne!(answer.more_results_in_region, Some(true));
    let mut rows: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for cell in cells {
        rows.entry(cell.row().to_vec()).or_default().push(cell);
    }
    rows
}

fn value(cells: &[Cell], qualifier: &str) -> String {
    let of = |cell: &&Cell| cell.qualifier() == qualifier.as_bytes();
    cells.iter().find(of).map(|cell| text(cell.value())).unwrap_or_default()
}

/// Asserts that the master, the servers, the regions and `hbase:meta` say the same of all tables.
async fn agree(cluster: &MockCluster, when: &str) {
    let mut master = master_of(cluster).await;
    let mut rows = meta_rows(cluster).await;
    // The regions that the servers have, by name, and their servers.
    let mut online: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    for server in cluster.live_servers() {
        let at = cluster.server_address(server).unwrap();
        let mut admin = Frames::open(cluster, at, "AdminService").await;
        let (found, _) = admin
            .call::<GetOnlineRegionResponse>("GetOnlineRegion", &GetOnlineRegionRequest {})
            .await
            .unwrap();
        for info in &found.region_info {
            let name = tallrow_wire::region::name(info);
            assert_eq!(online.insert(name, server), None, "{when}: two servers of {info:?}");
        }
    }
    online.remove(tallrow_wire::region::META_REGION_NAME);
    for table in cluster.tables().iter().filter(|table| *table != "hbase:meta") {
        let request = GetTableStateRequest { table_name: name(table) };
        let (answer, _) =
            master.call::<GetTableStateResponse>("GetTableState", &request).await.unwrap();
        let is_enabled = answer.table_state.state == TableStateKind::Enabled as i32;
        let row = rows.remove(table.as_bytes());
        let state = TableState::decode(row.expect("the row of the table")[0].value()).unwrap();
        assert_eq!(state, answer.table_state, "{when}: {table}");
        let mut start = Vec::new();
        let regions = cluster.regions(table);
        let last = regions.len() - 1;
        for (at, region) in regions.into_iter().enumerate() {
            let shown = region.name.escape_ascii().to_string();
            assert_eq!(region.start_key, start, "{when}: {shown}");
            assert_eq!(region.end_key.is_empty(), at == last, "{when}: {shown}");
            assert_eq!(region.server.is_some(), is_enabled, "{when}: {shown}");
            assert_eq!(online.remove(&region.name), region.server, "{when}: {shown}");
            let row = rows.remove(&region.name);
            let row = row.unwrap_or_else(|| panic!("{when}: no row of {shown}"));
            let expected = if is_enabled { "OPEN" } else { "CLOSED" };
            assert_eq!(value(&row, "state"), expected, "{when}: {shown}");
            let listed = RegionRow::from_cells(&row).unwrap().unwrap();
            assert_eq!(listed.info.end_key.as_deref(), Some(&region.end_key[..]), "{when}");
            if let Some(server) = region.server {
                let port = cluster.server_address(server).unwrap().port();
                let listed = listed.server.and_then(|server| server.port);
                assert_eq!(listed, Some(port.into()), "{when}: {shown}");
                read_families(cluster, table, &region.start_key, when).await;
            }
            start = region.end_key;
        }
    }
    assert!(online.is_empty(), "{when}: regions of no table are open: {online:?}");
    // Only the parents of splits have a row besides, as long as there is their table.
    for (row, cells) in rows {
        let shown = row.escape_ascii().to_string();
        assert_eq!(value(&cells, "state"), "SPLIT", "{when}: {shown}");
        let table = shown.split(',').next().unwrap().to_owned();
        assert!(cluster.tables().contains(&table), "{when}: {shown}");
    }
}

/// Reads each family of a table in one of its regions, which knows them.
async fn read_families(cluster: &MockCluster, table: &str, start: &[u8], when: &str) {
    let server = server_of(cluster, table, start);
    let mut client = Frames::open(cluster, server, "ClientService").await;
    for family in families(cluster, table).await {
        let column = vec![Column { family: bytes(&family), qualifier: Vec::new() }];
        // An empty row key is none.
        let row = [start, b"\0"].concat().into();
        let get = Get { row, column, ..Default::default() };
        let request = GetRequest { region: specifier(cluster, table, start), get };
        let found = client.call::<GetResponse>("Get", &request).await;
        assert!(found.is_ok(), "{when}: {family} of {table}: {:?}", found.err());
    }
}
