//! Change streams.

use std::time::Duration;

use bytes::Bytes;
use tallrow_mock::{Change, MockCluster};
use tallrow_wire::bigtable::{self as bt, method};
use tonic::Code;

use crate::client::{Client, create, family};
use crate::frames::Fixture;

pub const NAME: &str = "projects/p/instances/i/tables/t";
const DAY: i64 = 86_400;

pub fn config(seconds: i64) -> Option<bt::ChangeStreamConfig> {
    let retention_period = Some(bt::Duration { seconds, nanos: 0 });
    Some(bt::ChangeStreamConfig { retention_period })
}

pub async fn configure(client: &Client, to: Option<bt::ChangeStreamConfig>) -> Result<(), Code> {
    let table = bt::Table { name: NAME.into(), change_stream_config: to, ..Default::default() };
    let update_mask = Some(bt::FieldMask { paths: vec!["change_stream_config".into()] });
    let request = bt::UpdateTableRequest { table: Some(table), update_mask, ..Default::default() };
    let done = client.call(method::UPDATE_TABLE, request).await;
    done.map(drop).map_err(|status| status.code())
}

async fn started() -> Client {
    let client = Client::of(MockCluster::builder().servers(1)).await;
    client.table("t", &["f"], &["m"]).await;
    configure(&client, config(DAY)).await.unwrap();
    client
}

fn time(millis: u64) -> bt::Timestamp {
    let (seconds, nanos) = (millis / 1_000, millis % 1_000 * 1_000_000);
    bt::Timestamp { seconds: seconds.try_into().unwrap(), nanos: nanos.try_into().unwrap() }
}

pub fn partition(start: &'static str, end: &'static str) -> bt::StreamPartition {
    bt::StreamPartition::of(start.into(), end.into())
}

pub fn since(millis: u64) -> Option<bt::StartFrom> {
    Some(bt::StartFrom::StartTime(time(millis)))
}

pub fn tokens(tokens: Vec<bt::StreamContinuationToken>) -> Option<bt::StartFrom> {
    Some(bt::StartFrom::ContinuationTokens(bt::StreamContinuationTokens { tokens }))
}

/// Reads what has happened in a partition until now: the rows, and the last record.
pub async fn read(
    client: &Client,
    of: bt::StreamPartition,
    start_from: Option<bt::StartFrom>,
) -> Result<(Vec<Bytes>, bt::CloseStream, String), tonic::Status> {
    let end = client.cluster.clock_ms() + 1;
    client.cluster.advance_clock(Duration::from_secs(1)).unwrap();
    read_until(client, of, start_from, end).await
}

/// Reads what has happened in a partition until a time in ms, which has passed.
async fn read_until(
    client: &Client,
    of: bt::StreamPartition,
    start_from: Option<bt::StartFrom>,
    end: u64,
) -> Result<(Vec<Bytes>, bt::CloseStream, String), tonic::Status> {
    let request = bt::ReadChangeStreamRequest {
        table_name: NAME.into(),
        partition: Some(of),
        start_from,
        end_time: Some(time(end)),
        ..Default::default()
    };
    let (records, result) = client.stream(method::READ_CHANGE_STREAM, request).await;
    result?;
    let (mut rows, mut close, mut token) = (Vec::new(), None, String::new());
    for record in records {
        match record.stream_record.unwrap() {
            bt::StreamRecord::DataChange(change) => {
                assert!(change.done && change.source_cluster_id == "mock-c1");
                rows.push(change.row_key);
                token = change.token;
            }
            bt::StreamRecord::CloseStream(last) => close = Some(last),
            bt::StreamRecord::Heartbeat(_) => {}
        }
    }
    Ok((rows, close.expect("the stream is closed"), token))
}

pub async fn partitions(client: &Client) -> Vec<bt::StreamPartition> {
    let request = bt::GenerateInitialChangeStreamPartitionsRequest {
        table_name: NAME.into(),
        ..Default::default()
    };
    let path = method::GENERATE_INITIAL_CHANGE_STREAM_PARTITIONS;
    let (found, result) = client.stream(path, request).await;
    result.unwrap();
    found.into_iter().map(|one| one.partition.unwrap()).collect()
}

/// Like Bigtable: a change stream has partitions, whose ends give tokens for those that follow.
#[tokio::test]
async fn a_change_stream_is_read_by_partitions_that_split_and_merge() {
    let client = started().await;
    let begin = client.cluster.clock_ms();
    assert_eq!(partitions(&client).await, [partition("", "m"), partition("m", "")]);
    client.put(NAME, "a", &[("f", "q", 1000, "v")]).await;
    client.put(NAME, "x", &[("f", "q", 1000, "v")]).await;
    client.cluster.split_region("t", b"g").unwrap();
    client.put(NAME, "h", &[("f", "q", 1000, "v")]).await;

    let (rows, close, token) = read(&client, partition("", "m"), since(begin)).await.unwrap();
    assert_eq!(rows, ["a"]);
    assert_eq!(close.status.unwrap().code, Code::OutOfRange as i32);
    assert_eq!(close.new_partitions, [partition("", "g"), partition("g", "m")]);
    let of_tokens: Vec<_> =
        close.continuation_tokens.iter().map(|token| token.partition.clone().unwrap()).collect();
    assert_eq!(of_tokens, close.new_partitions);
    let high = close.continuation_tokens[1].clone();
    let (rows, end, _) = read(&client, partition("g", "m"), tokens(vec![high])).await.unwrap();
    assert_eq!((rows, end.status.unwrap().code), (vec![Bytes::from("h")], 0));
    // A token of a change is a position of its partition.
    let at = bt::StreamContinuationToken { partition: Some(partition("", "m")), token };
    let (rows, ..) = read(&client, partition("", "m"), tokens(vec![at])).await.unwrap();
    assert!(rows.is_empty());

    let merge = Change::MergeRegions { table: "t".into(), row: b"a".into() };
    client.cluster.apply(&merge).unwrap();
    let mut parents = Vec::new();
    for token in close.continuation_tokens {
        let of = token.partition.clone().unwrap();
        let (_, close, _) = read(&client, of, tokens(vec![token])).await.unwrap();
        assert_eq!(close.new_partitions, [partition("", "m")]);
        parents.extend(close.continuation_tokens);
    }
    client.put(NAME, "b", &[("f", "q", 1000, "v")]).await;
    let (rows, ..) = read(&client, partition("", "m"), tokens(parents.clone())).await.unwrap();
    assert_eq!(rows, ["b"]);
    parents.pop();
    let status = read(&client, partition("", "m"), tokens(parents)).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
}

fn token_of(of: bt::StreamPartition, token: String) -> bt::StreamContinuationToken {
    bt::StreamContinuationToken { partition: Some(of), token }
}

/// Reads all partitions from these tokens to the end, following them where they are replaced, and
/// returns the rows.
async fn follow(client: &Client, from: Vec<bt::StreamContinuationToken>) -> Vec<Bytes> {
    let (mut rows, mut ends) = (Vec::new(), Vec::new());
    let mut ready: Vec<_> =
        from.into_iter().map(|token| (token.partition.clone().unwrap(), vec![token])).collect();
    loop {
        for (of, from) in ready {
            let (read, close, _) = read(client, of, tokens(from)).await.unwrap();
            rows.extend(read);
            ends.extend(close.new_partitions.into_iter().zip(close.continuation_tokens));
        }
        // A partition is read when all partitions that it was merged from have ended.
        let mut pieces: Vec<(bt::StreamPartition, Vec<_>)> = Vec::new();
        for (of, token) in ends.drain(..) {
            match pieces.iter_mut().find(|(other, _)| *other == of) {
                Some((_, tokens)) => tokens.push(token),
                None => pieces.push((of, vec![token])),
            }
        }
        let is_whole = |(of, pieces): &(bt::StreamPartition, Vec<bt::StreamContinuationToken>)| {
            let keys = |of: &bt::StreamPartition| of.keys().unwrap();
            let mut pieces: Vec<_> =
                pieces.iter().map(|token| keys(token.partition.as_ref().unwrap())).collect();
            pieces.sort();
            let (start, end) = keys(of);
            pieces[0].0 == start
                && pieces[pieces.len() - 1].1 == end
                && pieces.windows(2).all(|pair| pair[0].1 == pair[1].0)
        };
        let rest;
        (ready, rest) = pieces.into_iter().partition(is_whole);
        ends = rest
            .into_iter()
            .flat_map(|(of, t)| t.into_iter().map(move |t| (of.clone(), t)))
            .collect();
        if ready.is_empty() {
            assert!(ends.is_empty(), "{ends:?}");
            return rows;
        }
    }
}

/// Like Bigtable: each change is read once, also in partitions that came into being again.
#[tokio::test]
async fn a_partition_that_comes_into_being_again_has_each_change_once() {
    let client = Client::of(MockCluster::builder().servers(1)).await;
    client.table("t", &["f"], &["c", "m"]).await;
    configure(&client, config(DAY)).await.unwrap();
    let begin = client.cluster.clock_ms();
    let put = async |row| client.put(NAME, row, &[("f", "q", 1000, "v")]).await;
    let (low, middle, high) =
        (|| partition("", "c"), || partition("c", "m"), || partition("m", ""));
    let merge = |row: &str| {
        let (table, row) = ("t".into(), row.as_bytes().to_vec());
        client.cluster.apply(&Change::MergeRegions { table, row }).unwrap();
    };
    put("a").await;
    put("d").await;
    // Positions in the first lives of the partitions.
    let mut first = Vec::new();
    for of in [low(), middle()] {
        let (rows, _, token) = read(&client, of.clone(), since(begin)).await.unwrap();
        assert_eq!(rows.len(), 1);
        first.push(token_of(of, token));
    }
    put("x").await;
    let early = client.cluster.clock_ms();
    client.cluster.advance_clock(Duration::from_secs(1)).unwrap();
    merge("a");
    put("b").await;
    put("e").await;
    merge("a");
    put("bb").await;
    client.cluster.split_region("t", b"c").unwrap();
    put("bbb").await;
    put("y").await;

    // The partitions of now, from before they came into being.
    let now = partitions(&client).await;
    assert_eq!(now, [low(), partition("c", "")]);
    let (rows, close, _) = read(&client, low(), since(begin)).await.unwrap();
    assert_eq!((rows, close.status.unwrap().code), (strings(["a", "b", "bb", "bbb"]), 0));
    let (rows, close, _) = read(&client, now[1].clone(), since(begin)).await.unwrap();
    assert_eq!((rows, close.status.unwrap().code), (strings(["d", "x", "e", "y"]), 0));
    // So do positions from before then.
    let (rows, _, token) = read_until(&client, low(), since(begin), early).await.unwrap();
    assert_eq!(rows, ["a"]);
    let at = token_of(low(), token);
    let (rows, close, _) = read(&client, low(), tokens(vec![at])).await.unwrap();
    assert_eq!((rows, close.status.unwrap().code), (strings(["b", "bb", "bbb"]), 0));
    // Whoever read the first lives finds the rest in the partitions that followed.
    let (.., token) = read_until(&client, high(), since(begin), early).await.unwrap();
    first.push(token_of(high(), token));
    let mut rows = follow(&client, first).await;
    rows.sort();
    assert_eq!(rows, ["b", "bb", "bbb", "e", "y"]);
}

/// Like Bigtable: the positions of the parts of a partition need not be the same.
#[tokio::test]
async fn a_merged_partition_is_read_from_different_positions() {
    let client = started().await;
    let begin = client.cluster.clock_ms();
    let put = async |row| client.put(NAME, row, &[("f", "q", 1000, "v")]).await;
    let (low, high) = (partition("", "m"), partition("m", ""));
    put("a").await;
    let (.., of_low) = read(&client, low.clone(), since(begin)).await.unwrap();
    put("b").await;
    let after_b = client.cluster.clock_ms();
    client.cluster.advance_clock(Duration::from_secs(1)).unwrap();
    put("x").await;
    let (.., of_high) = read(&client, high.clone(), since(begin)).await.unwrap();
    let merge = Change::MergeRegions { table: "t".into(), row: b"a".into() };
    client.cluster.apply(&merge).unwrap();
    put("c").await;
    put("y").await;
    let both = || {
        tokens(vec![token_of(low.clone(), of_low.clone()), token_of(high.clone(), of_high.clone())])
    };
    let all = || partition("", "");
    let (rows, ..) = read(&client, all(), both()).await.unwrap();
    assert_eq!(rows, ["b", "c", "y"]);
    // A position on the way knows that the upper part is further.
    let (rows, _, token) = read_until(&client, all(), both(), after_b).await.unwrap();
    assert_eq!(rows, ["b"]);
    let (rows, ..) = read(&client, all(), tokens(vec![token_of(all(), token)])).await.unwrap();
    assert_eq!(rows, ["c", "y"]);
}

fn strings<const N: usize>(rows: [&'static str; N]) -> Vec<Bytes> {
    rows.map(Bytes::from).to_vec()
}

/// Like Bigtable: what a change stream refuses, and how long changes may be kept.
#[tokio::test]
async fn a_change_stream_has_a_retention_and_can_be_disabled() {
    let client = started().await;
    let begin = client.cluster.clock_ms();
    client.put(NAME, "a", &[("f", "q", 1000, "v")]).await;
    for seconds in [0, DAY - 1, 7 * DAY + 1, -1] {
        assert_eq!(configure(&client, config(seconds)).await, Err(Code::InvalidArgument));
    }
    let mut request = create("u", [("f".into(), family(None))].into());
    request.table.as_mut().unwrap().change_stream_config = config(7 * DAY);
    let made = client.call(method::CREATE_TABLE, request).await.unwrap();
    assert_eq!(made.change_stream_config, config(7 * DAY));

    let all = || partition("", "m");
    let later = client.cluster.clock_ms() + 60_000;
    let status = read(&client, all(), since(later)).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let bad = bt::StreamContinuationToken { partition: Some(all()), token: "other".into() };
    let status = read(&client, all(), tokens(vec![bad])).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let (.., token) = read(&client, all(), since(begin)).await.unwrap();
    let token = bt::StreamContinuationToken { partition: Some(all()), token };
    client.cluster.advance_clock(Duration::from_secs(2 * 86_400)).unwrap();
    for start in [since(begin), tokens(vec![token.clone()])] {
        let status = read(&client, all(), start).await.unwrap_err();
        assert_eq!(status.code(), Code::OutOfRange, "{status:?}");
    }
    configure(&client, None).await.unwrap();
    let status = read(&client, all(), None).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition);
}

/// Unlike Bigtable: the changes of HBase's protocol are not in a change stream, nor is what a rule
/// of a family calls garbage.
#[tokio::test]
async fn a_change_stream_has_the_changes_of_its_own_protocol() {
    let builder = MockCluster::builder().servers(1).bigtable_port(0);
    let mut hbase = Fixture::with(builder, &[("VERSIONS", "1")], &[]).await;
    let client = Client::connect(hbase.cluster.clone()).await;
    configure(&client, config(DAY)).await.unwrap();
    let begin = client.cluster.clock_ms();
    hbase.put("a", "q", 5, "from hbase").await;
    for at in [6_000, 7_000] {
        client.put(NAME, "b", &[("f", "q", at, "v")]).await;
    }
    let (rows, ..) = read(&client, partition("", ""), since(begin)).await.unwrap();
    assert_eq!(rows, ["b", "b"]);
}
