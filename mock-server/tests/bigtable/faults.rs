//! Faults: lost requests and replies, delays, statuses, broken streams and connections, rows torn
//! and out of order.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::mpsc;
use std::task::Poll;
use std::time::Duration as Span;

use prost::Message;
use tallrow_mock::{Change as ClusterChange, Fault, MockCluster, StatusCode};
use tallrow_wire::bigtable::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;
use tonic::{Code, Status};

use crate::client::{Client, bytes, create, set};

/// Far longer than anything takes on a busy machine.
const LONG: Span = Span::from_secs(120);

async fn client() -> (Client, String) {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &[]).await;
    for row in ["a", "b", "c", "d"] {
        client.put(&table, row, &[("f", "p", 0, row), ("f", "q", 0, row)]).await;
    }
    (client, table)
}

async fn read(client: &Client, table: &str) -> (Vec<ReadRowsResponse>, Result<(), Status>) {
    let request = ReadRowsRequest { table_name: table.into(), ..Default::default() };
    client.stream(method::READ_ROWS, request).await
}

/// Makes a call that the server receives and does not answer, and gives it up.
async fn give_up(client: &Client, table: &str, row: &str) {
    let before = client.cluster.call_count("MutateRow");
    let mut call = pin!(client.mutate(table, row, value()));
    while client.cluster.call_count("MutateRow") == before {
        assert!(is_open(&mut call).await);
    }
    // An answer would come before that of a later call.
    client.all(table).await;
    assert!(is_open(&mut call).await);
}

/// Lets others run and polls a call.
async fn is_open(call: &mut (impl Future<Output = Result<(), Status>> + Unpin)) -> bool {
    tokio::task::yield_now().await;
    poll_fn(|cx| Poll::Ready(Pin::new(&mut *call).poll(cx).is_pending())).await
}

/// Stops the time of a test until the result is dropped: it does not pass while bytes are on their
/// way either.
fn stopped() -> mpsc::Sender<()> {
    let (guard, dropped) = mpsc::channel();
    // Paused time does not jump to the next deadline while blocking work goes on.
    tokio::task::spawn_blocking(move || dropped.recv());
    guard
}

fn value() -> Vec<Mutation> {
    vec![set("f", "q", 0, "v")]
}

#[tokio::test]
async fn a_lost_reply_was_applied_and_a_lost_request_was_not() {
    let (client, table) = client().await;
    client.cluster.inject(Fault::on("MutateRow").table("other").drop_reply());
    client.cluster.inject(Fault::on("MutateRow").table("t").nth(1).drop_reply());
    client.cluster.inject(Fault::on("MutateRow").nth(2).drop_request());
    for row in ["x", "y"] {
        give_up(&client, &table, row).await;
    }
    client.mutate(&table, "z", value()).await.unwrap();
    let rows = client.all(&table).await;
    assert_eq!(rows[8..], ["x/f:q@0=v", "z/f:q@0=v"]);
    assert_eq!(client.cluster.unfired_faults().len(), 1);
    assert_eq!(client.cluster.call_count("MutateRow"), 7);
}

#[tokio::test]
async fn a_call_fails_with_the_status_that_was_chosen() {
    let (client, table) = client().await;
    let code = StatusCode::Unavailable;
    let busy = Fault::on("MutateRow").nth(1).fail_with_retry_info(
        code,
        "bus\u{fc} 100 %",
        Span::from_millis(2500),
    );
    client.cluster.inject(busy);
    let cookie = ("x-goog-cbt-cookie-a", "1");
    client
        .cluster
        .inject(Fault::on("MutateRow").nth(2).fail_with_cookie(code, "moved", cookie.0, cookie.1));
    client
        .cluster
        .inject(Fault::on("MutateRow").nth(3).fail_after(StatusCode::Internal, "applied"));
    let busy = client.mutate(&table, "x", value()).await.unwrap_err();
    assert_eq!((busy.code(), busy.message()), (Code::Unavailable, "bus\u{fc} 100 %"));
    let details = tallrow_wire::bigtable::Status::decode(busy.details()).unwrap();
    assert_eq!(details.details[0].type_url, RetryInfo::TYPE_URL);
    let delay = RetryInfo::decode(&details.details[0].value[..]).unwrap().retry_delay.unwrap();
    assert_eq!(delay, Duration { seconds: 2, nanos: 500_000_000 });
    let moved = client.mutate(&table, "x", value()).await.unwrap_err();
    assert_eq!(moved.metadata().get(cookie.0).unwrap(), cookie.1);
    assert_eq!(client.all(&table).await.len(), 8);
    let applied = client.mutate(&table, "x", value()).await.unwrap_err();
    assert_eq!(applied.code(), Code::Internal);
    assert_eq!(client.all(&table).await.len(), 9);
}

#[tokio::test]
async fn a_stream_fails_or_is_reset_or_cut_halfway() {
    let (client, table) = client().await;
    let faults = [
        (Fault::on("ReadRows").nth(1).fail_midway(StatusCode::Aborted, "half"), Code::Aborted),
        // tonic's code for a stream that is reset.
        (Fault::on("ReadRows").nth(1).reset_stream(), Code::Unknown),
    ];
    for (fault, code) in faults {
        client.cluster.inject(fault);
        let (answers, end) = read(&client, &table).await;
        let status = end.unwrap_err();
        assert_eq!(status.code(), code, "{status}");
        assert_eq!(crate::rows::cells(&answers).len(), 4);
        client.cluster.clear_faults();
    }
    client.cluster.inject(Fault::on("ReadRows").nth(1).truncate_reply());
    let (answers, end) = read(&client, &table).await;
    assert!(end.is_err() && answers.is_empty(), "{answers:?}");
    // The channel connects again.
    assert_eq!(client.all(&table).await.len(), 8);
}

#[tokio::test]
async fn a_broken_server_tears_rows_changes_their_order_and_forgets_entries() {
    let (client, table) = client().await;
    client.cluster.inject(Fault::on("ReadRows").nth(1).torn_row());
    client.cluster.inject(Fault::on("ReadRows").nth(2).rows_out_of_order());
    client.cluster.inject(Fault::on("MutateRows").nth(1).missing_entry());
    let (torn, end) = read(&client, &table).await;
    end.unwrap();
    assert_eq!(torn.last().unwrap().chunks.last().unwrap().row_status, None);
    let (swapped, end) = read(&client, &table).await;
    end.unwrap();
    let cells = crate::rows::cells(&swapped);
    assert_eq!((&*cells[0], &*cells[7]), ("d/f:p@0=d", "a/f:q@0=a"));
    let entry =
        |row: &str| MutateRowsEntry { row_key: bytes(row), mutations: value(), idempotency: None };
    let (answers, end) = client.mutate_rows(&table, vec![entry("x"), entry("y")]).await;
    end.unwrap();
    assert_eq!(answers.iter().map(|a| a.entries.len()).sum::<usize>(), 1);
    assert_eq!(client.all(&table).await.len(), 10);
}

#[tokio::test(start_paused = true)]
async fn calls_wait_and_connections_close() {
    let (client, table) = client().await;
    let hour = Span::from_secs(3600);
    let stopped = stopped();
    client.cluster.inject(Fault::on("MutateRow").nth(1).delay_in_queue(hour));
    // The client gives up, so the call is not applied.
    give_up(&client, &table, "x").await;
    assert_eq!(client.all(&table).await.len(), 8);
    tokio::time::advance(hour * 2).await;
    assert_eq!(client.all(&table).await.len(), 8);
    client.cluster.clear_faults();
    client.cluster.inject(Fault::on("MutateRow").nth(1).pause_handler(hour));
    give_up(&client, &table, "x").await;
    assert_eq!(client.all(&table).await.len(), 8);
    tokio::time::advance(hour * 2).await;
    assert_eq!(client.all(&table).await.len(), 9);
    drop(stopped);
    client.cluster.clear_faults();
    client.cluster.inject(Fault::on("MutateRow").nth(1).close_before());
    client.cluster.inject(Fault::on("MutateRow").nth(2).close_after());
    for _ in 0..2 {
        client.mutate(&table, "y", value()).await.unwrap_err();
    }
    assert_eq!(client.all(&table).await.len(), 10);
    assert_eq!(client.cluster.unfired_faults(), []);
    client.cluster.clear_faults();
    client.cluster.inject(Fault::on("ReadRows").trickle(Span::from_micros(10)));
    assert_eq!(client.all(&table).await.len(), 10);
    client.cluster.clear_faults();
    client.cluster.inject(Fault::on("ReadRows").garbage(&b"HTTP/1.1 400 Bad Request"[..]));
    read(&client, &table).await.1.unwrap_err();
    client.cluster.clear_faults();
    client.cluster.inject(Fault::on("ReadRows").throw("java.io.IOException", "odd"));
    assert_eq!(read(&client, &table).await.1.unwrap_err().code(), Code::Unavailable);
}

#[tokio::test]
async fn a_fault_of_bigtable_is_not_one_of_hbase() {
    let (client, _) = client().await;
    client.cluster.inject(Fault::on("CreateTable").master().drop_request());
    client.table("u", &[], &[]).await;
    client.cluster.inject(Fault::on("CreateTable").bigtable().fail(StatusCode::Aborted, "no"));
    let request = create("v", [].into());
    let status = client.call(method::CREATE_TABLE, request).await.unwrap_err();
    assert_eq!(status.code(), Code::Aborted);
    assert_eq!(client.cluster.unfired_faults().len(), 1);
}

#[tokio::test]
async fn faults_of_connections_are_those_of_hbase() {
    let (client, table) = client().await;
    let at = client.cluster.bigtable_address().unwrap();
    client.cluster.inject(Fault::on_connect().bigtable().nth(1).close());
    client.cluster.inject(Fault::on_connect().bigtable().nth(2).garbage(&b"hello"[..]));
    let mut closed = tokio::net::TcpStream::connect(at).await.unwrap();
    assert_eq!(closed.read_to_end(&mut Vec::new()).await.unwrap_or(0), 0);
    let mut garbage = tokio::net::TcpStream::connect(at).await.unwrap();
    garbage.write_all(b"PRI * HTTP/2.0").await.unwrap();
    let mut bytes = [0; 5];
    garbage.read_exact(&mut bytes).await.unwrap();
    assert_eq!(&bytes, b"hello");
    client.cluster.clear_faults();
    client.cluster.inject(Fault::on_connect().bigtable().trickle(Span::from_micros(10)));
    let slow = Client::connect(client.cluster.clone()).await;
    assert_eq!(slow.all(&table).await.len(), 8);
}

#[tokio::test]
async fn rows_are_torn_by_the_seed_and_are_the_same_rows() {
    let shapes = async |seed: u64| {
        let builder = MockCluster::builder().seed(seed).torn_rows();
        let client = Client::of(builder).await;
        let table = client.table("t", &["f", "g"], &[]).await;
        for row in 0..50 {
            let value = "v".repeat(row);
            let cells = [("f", "p", 2000, &*value), ("f", "p", 1000, ""), ("g", "", 0, "w")];
            client.put(&table, &format!("{row:02}"), &cells).await;
        }
        let (answers, end) = read(&client, &table).await;
        end.unwrap();
        let cells = crate::rows::cells(&answers);
        assert_eq!(cells.len(), 150);
        assert_eq!(cells[3 * 49], format!("49/f:p@2000={}", "v".repeat(49)));
        answers
    };
    let (one, same, other) = (shapes(1).await, shapes(1).await, shapes(2).await);
    assert_eq!(one, same);
    assert_ne!(one, other);
    assert!(one.len() > 50, "{} messages", one.len());
    let chunks = || one.iter().flat_map(|a| &a.chunks);
    assert!(chunks().any(|c| c.row_status == Some(RowStatus::ResetRow(true))));
    assert!(chunks().any(|c| c.value_size > 0));
}

#[tokio::test]
async fn bytes_that_are_no_http_2_end_one_connection_only() {
    let (client, table) = client().await;
    let at = client.cluster.bigtable_address().unwrap();
    for bytes in [
        &b"GET / HTTP/1.1\r\n\r\n"[..],
        b"\0\0\0",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xff\xff\xff\xff\xff\xff",
    ] {
        let mut stream = tokio::net::TcpStream::connect(at).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        stream.shutdown().await.unwrap();
        let _ = timeout(LONG, stream.read_to_end(&mut Vec::new())).await.unwrap();
    }
    assert_eq!(client.all(&table).await.len(), 8);
}

#[tokio::test]
async fn the_transcript_shows_calls_and_the_changes_before_them() {
    let (client, table) = client().await;
    client.cluster.record_transcript();
    let unavailable = StatusCode::Unavailable;
    client.cluster.inject(Fault::on("MutateRow").nth(2).fail_after(unavailable, "busy"));
    client.cluster.inject(Fault::on("ReadRows").nth(1).change(ClusterChange::StartServer));
    client.mutate(&table, "e", value()).await.unwrap();
    client.mutate(&table, "e", value()).await.unwrap_err();
    client.mutate(&format!("{table}x"), "e", value()).await.unwrap_err();
    assert_eq!(client.all(&table).await.len(), 9);
    assert_eq!(client.cluster.live_servers(), [0, 1, 2]);
    assert_eq!(
        client.cluster.transcript(),
        "1 bigtable: MutateRow of t: answered\n\
         2 bigtable: MutateRow of t: fault fail_after\n\
         3 bigtable: MutateRow of tx: failed with NOT_FOUND\n\
         4 change: start a region server\n\
         5 bigtable: ReadRows of t: answered\n"
    );
}
