//! Tests of queries: their types, plans that expire, streams that break, and deadlines.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use futures_util::future::join_all;
use tallrow_mock::{
    Fault, MockCluster, MockClusterBuilder, MockQuery, MockSqlType, MockSqlValue, StatusCode,
};
use tokio::time::{Instant, advance, timeout};

use super::{piped, quick};
use crate::query::{
    FromSqlRow, IntoSqlValue, PreparedQuery, SqlDate, SqlRow, SqlTimestamp, SqlType, SqlValue,
};
use crate::{Client, Config, Error, ErrorKind};

const NUMBERS: &str = "SELECT n FROM numbers";

async fn connected(builder: MockClusterBuilder, config: Config) -> (MockCluster, Client) {
    let cluster = builder.in_memory().servers(1).bigtable_port(0).start().await.unwrap();
    let config = piped(&cluster, config);
    let client = Client::connect_with(&cluster.bigtable_url().unwrap(), config).await.unwrap();
    (cluster, client)
}

async fn client() -> (MockCluster, Client) {
    connected(MockCluster::builder(), quick()).await
}

/// Rows with the numbers from 0.
fn numbers(count: i64) -> MockQuery {
    let query = MockQuery::new(NUMBERS).column("n", MockSqlType::Int64);
    (0..count).fold(query, |query, n| query.row([MockSqlValue::Int64(n)]))
}

async fn read_numbers(query: &PreparedQuery) -> Result<Vec<i64>, Error> {
    let mut rows = query.execute::<(i64,)>()?;
    let mut found = Vec::new();
    while let Some((n,)) = rows.next_row().await? {
        found.push(n);
    }
    assert_eq!(rows.next_row().await?, None, "the end is the end");
    Ok(found)
}

fn text(text: &str) -> MockSqlValue {
    MockSqlValue::String(text.into())
}

#[tokio::test(start_paused = true)]
async fn values_of_every_type_are_the_same_both_ways() {
    let (cluster, client) = client().await;
    let time = MockSqlValue::Timestamp { seconds: 5, nanos: 7_000 };
    let day = MockSqlValue::Date { year: 2024, month: 9, day: 1 };
    let all = [
        ("b", MockSqlType::Bytes, MockSqlValue::Bytes(b"\0".into())),
        ("s", MockSqlType::String, text("a")),
        ("i", MockSqlType::Int64, MockSqlValue::Int64(-1)),
        ("f", MockSqlType::Float32, MockSqlValue::Float64(0.5)),
        ("d", MockSqlType::Float64, MockSqlValue::Float64(0.1)),
        ("t", MockSqlType::Bool, MockSqlValue::Bool(true)),
        ("at", MockSqlType::Timestamp, time),
        ("day", MockSqlType::Date, day),
        (
            "l",
            MockSqlType::Array(MockSqlType::String.into()),
            MockSqlValue::Array(vec![text("a"), MockSqlValue::Null]),
        ),
        ("none", MockSqlType::Int64, MockSqlValue::Null),
    ];
    let mut query = MockQuery::new("all");
    for (name, of, value) in &all {
        query = query.parameter(*name, of.clone(), value.clone()).column(*name, of.clone());
    }
    cluster.answer_query(query.row(all.map(|(.., value)| value)));
    let types = [
        ("b", SqlType::Bytes),
        ("s", SqlType::String),
        ("i", SqlType::Int64),
        ("f", SqlType::Float32),
        ("d", SqlType::Float64),
        ("t", SqlType::Bool),
        ("at", SqlType::Timestamp),
        ("day", SqlType::Date),
        ("l", SqlType::array(SqlType::String)),
        ("none", SqlType::Int64),
    ];
    let query = client.prepare("all", types.clone()).await.unwrap();
    let columns: Vec<_> =
        query.columns().iter().map(|c| (c.name().to_owned(), c.sql_type().clone())).collect();
    assert_eq!(columns, types.map(|(name, of)| (name.to_owned(), of)));
    let (at, day) = (SqlTimestamp::new(5, 7_000).unwrap(), SqlDate::new(2024, 9, 1).unwrap());
    let bound = query.bind("b", b"\0").bind("s", "a").bind("i", -1).bind("f", 0.5_f32);
    let bound = bound.bind("d", 0.1).bind("t", true).bind("at", at).bind("day", day);
    let bound = bound.bind("l", [Some("a"), None]).bind("none", None::<i64>);
    type All = (
        Bytes,
        String,
        i32,
        f32,
        f64,
        bool,
        SqlTimestamp,
        SqlDate,
        Vec<Option<String>>,
        Option<i64>,
    );
    let row = bound.clone().execute::<All>().unwrap().next_row().await.unwrap().unwrap();
    let list = vec![Some("a".to_owned()), None];
    let expected = (Bytes::from_static(b"\0"), "a".into(), -1, 0.5, 0.1, true, at, day, list, None);
    assert_eq!(row, expected);
    let row = bound.execute::<SqlRow>().unwrap().next_row().await.unwrap().unwrap();
    assert_eq!(row.get::<f64>("f").unwrap(), 0.5);
    assert_eq!(row.value("none").unwrap(), &SqlValue::Null);
}

#[derive(crate::FromSqlRow, Debug, PartialEq)]
#[sql_row(crate = "crate")]
struct Visit {
    #[column("_key")]
    page: String,
    r#type: Option<i64>,
    cells: BTreeMap<String, Vec<Cell>>,
}

#[derive(crate::FromSqlRow, Debug, PartialEq)]
#[sql_row(crate = "crate")]
struct Cell {
    timestamp: SqlTimestamp,
    value: String,
}

#[tokio::test(start_paused = true)]
async fn structs_and_maps_are_read_as_structs_and_maps() {
    let (cluster, client) = client().await;
    let cell = MockSqlType::Struct(vec![
        ("timestamp".into(), MockSqlType::Timestamp),
        ("value".into(), MockSqlType::String),
    ]);
    let map = MockSqlType::Map(MockSqlType::String.into(), MockSqlType::Array(cell.into()).into());
    let cells = |value| {
        let time = MockSqlValue::Timestamp { seconds: 1, nanos: 0 };
        MockSqlValue::Array(vec![MockSqlValue::Array(vec![time, text(value)])])
    };
    let entry = |key: &str, value| MockSqlValue::Array(vec![text(key), cells(value)]);
    cluster.answer_query(
        MockQuery::new("history")
            .column("cells", map)
            .column("more", MockSqlType::Bool)
            .column("_key", MockSqlType::String)
            .column("type", MockSqlType::Int64)
            .row([
                MockSqlValue::Array(vec![entry("q", "v"), entry("q", "w")]),
                MockSqlValue::Null,
                text("/"),
                MockSqlValue::Null,
            ]),
    );
    let query = client.prepare("history", []).await.unwrap();
    let visits: Vec<Visit> = query.execute().unwrap().try_collect().await.unwrap();
    let cell = Cell { timestamp: SqlTimestamp::new(1, 0).unwrap(), value: "w".into() };
    let cells = BTreeMap::from([("q".to_owned(), vec![cell])]);
    assert_eq!(visits, [Visit { page: "/".into(), r#type: None, cells }]);
    let row = query.execute::<SqlRow>().unwrap().next_row().await.unwrap().unwrap();
    let error = row.get::<BTreeMap<String, i64>>("cells").unwrap_err();
    assert!(error.to_string().contains("entry 0: expected INT64, found ARRAY"), "{error}");
    let cells: BTreeMap<String, Vec<SqlRow>> = row.get("cells").unwrap();
    assert_eq!(cells["q"][0].get::<String>("value").unwrap(), "w");
}

#[tokio::test(start_paused = true)]
async fn what_a_row_does_not_have_is_named() {
    let (cluster, client) = client().await;
    cluster.answer_query(
        MockQuery::new("twice")
            .column("a", MockSqlType::Int64)
            .column("a", MockSqlType::String)
            .column("", MockSqlType::Bool)
            .row([MockSqlValue::Int64(300), MockSqlValue::Null, MockSqlValue::Bool(true)]),
    );
    let query = client.prepare("twice", []).await.unwrap();
    let mut rows = query.execute::<SqlRow>().unwrap();
    let row = rows.next_row().await.unwrap().unwrap();
    assert_eq!((row.get::<i16>(0).unwrap(), row.get::<bool>("").unwrap()), (300, true));
    let cases: [(Result<(), Error>, &str); 6] = [
        (row.get::<i64>("a").map(drop), "2 columns are called a; read them by their position"),
        (row.get::<i64>("b").map(drop), "there is no column b; there are: a, a, "),
        (row.get::<i64>(3).map(drop), "there is no column 3: there are 3, from 0"),
        (row.get::<String>(1).map(drop), "column a of type STRING: expected STRING, found NULL"),
        (row.get::<i64>(2).map(drop), "column 2 of type BOOL: expected INT64, found BOOL"),
        (<(i64,)>::from_sql_row(&row).map(drop), "a tuple of 1 value, and 3 columns"),
    ];
    for (result, expected) in cases {
        let error = result.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Decode);
        assert!(error.to_string().contains(expected), "no {expected:?} in {error}");
    }
    let error = query.execute::<Cell>().unwrap().next_row().await.unwrap_err();
    assert_eq!(error.operation(), "execute");
    assert!(error.to_string().contains("there is no column timestamp"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn wrong_parameters_are_not_sent() {
    let (cluster, client) = client().await;
    cluster.answer_query(
        MockQuery::new("q")
            .parameter("n", MockSqlType::Int64, MockSqlValue::Int64(1))
            .column("n", MockSqlType::Int64),
    );
    let with = |parameters: Vec<(&'static str, SqlType)>| client.prepare("q", parameters);
    let of = SqlType::Struct([].into());
    let error = with(vec![("n", of)]).await.unwrap_err();
    assert!(error.to_string().starts_with("prepare: parameter n has the type STRUCT<>"), "{error}");
    let nested = SqlType::array(SqlType::array(SqlType::Int64));
    assert_eq!(with(vec![("n", nested)]).await.unwrap_err().kind(), ErrorKind::InvalidArgument);
    let twice = with(vec![("n", SqlType::Int64), ("n", SqlType::Int64)]).await.unwrap_err();
    assert!(twice.to_string().contains("parameter n is declared twice"), "{twice}");
    assert_eq!(cluster.call_count("PrepareQuery"), 0);

    let query = with(vec![("n", SqlType::Int64)]).await.unwrap();
    let errors = [
        (query.execute::<SqlRow>(), "parameter n of type INT64 has no value; set it by `bind`"),
        (query.bind("m", 1).execute(), "the query was prepared without a parameter m"),
        (
            query.bind("n", "1").execute(),
            "parameter n has the type INT64, and the value is of STRING",
        ),
        (query.bind("n", [1]).bind("n", 1).execute(), "the value is of ARRAY"),
    ];
    for (result, expected) in errors {
        let error = result.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.to_string().contains(expected), "no {expected:?} in {error}");
    }
    assert_eq!(query.bind("n", 1).execute::<(i64,)>().unwrap().next_row().await.unwrap(), None);
    // The mock has no answer for this value.
    let error = query.bind("n", 2).execute::<SqlRow>().unwrap().next_row().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    assert!(error.to_string().contains("MockCluster::answer_query"), "{error}");
    let error = client.prepare("another", []).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::Unsupported, "prepare"));
    let error = client.prepare("q", []).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.exception()),
        (ErrorKind::DoNotRetry, Some("INVALID_ARGUMENT"))
    );
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_breaks_is_resumed_by_its_token() {
    for seed in 0..8 {
        let builder = MockCluster::builder().seed(seed).torn_rows();
        let (cluster, client) = connected(builder, quick()).await;
        cluster.answer_query(numbers(60));
        let query = client.prepare(NUMBERS, []).await.unwrap();
        let expected: Vec<i64> = (0..60).collect();
        assert_eq!(read_numbers(&query).await.unwrap(), expected);
        for fault in [
            Fault::on("ExecuteQuery").times(9).fail_midway(StatusCode::Unavailable, "half"),
            Fault::on("ExecuteQuery").times(9).reset_stream(),
            Fault::on("ExecuteQuery").times(3).truncate_reply(),
            Fault::on("ExecuteQuery").times(3).close_before(),
            Fault::on("ExecuteQuery").times(3).fail(StatusCode::Unavailable, "later"),
        ] {
            let before = cluster.call_count("ExecuteQuery");
            cluster.inject(fault.clone());
            assert_eq!(read_numbers(&query).await.unwrap(), expected, "{seed}: {fault:?}");
            assert!(cluster.call_count("ExecuteQuery") > before, "{fault:?}");
            cluster.clear_faults();
        }
        assert_eq!(cluster.call_count("PrepareQuery"), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn rows_before_an_error_are_returned() {
    let (cluster, client) = client().await;
    cluster.answer_query(numbers(150));
    let query = client.prepare(NUMBERS, []).await.unwrap();
    let denied = Fault::on("ExecuteQuery").nth(1).fail_midway(StatusCode::PermissionDenied, "no");
    cluster.inject(denied);
    let mut rows = query.execute::<(i64,)>().unwrap();
    for n in 0..100 {
        assert_eq!(rows.next_row().await.unwrap(), Some((n,)));
    }
    let error = rows.next_row().await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::PermissionDenied, "execute"));
    assert_eq!(rows.next_row().await.unwrap(), None);
}

#[tokio::test(start_paused = true)]
async fn a_plan_that_has_expired_is_refreshed_once() {
    let (cluster, client) = client().await;
    cluster.answer_query(numbers(3));
    let query = client.prepare(NUMBERS, []).await.unwrap();
    let begun = query.execute::<SqlRow>().unwrap();
    // The table has another column now.
    cluster.answer_query(
        MockQuery::new(NUMBERS)
            .column("n", MockSqlType::Int64)
            .column("name", MockSqlType::String)
            .row([MockSqlValue::Int64(7), text("seven")]),
    );
    cluster.expire_queries();
    let reads = (0..20).map(|_| async {
        let mut rows = query.execute::<(i64, String)>().unwrap();
        assert_eq!(rows.columns().len(), 1);
        let row = rows.next_row().await.unwrap();
        assert_eq!((row, rows.columns().len()), (Some((7, "seven".to_owned())), 2));
    });
    join_all(reads).await;
    assert_eq!(cluster.call_count("PrepareQuery"), 2);
    assert_eq!(query.columns().len(), 2);
    // It had not read anything when the plan expired.
    let rows: Vec<SqlRow> = begun.try_collect().await.unwrap();
    assert_eq!(rows[0].get::<String>("name").unwrap(), "seven");
    assert_eq!(cluster.call_count("PrepareQuery"), 2);
}

#[tokio::test(start_paused = true)]
async fn a_plan_is_refreshed_before_the_service_refuses_it() {
    // Its clock is 1,000 s slow, so that its plans seem to expire after 2,600 s.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    let builder = MockCluster::builder().clock_start_ms(u64::try_from(now).unwrap() - 1_000_000);
    let (cluster, client) = connected(builder, quick()).await;
    cluster.answer_query(numbers(3));
    let query = client.prepare(NUMBERS, []).await.unwrap();
    advance(Duration::from_secs(2_000)).await;
    assert_eq!(read_numbers(&query).await.unwrap(), [0, 1, 2]);
    assert_eq!(cluster.call_count("PrepareQuery"), 1);
    advance(Duration::from_secs(1_000)).await;
    assert_eq!(read_numbers(&query).await.unwrap(), [0, 1, 2]);
    assert_eq!((cluster.call_count("PrepareQuery"), cluster.call_count("ExecuteQuery")), (2, 2));
}

#[tokio::test(start_paused = true)]
async fn a_refresh_is_tried_again_unless_the_query_is_wrong() {
    let (cluster, client) = client().await;
    cluster.answer_query(numbers(1));
    let query = client.prepare(NUMBERS, []).await.unwrap();
    for (code, times) in [(StatusCode::Unavailable, 3), (StatusCode::Internal, 2)] {
        cluster.expire_queries();
        let before = cluster.call_count("PrepareQuery");
        cluster.inject(Fault::on("PrepareQuery").times(times).fail(code, "not now"));
        assert_eq!(read_numbers(&query).await.unwrap(), [0]);
        assert_eq!(cluster.call_count("PrepareQuery") - before, times + 1);
        cluster.clear_faults();
    }
    cluster.expire_queries();
    cluster.inject(Fault::on("PrepareQuery").fail(StatusCode::InvalidArgument, "no such column"));
    let error = read_numbers(&query).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::DoNotRetry, "execute"));
    assert!(error.to_string().contains("no such column"), "{error}");
    // The expired plan, and the refresh that failed.
    assert_eq!(error.attempts(), 2);
    let error = client.prepare(NUMBERS, []).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::DoNotRetry, "prepare"));
}

#[tokio::test(start_paused = true)]
async fn nothing_waits_longer_than_its_deadline() {
    let limit = Duration::from_secs(3);
    let config = quick().operation_timeout(limit).page_timeout(limit);
    let (cluster, client) = connected(MockCluster::builder(), config).await;
    cluster.answer_query(numbers(1));
    let query = client.prepare(NUMBERS, []).await.unwrap();
    for fault in [
        Fault::on("ExecuteQuery").drop_reply(),
        Fault::on("ExecuteQuery").fail(StatusCode::Unavailable, "later"),
        Fault::on("PrepareQuery").drop_reply(),
        Fault::on("PrepareQuery").fail(StatusCode::Internal, "later"),
    ] {
        cluster.inject(fault.clone());
        cluster.expire_queries();
        let begun = Instant::now();
        let error = read_numbers(&query).await.unwrap_err();
        assert_eq!(error.operation(), "execute");
        assert!(error.server().is_some(), "{error}");
        let took = begun.elapsed();
        assert!(took <= limit + Duration::from_secs(1), "{fault:?}: {took:?}");
        cluster.clear_faults();
    }
    cluster.inject(Fault::on("PrepareQuery").drop_reply());
    let begun = Instant::now();
    let error = client.prepare(NUMBERS, []).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
    assert!(begun.elapsed() <= limit + Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn a_dropped_future_loses_no_row() {
    let builder = MockCluster::builder().seed(3).torn_rows();
    let (cluster, client) = connected(builder, quick()).await;
    cluster.answer_query(numbers(40));
    cluster.inject(Fault::on("ExecuteQuery").pause_handler(Duration::from_millis(50)));
    let query = client.prepare(NUMBERS, []).await.unwrap();
    let mut rows = query.execute::<(i64,)>().unwrap();
    let (mut found, mut dropped) = (Vec::new(), 0);
    loop {
        match timeout(Duration::from_millis(10), rows.next_row()).await {
            Ok(Ok(Some((n,)))) => found.push(n),
            Ok(Ok(None)) => break,
            Ok(Err(error)) => panic!("{error}"),
            Err(_) => dropped += 1,
        }
    }
    assert_eq!(found, (0..40).collect::<Vec<i64>>());
    assert!(dropped > 0);
}

#[tokio::test(start_paused = true)]
async fn a_closed_client_executes_nothing() {
    let (cluster, client) = client().await;
    cluster.answer_query(numbers(1));
    let query = client.prepare(NUMBERS, []).await.unwrap();
    client.close(Duration::from_secs(1)).await.unwrap();
    assert_eq!(read_numbers(&query).await.unwrap_err().kind(), ErrorKind::Closed);
    assert_eq!(client.prepare(NUMBERS, []).await.unwrap_err().kind(), ErrorKind::Closed);
    assert_eq!(cluster.call_count("ExecuteQuery"), 0);
}

#[cfg(feature = "metrics")]
#[tokio::test(start_paused = true)]
async fn an_observer_sees_the_refresh_as_an_attempt() {
    let (cluster, client) = client().await;
    cluster.answer_query(numbers(1));
    let query = client.prepare(NUMBERS, []).await.unwrap();
    cluster.expire_queries();
    read_numbers(&query).await.unwrap();
    let metrics = client.metrics();
    let done = |name| metrics.operation(name, "").unwrap().done.count();
    // The row, and the end of the results.
    assert_eq!((done("prepare"), done("execute")), (1, 2));
    assert_eq!(metrics.retries.get("FAILED_PRECONDITION"), Some(&1));
    assert_eq!(metrics.in_flight(), 0);
}

#[test]
fn a_value_is_what_it_was() {
    let all = ["a".into_sql_value(), 1.into_sql_value(), None::<bool>.into_sql_value()];
    let array = SqlValue::Array(all.to_vec());
    assert_eq!(array.clone().into_sql_value(), array);
}
