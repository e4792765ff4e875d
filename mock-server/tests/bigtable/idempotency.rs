//! Tokens of mutations: a repeated mutation is applied once, within the window.

use std::time::Duration as Span;

use tallrow_mock::{Fault, MockCluster, StatusCode};
use tallrow_wire::bigtable::*;
use tallrow_wire::proto::{
    MergeTableRegionsRequest, MergeTableRegionsResponse, RegionSpecifier, RegionSpecifierType,
};
use tallrow_wire::region;
use tonic::{Code, Status};

use crate::client::{Client, add, aggregate, create};
use crate::frames::{Frames, specifier};

const START_MS: u64 = 1_000_000_000;

/// A client and a table with a family `n` of sums.
async fn counters(builder: tallrow_mock::MockClusterBuilder) -> (Client, String) {
    let client = Client::of(builder.clock_start_ms(START_MS)).await;
    let sums = aggregate(Aggregator::Sum(Marker {}));
    let request = create("t", [("n".to_owned(), sums)].into());
    let name = client.call(method::CREATE_TABLE, request).await.unwrap().name;
    (client, name)
}

/// A token, and the cluster's time at its start if `start_ms` is the time since then.
fn token(token: &'static str, start_ms: Option<i64>) -> Option<Idempotency> {
    let time = |ms: i64| {
        let ms = START_MS as i64 + ms;
        Timestamp { seconds: ms / 1000, nanos: (ms % 1000 * 1_000_000) as i32 }
    };
    Some(Idempotency { token: token.into(), start_time: start_ms.map(time) })
}

async fn add_one(
    client: &Client,
    table: &str,
    row: &'static str,
    idempotency: Option<Idempotency>,
) -> Result<(), Status> {
    let request = MutateRowRequest {
        table_name: table.into(),
        row_key: row.into(),
        mutations: vec![add("n", "q", 0, 1)],
        idempotency,
        ..Default::default()
    };
    client.call(method::MUTATE_ROW, request).await.map(drop)
}

/// Like Bigtable: a mutation with a token of idempotency happens once.
#[tokio::test]
async fn an_addition_whose_reply_was_lost_counts_once() {
    let (client, name) = counters(MockCluster::builder()).await;
    let lost = || Fault::on("MutateRow").nth(1).fail_after(StatusCode::Unavailable, "lost");
    client.cluster.inject(lost());
    let one = || token("token one", Some(0));
    assert_eq!(add_one(&client, &name, "r", one()).await.unwrap_err().code(), Code::Unavailable);
    for _ in 0..3 {
        add_one(&client, &name, "r", one()).await.unwrap();
    }
    assert_eq!(client.integers(&name).await, ["r/n:q@0=1"]);
    // Another token, another row, or no token: another addition.
    add_one(&client, &name, "r", token("token two", None)).await.unwrap();
    add_one(&client, &name, "s", one()).await.unwrap();
    add_one(&client, &name, "s", None).await.unwrap();
    assert_eq!(client.integers(&name).await, ["r/n:q@0=2", "s/n:q@0=2"]);
}

#[tokio::test]
async fn an_addition_is_known_after_a_restart_and_what_was_deleted_stays_so() {
    let folder = std::env::temp_dir().join(format!("tallrow-mock-tokens-{}", std::process::id()));
    let (client, name) = counters(MockCluster::builder().data(&folder)).await;
    let one = || token("token one", Some(0));
    add_one(&client, &name, "r", one()).await.unwrap();
    for row in ["s", "sa", "t"] {
        add_one(&client, &name, row, None).await.unwrap();
    }
    let target = Some(DropTarget::RowKeyPrefix("s".into()));
    let dropped = DropRowRangeRequest { name: name.clone(), target };
    client.call(method::DROP_ROW_RANGE, dropped).await.unwrap();
    let mutations = vec![Mutation { mutation: Some(Change::DeleteFromRow(DeleteFromRow {})) }];
    let (table_name, row_key) = (name.clone(), "t".into());
    let deleted = MutateRowRequest { table_name, row_key, mutations, ..Default::default() };
    client.call(method::MUTATE_ROW, deleted).await.unwrap();
    // The first restart writes a checkpoint, from which the second starts.
    let mut client = client;
    for _ in 0..2 {
        client.cluster.shutdown().await;
        let builder = MockCluster::builder().clock_start_ms(START_MS).data(&folder);
        client = Client::of(builder).await;
        add_one(&client, &name, "r", one()).await.unwrap();
        assert_eq!(client.integers(&name).await, ["r/n:q@0=1"]);
    }
    client.cluster.shutdown().await;
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test]
async fn each_entry_has_its_token() {
    let (client, name) = counters(MockCluster::builder()).await;
    let entry = |row: &'static str, family: &str, idempotency| MutateRowsEntry {
        row_key: row.into(),
        mutations: vec![add(family, "q", 0, 1)],
        idempotency,
    };
    let entries = vec![
        entry("a", "n", token("token one", Some(0))),
        entry("a", "n", token("token two", Some(0))),
        entry("a", "n", token("token one", Some(0))),
        entry("b", "none", token("token one", None)),
        entry("c", "n", token("too late", Some(-15 * 60 * 1000))),
        entry("d", "n", None),
    ];
    for round in 1..=2 {
        let (answers, end) = client.mutate_rows(&name, entries.clone()).await;
        end.unwrap();
        let outcomes = answers.iter().flat_map(|answer| &answer.entries);
        let codes: Vec<i32> = outcomes.map(|of| of.status.as_ref().unwrap().code).collect();
        assert_eq!(codes, [0, 0, 0, 5, 9, 0]);
        let cells = ["a/n:q@0=2".to_owned(), format!("d/n:q@0={round}")];
        assert_eq!(client.integers(&name).await, cells);
    }
    // A mutation that failed is not remembered.
    let again = vec![entry("b", "n", token("token one", None))];
    client.mutate_rows(&name, again).await.1.unwrap();
    assert_eq!(client.integers(&name).await[1], "b/n:q@0=1");
}

#[tokio::test]
async fn a_short_token_is_refused() {
    let (client, name) = counters(MockCluster::builder()).await;
    let short = add_one(&client, &name, "r", token("7 bytes", None)).await.unwrap_err();
    let text = "Error in field 'idempotency' : The token must have at least 8 bytes, but has 7";
    assert_eq!((short.code(), short.message()), (Code::InvalidArgument, text));
    let empty = add_one(&client, &name, "r", Some(Idempotency::default())).await.unwrap_err();
    assert!(empty.message().ends_with("but has 0"), "{empty}");
    let entry = |row: &'static str, idempotency| MutateRowsEntry {
        row_key: row.into(),
        mutations: vec![add("n", "q", 0, 1)],
        idempotency,
    };
    let entries = vec![entry("a", token("long enough", None)), entry("b", token("short", None))];
    let status = client.mutate_rows(&name, entries).await.1.unwrap_err();
    assert!(status.message().starts_with("Error in field 'Entry list' : Error in element #1"));
    assert_eq!(client.all(&name).await, Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_repetition_is_recognized_or_refused_within_15_minutes_and_afterwards() {
    const MINUTES_14_59: Span = Span::from_secs(14 * 60 + 59);
    let (client, name) = counters(MockCluster::builder()).await;
    let start = || token("with a start", Some(0));
    let unset = || token("without one", None);
    let zero = || Some(Idempotency { start_time: Some(Timestamp::default()), ..unset().unwrap() });
    add_one(&client, &name, "start", start()).await.unwrap();
    add_one(&client, &name, "unset", unset()).await.unwrap();
    tokio::time::advance(MINUTES_14_59).await;
    add_one(&client, &name, "start", start()).await.unwrap();
    add_one(&client, &name, "unset", zero()).await.unwrap();
    assert_eq!(client.integers(&name).await, ["start/n:q@0=1", "unset/n:q@0=1"]);
    tokio::time::advance(Span::from_secs(2)).await;
    let late = add_one(&client, &name, "start", start()).await.unwrap_err();
    assert_eq!(late.code(), Code::FailedPrecondition);
    assert!(late.message().contains("unknown whether the mutation has been applied"), "{late}");
    // Without a start, the mutation is applied again.
    add_one(&client, &name, "unset", zero()).await.unwrap();
    assert_eq!(client.integers(&name).await, ["start/n:q@0=1", "unset/n:q@0=2"]);
    // So is a new token, and this one is remembered from now on.
    for _ in 0..2 {
        add_one(&client, &name, "start", token("with a start", Some(900_000))).await.unwrap();
    }
    assert_eq!(client.integers(&name).await, ["start/n:q@0=2", "unset/n:q@0=2"]);
}

#[tokio::test]
async fn a_token_is_remembered_when_regions_split_move_merge_and_servers_die() {
    let (client, name) = counters(MockCluster::builder().servers(3)).await;
    let cluster = client.cluster.clone();
    let repeat = async || {
        for row in ["a", "z"] {
            add_one(&client, &name, row, token("the token", Some(0))).await.unwrap();
        }
        assert_eq!(client.integers(&name).await, ["a/n:q@0=1", "z/n:q@0=1"]);
    };
    repeat().await;
    cluster.split_region("t", b"m").unwrap();
    repeat().await;
    let server = cluster.regions("t")[1].server.unwrap();
    cluster.move_region("t", b"z", (server + 1) % 3).unwrap();
    repeat().await;
    cluster.kill_server((server + 1) % 3).unwrap();
    repeat().await;
    let encoded = |row: &[u8]| RegionSpecifier {
        r#type: RegionSpecifierType::EncodedRegionName as i32,
        value: region::encoded_name(&specifier(&cluster, "t", row).value).unwrap().into(),
    };
    let request = MergeTableRegionsRequest {
        region: vec![encoded(b"a"), encoded(b"z")],
        ..Default::default()
    };
    let mut master = Frames::open(&cluster, cluster.rpc_address(), "MasterService").await;
    let merged = master.call::<MergeTableRegionsResponse>("MergeTableRegions", &request).await;
    merged.unwrap();
    assert_eq!(cluster.regions("t").len(), 1);
    repeat().await;
}
