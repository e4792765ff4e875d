//! The replicas of `hbase:meta`: how many there are, where they are, and what they answer.

use tallrow_mock::MockCluster;
use tallrow_wire::proto::*;
use tallrow_wire::region::{META_REGION_NAME, name_of_replica, parse_table_name};

use crate::frames::{Answer, Fixture, Frames, create, get};

/// A cluster with a table `t` and the given number of servers.
async fn fixture(servers: usize) -> Fixture {
    Fixture::with(MockCluster::builder().servers(servers).in_memory(), &[], &[]).await
}

/// Sets the number of replicas of `hbase:meta`.
async fn replicate(f: &mut Fixture, replicas: &str) -> Answer<ProcIdResponse> {
    let table_name = parse_table_name(b"hbase:meta");
    let request = GetTableDescriptorsRequest {
        table_names: vec![table_name.clone()],
        include_sys_tables: Some(true),
        ..Default::default()
    };
    let method = "GetTableDescriptors";
    let (answer, _) = f.master.call::<GetTableDescriptorsResponse>(method, &request).await.unwrap();
    let mut table_schema = answer.table_schema[0].clone();
    table_schema.attributes.retain(|pair| pair.first != "REGION_REPLICATION");
    let second = replicas.to_owned().into();
    table_schema.attributes.push(BytesBytesPair { first: "REGION_REPLICATION".into(), second });
    let request = ModifyTableRequest { table_name, table_schema, ..Default::default() };
    f.master.call("ModifyTable", &request).await
}

/// A replica, as a request names it.
fn replica(id: u16) -> RegionSpecifier {
    let value = name_of_replica(META_REGION_NAME, id).unwrap().into();
    RegionSpecifier { r#type: RegionSpecifierType::RegionName as i32, value }
}

/// The numbers of the replicas that the registry tells of, each with the port of its server.
async fn registered(cluster: &MockCluster) -> Vec<(i32, u16)> {
    let mut registry = Frames::open(cluster, cluster.rpc_address(), "ClientMetaService").await;
    let (method, request) = ("GetMetaRegionLocations", GetMetaRegionLocationsRequest {});
    let answer = registry.call::<GetMetaRegionLocationsResponse>(method, &request).await;
    let located = answer.unwrap().0.meta_locations.into_iter().map(|location| {
        assert_eq!(location.seq_num, -1);
        let port = location.server_name.unwrap().port.unwrap();
        (location.region_info.replica_id.unwrap(), port.try_into().unwrap())
    });
    located.collect()
}

/// The numbers of the replicas, each with the port of the server that has it.
fn open(cluster: &MockCluster) -> Vec<(i32, u16)> {
    let server = |id| cluster.replica_server("hbase:meta", b"", id);
    let port = |server| cluster.server_address(server).unwrap().port();
    (0..9).filter_map(|id| Some((i32::from(id), port(server(id)?)))).collect()
}

/// The open regions of `hbase:meta`, the closed ones, and all of them.
async fn counts(f: &mut Fixture) -> (u32, u32, u32) {
    let request = GetClusterStatusRequest::default();
    let answer = f.master.call::<GetClusterStatusResponse>("GetClusterStatus", &request).await;
    let mut all = answer.unwrap().0.cluster_status.table_region_states_count.into_iter();
    let of_meta = all.find(|table| table.table_name == parse_table_name(b"hbase:meta"));
    let counts = of_meta.unwrap().region_states_count;
    (counts.open_regions, counts.closed_regions, counts.total_regions)
}

/// Reads the state of a table from a replica: whether there is one, and whether it may be stale.
async fn read(cluster: &MockCluster, id: u16, table: &str) -> (bool, bool) {
    let server = cluster.replica_server("hbase:meta", b"", id).unwrap();
    let address = cluster.server_address(server).unwrap();
    let mut client = Frames::open(cluster, address, "ClientService").await;
    let request = GetRequest { region: replica(id), get: get(table) };
    let (answer, cells) = client.call::<GetResponse>("Get", &request).await.unwrap();
    (!cells.is_empty(), answer.result.unwrap_or_default().stale.unwrap_or(false))
}

/// Like HBase: `hbase:meta` has as many replicas as its schema says, of which the registry tells.
#[tokio::test]
async fn the_registry_tells_of_as_many_replicas_of_meta_as_there_are() {
    let mut f = fixture(3).await;
    for (replicas, expected) in [("3", 0..3), ("2", 0..2), ("4", 0..4), ("1", 0..1)] {
        replicate(&mut f, replicas).await.unwrap();
        let registered = registered(&f.cluster).await;
        assert_eq!(registered, open(&f.cluster));
        assert!(registered.iter().map(|(id, _)| *id).eq(expected), "{registered:?}");
        let total = u32::try_from(registered.len()).unwrap();
        assert_eq!(counts(&mut f).await, (total, 0, total));
    }
    let refused = replicate(&mut f, "0").await.unwrap_err();
    assert_eq!(refused.simple_name(), "DoNotRetryIOException");
    let text = "Table region replication should be at least one.";
    assert!(refused.message.starts_with(text), "{}", refused.message);
}

/// Like HBase: a secondary replica of `hbase:meta` has what was flushed, and says that it may be
/// stale.
#[tokio::test]
async fn a_secondary_replica_of_meta_is_read_and_not_written() {
    let mut f = fixture(2).await;
    replicate(&mut f, "2").await.unwrap();
    assert_eq!(read(&f.cluster, 0, "t").await, (true, false));
    assert_eq!(read(&f.cluster, 1, "t").await, (true, true));
    create(&mut f.master, "u", &[], &[]).await.unwrap();
    assert_eq!(read(&f.cluster, 0, "u").await, (true, false));
    assert_eq!(read(&f.cluster, 1, "u").await, (false, true));
    let table_name = parse_table_name(b"hbase:meta");
    let flush = FlushTableRequest { table_name, ..Default::default() };
    f.master.call::<FlushTableResponse>("FlushTable", &flush).await.unwrap();
    assert_eq!(read(&f.cluster, 1, "u").await, (true, true));

    let server = f.cluster.replica_server("hbase:meta", b"", 1).unwrap();
    let address = f.cluster.server_address(server).unwrap();
    let mut client = Frames::open(&f.cluster, address, "ClientService").await;
    let mutation = crate::frames::put("t");
    let request = MutateRequest { region: replica(1), mutation, ..Default::default() };
    let refused = client.call::<MutateResponse>("Mutate", &request).await.unwrap_err();
    assert_eq!(refused.message, "region is read only");
}

/// Like HBase: with `hbase.region.replica.replication.catalog.enabled`, the replicas of
/// `hbase:meta` do not wait for a flush.
#[tokio::test]
async fn a_replica_of_meta_to_which_writes_are_replicated_does_not_lag() {
    let setting = "hbase.region.replica.replication.catalog.enabled";
    let builder = MockCluster::builder().servers(2).in_memory().setting(setting, "true");
    let mut f = Fixture::with(builder, &[], &[]).await;
    replicate(&mut f, "2").await.unwrap();
    create(&mut f.master, "u", &[], &[]).await.unwrap();
    assert_eq!(read(&f.cluster, 1, "u").await, (true, true));
}

/// Like HBase: a replica of `hbase:meta` is moved, closed and opened alone. The registry still
/// tells where a closed one was.
#[tokio::test]
async fn a_replica_of_meta_is_moved_closed_and_opened_alone() {
    let mut f = fixture(2).await;
    replicate(&mut f, "3").await.unwrap();
    for id in [1, 0] {
        let before = open(&f.cluster);
        let request = MoveRegionRequest { region: replica(id), dest_server_name: None };
        f.master.call::<MoveRegionResponse>("MoveRegion", &request).await.unwrap();
        let after = open(&f.cluster);
        let moved = before.iter().zip(&after).filter(|(from, to)| from != to);
        assert!(moved.map(|(_, (moved, _))| *moved).eq([i32::from(id)]), "{before:?} {after:?}");
        assert_eq!(registered(&f.cluster).await, after);
    }

    let all = open(&f.cluster);
    let request = AssignRegionRequest { region: replica(2) };
    f.master.call::<Empty>("UnassignRegion", &request).await.unwrap();
    assert_eq!((open(&f.cluster).len(), counts(&mut f).await), (2, (2, 1, 3)));
    assert_eq!(registered(&f.cluster).await, all);
    let region = "table=hbase:meta, region=1657623790";
    let closed = format!("Unexpected state for state=CLOSED, location=null, {region}");
    let refused = f.master.call::<Empty>("UnassignRegion", &request).await.unwrap_err();
    assert_eq!((refused.simple_name(), &*refused.message), ("DoNotRetryRegionException", &*closed));
    let to_move = MoveRegionRequest { region: replica(2), dest_server_name: None };
    let refused = f.master.call::<Empty>("MoveRegion", &to_move).await.unwrap_err();
    assert_eq!((refused.simple_name(), &*refused.message), ("DoNotRetryRegionException", &*closed));
    f.master.call::<Empty>("AssignRegion", &request).await.unwrap();
    assert_eq!(counts(&mut f).await, (3, 0, 3));
    let refused = f.master.call::<Empty>("AssignRegion", &request).await.unwrap_err();
    let opened = "Unexpected state for state=OPEN, location=127.0.0.1,";
    assert!(refused.message.starts_with(opened), "{}", refused.message);
    assert!(refused.message.ends_with(region), "{}", refused.message);

    let unknown = AssignRegionRequest { region: replica(7) };
    let refused = f.master.call::<Empty>("AssignRegion", &unknown).await.unwrap_err();
    let expected = ("UnknownRegionException", "hbase:meta,,1_0007");
    assert_eq!((refused.simple_name(), refused.message.as_str()), expected);
}

#[tokio::test]
async fn the_replicas_of_meta_are_opened_elsewhere_when_their_servers_die() {
    let mut f = fixture(3).await;
    replicate(&mut f, "3").await.unwrap();
    for _ in 0..2 {
        let dead = f.cluster.replica_server("hbase:meta", b"", 0).unwrap();
        f.cluster.kill_server(dead).unwrap();
        let open = open(&f.cluster);
        assert_eq!((open.len(), &registered(&f.cluster).await), (3, &open));
        assert_eq!(read(&f.cluster, 2, "t").await, (true, true));
    }
    let last = f.cluster.replica_server("hbase:meta", b"", 0).unwrap();
    f.cluster.kill_server(last).unwrap();
    assert!(open(&f.cluster).is_empty());
    f.cluster.start_server().unwrap();
    assert_eq!(open(&f.cluster).len(), 3);
}

/// Like HBase: only the replica that is named is closed, also of a table, and no region of a
/// disabled table is opened or counted.
#[tokio::test]
async fn a_region_is_closed_without_its_secondary_replicas() {
    let mut f = fixture(2).await;
    let pair = BytesBytesPair { first: "REGION_REPLICATION".into(), second: "2".into() };
    let table_name = parse_table_name(b"t");
    let table_schema = TableSchema {
        table_name: Some(table_name.clone()),
        attributes: vec![pair],
        column_families: vec![ColumnFamilySchema { name: "f".into(), ..Default::default() }],
        ..Default::default()
    };
    let alter =
        ModifyTableRequest { table_name: table_name.clone(), table_schema, ..Default::default() };
    f.master.call::<ProcIdResponse>("ModifyTable", &alter).await.unwrap();
    let request = AssignRegionRequest { region: f.region(b"") };
    f.master.call::<Empty>("UnassignRegion", &request).await.unwrap();
    let servers = |f: &Fixture| [0, 1].map(|id| f.cluster.replica_server("t", b"", id).is_some());
    assert_eq!(servers(&f), [false, true]);
    f.master.call::<Empty>("AssignRegion", &request).await.unwrap();
    assert_eq!(servers(&f), [true, true]);

    let disable = DisableTableRequest { table_name, ..Default::default() };
    f.master.call::<ProcIdResponse>("DisableTable", &disable).await.unwrap();
    assert_eq!(servers(&f), [false, false]);
    let refused = f.master.call::<Empty>("AssignRegion", &request).await.unwrap_err();
    assert_eq!(refused.simple_name(), "DoNotRetryIOException");
    let text = "t is disabled for state=CLOSED, location=null, table=t, region=";
    assert!(refused.message.starts_with(text), "{}", refused.message);
    let status = GetClusterStatusRequest::default();
    let answer = f.master.call::<GetClusterStatusResponse>("GetClusterStatus", &status).await;
    let all = answer.unwrap().0.cluster_status.table_region_states_count;
    let of_table = all.iter().find(|counts| counts.table_name == parse_table_name(b"t"));
    assert_eq!(of_table.unwrap().region_states_count.total_regions, 0);
}
