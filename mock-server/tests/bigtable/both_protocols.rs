//! One store behind two protocols: what is written through one is read through the other.

use tallrow_mock::MockCluster;
use tallrow_wire::bigtable as bt;
use tallrow_wire::bigtable::{GarbageRule, GetTableRequest, method};
use tallrow_wire::proto::{
    CompactRegionRequest, CompactRegionResponse, DeleteType, FlushRegionRequest,
    FlushRegionResponse, Get,
};

use crate::client::{self, Client, family, set};
use crate::frames::{self, Fixture, get};

/// A cluster with table `t`, made through HBase, and a client for each protocol.
async fn both(attributes: &[(&str, &str)]) -> (Fixture, Client, String) {
    let builder = MockCluster::builder().servers(1).bigtable_port(0);
    let hbase = Fixture::with(builder, attributes, &["m"]).await;
    let bigtable = Client::connect(hbase.cluster.clone()).await;
    (hbase, bigtable, "projects/p/instances/i/tables/t".to_owned())
}

/// Unlike Bigtable: tables have a second protocol, HBase's, with the same rows.
#[tokio::test]
async fn each_reads_what_the_other_writes() {
    let (mut hbase, bigtable, table) = both(&[("VERSIONS", "3")]).await;
    hbase.put("a", "q", 5, "from hbase").await;
    bigtable.put(&table, "a", &[("f", "q", 7000, "from bigtable")]).await;
    bigtable.put(&table, "z", &[("f", "q", 1000, "other region")]).await;
    let expected = ["a/f:q@7000=from bigtable", "a/f:q@5000=from hbase", "z/f:q@1000=other region"];
    assert_eq!(bigtable.all(&table).await, expected);
    let all = Get { max_versions: Some(9), ..get("a") };
    let (_, cells) = hbase.get(all).await.unwrap();
    assert_eq!(frames::short(&cells), "q7 q5");
    assert_eq!(hbase.values("z").await, ["q=other region"]);
}

#[tokio::test]
async fn counters_are_the_same_in_both() {
    let (mut hbase, bigtable, table) = both(&[]).await;
    hbase.mutate(frames::increment("r", 5, 0)).await.unwrap();
    let request = bt::ReadModifyWriteRowRequest {
        table_name: table,
        row_key: "r".into(),
        rules: vec![bt::ReadModifyWriteRule {
            family_name: "f".into(),
            column_qualifier: "n".into(),
            rule: Some(bt::Rule::IncrementAmount(-12)),
        }],
        ..Default::default()
    };
    bigtable.call(method::READ_MODIFY_WRITE_ROW, request).await.unwrap();
    let (answer, cells) = hbase.mutate(frames::increment("r", 8, 0)).await.unwrap();
    let value = cells
        .first()
        .map(|c| c.value().to_vec())
        .unwrap_or_else(|| answer.result.unwrap().cell[0].value.clone().unwrap().to_vec());
    assert_eq!(value, 1_i64.to_be_bytes());
}

#[tokio::test]
async fn a_marker_of_hbase_deletes_what_was_before_and_not_what_bigtable_writes_later() {
    let (mut hbase, bigtable, table) = both(&[("VERSIONS", "9")]).await;
    bigtable
        .put(&table, "a", &[("f", "q", 5000, "1"), ("f", "q", 9000, "2"), ("f", "p", 5000, "3")])
        .await;
    hbase.mutate(frames::delete("a", "q", 7, DeleteType::DeleteMultipleVersions)).await.unwrap();
    assert_eq!(bigtable.all(&table).await, ["a/f:p@5000=3", "a/f:q@9000=2"]);
    bigtable.put(&table, "a", &[("f", "q", 6000, "4")]).await;
    assert_eq!(bigtable.all(&table).await, ["a/f:p@5000=3", "a/f:q@9000=2", "a/f:q@6000=4"]);
    let delete = bt::Mutation { mutation: Some(bt::Change::DeleteFromRow(bt::DeleteFromRow {})) };
    bigtable.mutate(&table, "a", vec![delete, set("f", "q", 1000, "5")]).await.unwrap();
    assert_eq!(hbase.values("a").await, ["q=5"]);
}

#[tokio::test]
async fn the_attributes_of_hbase_are_rules_of_bigtable() {
    let (_hbase, bigtable, name) =
        both(&[("VERSIONS", "3"), ("TTL", "60"), ("MIN_VERSIONS", "0")]).await;
    let request = GetTableRequest { name: name.clone(), view: 0 };
    let table = bigtable.call(method::GET_TABLE, request).await.unwrap();
    let versions = bt::GcRule { rule: Some(GarbageRule::MaxNumVersions(3)) };
    let age = bt::Duration { seconds: 60, nanos: 0 };
    let age = bt::GcRule { rule: Some(GarbageRule::MaxAge(age)) };
    let union = GarbageRule::Union(bt::Union { rules: vec![versions, age] });
    assert_eq!(table.column_families["f"], family(Some(union)));
    let update = bt::FamilyChange::Update(family(Some(GarbageRule::MaxNumVersions(7))));
    bigtable.modify(&name, vec![("f", update)]).await.unwrap();
    bigtable.put(&name, "r", &[("f", "q", 0, "v")]).await;
}

#[tokio::test]
async fn aggregates_are_integers_to_hbase_and_stay_through_flushes_and_compactions() {
    let (mut hbase, bigtable, table) =
        both(&[("VERSIONS", "2"), ("BIGTABLE_AGGREGATION", "SUM")]).await;
    let add = |at, value| bigtable.mutate(&table, "r", vec![client::add("f", "n", at, value)]);
    let region = hbase.region(b"r");
    for expected in [7, 14, 21] {
        for at in [1000, 2000, 3000] {
            add(at, 3).await.unwrap();
            add(at, 4).await.unwrap();
        }
        let newest = [format!("r/f:n@3000={expected}"), format!("r/f:n@2000={expected}")];
        assert_eq!(bigtable.integers(&table).await, newest);
        let request = FlushRegionRequest { region: region.clone(), ..Default::default() };
        hbase.admin.call::<FlushRegionResponse>("FlushRegion", &request).await.unwrap();
        assert_eq!(bigtable.integers(&table).await, newest);
        let request =
            CompactRegionRequest { region: region.clone(), major: Some(true), family: None };
        hbase.admin.call::<CompactRegionResponse>("CompactRegion", &request).await.unwrap();
        assert_eq!(bigtable.integers(&table).await, newest);
        // The oldest cell is garbage. Once it is collected, its sum starts again.
        add(1000, 1_000_000).await.unwrap();
        assert_eq!(bigtable.integers(&table).await, newest);
    }
    let (_, cells) = hbase.get(get("r")).await.unwrap();
    assert_eq!(cells[0].value(), 21_i64.to_be_bytes());
    // A marker of HBase deletes the sum so far, and not what is added later.
    hbase.mutate(frames::delete("r", "n", 3, DeleteType::DeleteMultipleVersions)).await.unwrap();
    add(1000, 5).await.unwrap();
    assert_eq!(bigtable.integers(&table).await, ["r/f:n@1000=5"]);
    // What HBase writes may be no integer. Then nothing of the mutation is applied.
    hbase.put("r", "n", 9, "text").await;
    let mutations = vec![client::add("f", "n", 1000, 1), client::add("f", "n", 9000, 1)];
    let status = bigtable.mutate(&table, "r", mutations).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::FailedPrecondition);
    assert!(status.message().starts_with("The value of f:n has 4 bytes"), "{status}");
    assert_eq!(bigtable.all(&table).await.len(), 2);
    add(1000, 1).await.unwrap();
    let cells = bigtable.all(&table).await;
    assert_eq!(cells, ["r/f:n@9000=text", "r/f:n@1000=\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x06"]);
}

#[tokio::test]
async fn a_table_of_bigtable_is_a_table_of_the_default_namespace() {
    let (mut hbase, bigtable, _) = both(&[]).await;
    let name = bigtable.table("u", &["f"], &["k"]).await;
    bigtable.put(&name, "r", &[("f", "q", 0, "v")]).await;
    let starts: Vec<_> = hbase.cluster.regions("u").into_iter().map(|r| r.start_key).collect();
    assert_eq!(starts, [&b""[..], b"k"]);
    hbase.table = "u";
    let server = frames::server_of(&hbase.cluster, "u", b"r");
    hbase.client = frames::Frames::open(&hbase.cluster, server, "ClientService").await;
    assert_eq!(hbase.values("r").await, ["q=v"]);
}
