//! What a program, its table or its server got wrong: an error that says what to do.

use std::sync::atomic::Ordering;
use std::time::Duration;

use tallrow_mock::{Fault, MockCluster, StatusCode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket};
use tokio::time::Instant;

use super::scripted::{answering, cell, rows};
use super::{Fixture, connect, connect_to, name, quick};
use crate::request::op::{Append, Check, Delete, Get, Increment, Put, RowOperation};
use crate::wire::bigtable::{CellChunk, MutateRowsOutcome, MutateRowsResponse, RowStatus};
use crate::{Error, ErrorKind, FamilyDescriptor, Filter, RawTable, Scan, TableDescriptor};

#[track_caller]
fn assert_says(error: &Error, kind: ErrorKind, texts: &[&str]) {
    let text = error.to_string();
    assert_eq!(error.kind(), kind, "{text}");
    texts.iter().for_each(|part| assert!(text.contains(part), "no {part:?} in: {text}"));
}

#[tokio::test(start_paused = true)]
async fn an_instance_that_does_not_exist_is_named() {
    let builder = MockCluster::builder().in_memory().servers(1).bigtable_port(0);
    let cluster = builder.bigtable_instance("p", "another").start().await.unwrap();
    let backend = connect_to(&cluster, quick()).await.unwrap();
    let table = RawTable::new(backend.clone(), name("t"));
    let advice = ["projects/p/instances/i", "bigtable://PROJECT/INSTANCE"];
    let put = || Put::new("r").cell("f", "q", "v");
    let mut errors = vec![
        table.get("r").await.unwrap_err(),
        table.put(put()).await.unwrap_err(),
        table.increment(Increment::new("r").add("f", "q", 1)).await.unwrap_err(),
        table.scan(Scan::all()).unwrap().next_row().await.unwrap_err(),
    ];
    errors.extend(table.put_all([put(), put()]).await.into_iter().map(Result::unwrap_err));
    let descriptor = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("f"));
    errors.push(backend.create_table(&descriptor).await.unwrap_err());
    errors.push(backend.list_tables().await.unwrap_err());
    for error in errors {
        assert_says(&error, ErrorKind::InstanceNotFound, &advice);
        assert_eq!(error.attempts(), 1, "{error}");
    }
    cluster.inject(Fault::on("ReadRows").fail(
        StatusCode::NotFound,
        "App profile not found: projects/p/instances/another/appProfiles/batch",
    ));
    let error = table.get("r").await.unwrap_err();
    assert_says(&error, ErrorKind::InstanceNotFound, &["correct app_profile in the address"]);
}

#[tokio::test(start_paused = true)]
async fn a_family_that_is_missing_is_named() {
    let Fixture { table, cluster: _cluster } = Fixture::start().await;
    let put = || Put::new("r").cell("nope", "q", "v");
    let check = Check::new("r", "f", "q").if_not_exists();
    let operations: [RowOperation; 5] = [
        put().into(),
        Increment::new("r").add("nope", "q", 1).into(),
        Append::new("r").add("nope", "q", "v").into(),
        Delete::new("r").column("nope", "q").into(),
        check.then(put()).into(),
    ];
    for outcome in table.batch(operations).await {
        let error = outcome.unwrap_err();
        assert_says(&error, ErrorKind::NoSuchFamily, &["nope", "Admin::alter", "t/\"r\""]);
    }
    // A read names families by a filter, and finds none.
    table.put(Put::new("r").cell("f", "q", "v")).await.unwrap();
    assert_eq!(table.get(Get::new("r").family("nope")).await.unwrap(), None);
    assert!(table.scan(Scan::all().family("nope")).unwrap().next_row().await.unwrap().is_none());
}

#[tokio::test(start_paused = true)]
async fn what_is_too_large_is_refused() {
    let config = quick().max_cell_bytes(usize::MAX);
    let Fixture { table, cluster } = Fixture::of(MockCluster::builder(), config, &[]).await;
    let large = Put::new("r").cell("f", "q", vec![7; (100 << 20) + 1]);
    let error = table.put(large).await.unwrap_err();
    assert_says(&error, ErrorKind::InvalidArgument, &["104857601 bytes", "split it"]);
    let many = (0..100_001).fold(Put::new("r"), |put, n: u32| put.cell("f", n.to_be_bytes(), ""));
    let error = table.put(many.clone()).await.unwrap_err();
    assert_says(&error, ErrorKind::InvalidArgument, &["100001 changes", "divide them"]);
    let [outcome] = table.batch([many]).await.into_iter().collect::<Vec<_>>().try_into().unwrap();
    assert_says(&outcome.unwrap_err(), ErrorKind::InvalidArgument, &["100001 changes"]);
    let keys = (0..3_000u32).map(|n| Filter::column_prefix(n.to_string().repeat(3)));
    let filter = Filter::any(keys);
    for error in [
        table.get(Get::new("r").filter(filter.clone())).await.unwrap_err(),
        table.scan(Scan::all().filter(filter.clone())).unwrap().next_row().await.unwrap_err(),
    ] {
        assert_says(&error, ErrorKind::InvalidArgument, &["filter", "20480"]);
    }
    for error in [
        table.get([b'k'; 4_097]).await.unwrap_err(),
        table.put(Put::new([b'k'; 4_097]).cell("f", "q", "")).await.unwrap_err(),
    ] {
        assert_says(&error, ErrorKind::InvalidArgument, &["4097 bytes", "make it shorter"]);
    }
    for method in ["MutateRow", "MutateRows", "ReadRows"] {
        assert_eq!(cluster.call_count(method), 0, "{method}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_row_that_is_too_large_to_read_is_read_in_parts() {
    let Fixture { table, cluster: _cluster } = Fixture::start().await;
    let value = vec![7; 10_000_000];
    for n in 0..27 {
        table.put(Put::new("r").cell("f", n.to_string(), &value)).await.unwrap();
    }
    for error in [
        table.get("r").await.unwrap_err(),
        table.scan(Scan::all()).unwrap().next_row().await.unwrap_err(),
    ] {
        assert_says(&error, ErrorKind::DoNotRetry, &["\"r\"", "read less of the row"]);
        assert_eq!((error.exception(), error.attempts()), (Some("FAILED_PRECONDITION"), 1));
    }
    let row = table.get(Get::new("r").column("f", "26")).await.unwrap().unwrap();
    assert_eq!(row.value("f", "26").map(<[u8]>::len), Some(value.len()));
}

#[tokio::test(start_paused = true)]
async fn rows_that_are_not_as_bigtables_are_end_a_read() {
    let endless = CellChunk { value_size: i32::MAX, ..cell("a", false) };
    let reset = CellChunk { row_status: Some(RowStatus::ResetRow(true)), ..CellChunk::default() };
    let cases = [
        (vec![cell("b", true), cell("a", true)], "row \"a\" after row \"b\""),
        (vec![cell("a", true), cell("a", true)], "row \"a\" after row \"a\""),
        (vec![cell("a", false)], "the end of the stream within row \"a\""),
        (vec![cell("a", false), cell("b", true)], "row \"b\" before the end of row \"a\""),
        (vec![endless, cell("a", true)], "another cell before the end of one"),
        (vec![reset], "a reset between rows"),
        (vec![CellChunk { qualifier: None, ..cell("a", true) }], "without family or qualifier"),
        (vec![CellChunk { row_key: "".into(), ..cell("a", true) }], "without row key"),
    ];
    for (chunks, why) in cases {
        let (table, calls) = answering(&[rows(chunks)]).await;
        let mut errors = vec![table.get("a").await.unwrap_err()];
        let mut scan = table.scan(Scan::all()).unwrap();
        errors.push(loop {
            match scan.next_row().await {
                Ok(row) => assert!(row.is_some(), "{why}"),
                Err(error) => break error,
            }
        });
        let outcomes = table.get_all(["a", "b", "c"]).await;
        errors.extend(outcomes.into_iter().filter_map(Result::err));
        assert!(errors.len() > 2, "{why}");
        for error in errors {
            assert_says(&error, ErrorKind::Protocol, &[why, "report"]);
        }
        assert_eq!(calls.load(Ordering::Relaxed), 3, "none is asked again: {why}");
    }
    let (table, _calls) = answering(&[rows(vec![cell("b", true)])]).await;
    for outcome in table.get_all(["a", "c"]).await {
        // The row before it is not in the table, by what the server says.
        if let Err(error) = outcome {
            assert_says(&error, ErrorKind::Protocol, &["row \"b\", which was not asked for"]);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_time_that_is_no_millisecond_fails_its_row_only() {
    let odd = CellChunk { timestamp_micros: 1_001, ..cell("b", true) };
    let (table, _calls) = answering(&[rows(vec![cell("a", true), odd, cell("c", true)])]).await;
    let outcomes: Vec<_> = table.get_all(["c", "b", "a", "b"]).await.into_iter().collect();
    for (at, row) in [(0, "c"), (2, "a")] {
        assert_eq!(outcomes[at].as_ref().unwrap().as_ref().unwrap().key(), row.as_bytes());
    }
    for at in [1, 3] {
        let error = outcomes[at].as_ref().unwrap_err();
        let texts = ["get t/\"b\"", "1001 µs, which is no whole number"];
        assert_says(error, ErrorKind::Decode, &texts);
        assert_eq!((error.operation(), error.row()), ("get", Some(&b"b"[..])));
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_to_a_batch_that_is_not_its_own_acknowledges_nothing() {
    let outcome = |index| MutateRowsOutcome { index, status: None };
    let entries = [-1, 3, i64::MAX, 1, 1].map(outcome).to_vec();
    let answer = MutateRowsResponse { entries, rate_limit_info: None };
    let (table, calls) = answering(&[answer]).await;
    let puts = ["a", "b", "c"].map(|row| Put::new(row).cell("f", "q", "v"));
    let outcomes: Vec<_> = table.put_all(puts).await.into_iter().collect();
    assert!(outcomes[1].is_ok());
    for at in [0, 2] {
        let error = outcomes[at].as_ref().unwrap_err();
        assert_says(error, ErrorKind::OutcomeUnknown, &["may or may not"]);
    }
    assert_eq!(calls.load(Ordering::Relaxed), 1);
}

/// Over sockets: only they refuse, and end in more than one way.
#[tokio::test]
async fn an_endpoint_that_speaks_something_else_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let web = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut bytes = [0; 100];
            let _ = stream.read(&mut bytes).await;
            let answer = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n";
            let _ = stream.write_all(answer).await;
        }
    });
    let closing = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let closes = closing.local_addr().unwrap().to_string();
    tokio::spawn(async move { while closing.accept().await.is_ok() {} });
    let cluster = MockCluster::builder().servers(1).start().await.unwrap();
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    // It has a port, at which it does not listen.
    let nobody = TcpSocket::new_v4().unwrap();
    nobody.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let (long, short) = (Duration::from_secs(300), Duration::from_millis(50));
    let cases = [
        (web, "it does not speak gRPC", long),
        (closes, "it does not speak gRPC", long),
        (cluster.rpc_address().to_string(), "it does not speak gRPC", long),
        (silent.local_addr().unwrap().to_string(), "within", short),
        (nobody.local_addr().unwrap().to_string(), "refused", long),
    ];
    for (at, why, within) in cases {
        let config = quick().operation_timeout(long).connect_timeout(within);
        let begun = Instant::now();
        let error = connect(&at, config).await.map(drop).unwrap_err();
        let speaks = why == "it does not speak gRPC";
        let kind = if speaks { ErrorKind::Protocol } else { ErrorKind::Unreachable };
        assert_says(&error, kind, &["connect", &at, why, "is the emulator running there"]);
        // None of them is tried again until the deadline.
        assert!(begun.elapsed() < long / 2, "{error}");
    }
}
