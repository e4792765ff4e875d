//! How many connections there are to the service, which allows a hundred calls at a time on each,
//! and that calls that last leave room for others.

use std::collections::HashSet;
use std::future::ready;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use prost::Message;
use tallrow_mock::MockCluster;
use tokio::io::{AsyncRead, DuplexStream, ReadBuf, ReadHalf, join, split};
use tokio::time::{Instant, sleep, timeout};

use super::scripted::{End, Ends, Scripted, cell, rows, server_with_ends};
use super::{name, quick, thorough};
use crate::changes::{ChangePartition, ChangePosition, ChangeRecord, ChangeStream};
use crate::wire::bigtable::ReadRowsRequest;
use crate::{Client, Connector, ErrorKind, FamilyDescriptor, Put, RawTable, Scan, TableDescriptor};

/// When the clocks of the mocks begin.
const BEGIN: Duration = Duration::from_secs(1_700_000_000);

/// The connections that a client always has: four for rows, and one for tables.
const ALWAYS: usize = 5;

fn begin() -> SystemTime {
    UNIX_EPOCH + BEGIN
}

/// What a connector has opened.
#[derive(Clone, Default)]
struct Connections {
    opened: Arc<AtomicUsize>,
    open: Arc<AtomicUsize>,
    /// The bytes that the client has received.
    received: Arc<AtomicUsize>,
    refuses: Arc<AtomicBool>,
}

impl Connections {
    fn connector(&self, cluster: &MockCluster) -> Connector {
        let (connections, cluster) = (self.clone(), cluster.clone());
        Connector::new(move |host, port| {
            connections.opened.fetch_add(1, Ordering::Relaxed);
            if connections.refuses.load(Ordering::Relaxed) {
                return ready(Err(io::Error::from(io::ErrorKind::ConnectionRefused)));
            }
            ready(cluster.dial(&host, port).map(|stream| {
                connections.open.fetch_add(1, Ordering::Relaxed);
                let (stream, writes) = split(stream);
                join(Counted { stream, connections: connections.clone() }, writes)
            }))
        })
    }

    fn open(&self) -> usize {
        self.open.load(Ordering::Relaxed)
    }
}

/// What a client reads of a connection, which is counted.
struct Counted {
    stream: ReadHalf<DuplexStream>,
    connections: Connections,
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.connections.open.fetch_sub(1, Ordering::Relaxed);
    }
}

impl AsyncRead for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        self.connections.received.fetch_add(buffer.filled().len() - before, Ordering::Relaxed);
        read
    }
}

/// The key at which the nth partition begins.
fn key(nth: usize) -> String {
    format!("{nth:05}")
}

/// A table with a change stream of this number of partitions, and the connections of its client.
async fn table_of(partitions: usize) -> (MockCluster, RawTable, Connections) {
    let builder = MockCluster::builder().in_memory().servers(1).bigtable_port(0);
    let millis = u64::try_from(BEGIN.as_millis()).unwrap();
    let cluster = builder.clock_start_ms(millis).start().await.unwrap();
    let connections = Connections::default();
    let config = quick().connector(connections.connector(&cluster));
    let client = Client::connect_with(&cluster.bigtable_url().unwrap(), config).await.unwrap();
    let splits: Vec<_> = (1..partitions).map(key).collect();
    let table = TableDescriptor::new("t").unwrap().splits(splits);
    let table = table.family(FamilyDescriptor::new("f"));
    let table = table.change_stream_retention(Duration::from_secs(86_400));
    client.admin().create_table(&table).await.unwrap();
    (cluster, client.raw_table("t").unwrap(), connections)
}

/// Reads until this number of partitions have sent a heartbeat. Returns the rows that were changed.
async fn read_all(changes: &mut ChangeStream, partitions: usize) -> HashSet<String> {
    let mut silent: HashSet<ChangePartition> = HashSet::new();
    let mut rows = HashSet::new();
    while silent.len() < partitions {
        match changes.next_record().await.unwrap().unwrap() {
            ChangeRecord::Heartbeat { partition, .. } => drop(silent.insert(partition)),
            ChangeRecord::Change(change) => {
                let row = String::from_utf8(change.row.to_vec()).unwrap();
                assert!(rows.insert(row), "a change is returned once");
            }
            ChangeRecord::PartitionClosed { partition, .. } => drop(silent.remove(&partition)),
        }
    }
    rows
}

/// Waits until no more than `most` connections are open.
async fn until_closed(connections: &Connections, most: usize) {
    let closed = async {
        while connections.open() > most {
            sleep(Duration::from_millis(1)).await;
        }
    };
    let closed = timeout(Duration::from_secs(60), closed).await;
    closed.unwrap_or_else(|_| panic!("{} connections are open", connections.open()));
}

/// Each partition is a call that lasts. Before the number of connections grew with them, the calls
/// of all partitions but the first 400 waited for ever, and so did all other calls.
#[tokio::test(start_paused = true)]
async fn thousands_of_partitions_are_read_side_by_side() {
    let partitions = if thorough() { 6_000 } else { 2_000 };
    let (mock, table, connections) = table_of(partitions).await;
    let written: HashSet<_> = (0..partitions).step_by(100).map(key).collect();
    for row in &written {
        table.put(Put::new(row.as_str()).cell("f", "q", "v")).await.unwrap();
    }
    let mut changes = table.changes().since(begin()).open().unwrap();
    assert_eq!(read_all(&mut changes, partitions).await, written);
    assert_eq!(mock.call_count("ReadChangeStream"), partitions as u64, "none is tried again");
    let open = connections.open();
    let most = partitions / 100 + ALWAYS;
    assert!((partitions / 100..=most).contains(&open), "{open} connections");

    // Other calls, and other streams, find room at once.
    let began = Instant::now();
    let gets = (0..300).map(|nth| {
        let (table, row) = (table.clone(), key(nth * 7));
        tokio::spawn(async move { table.get(row.as_str()).await.unwrap() })
    });
    for get in gets.collect::<Vec<_>>() {
        get.await.unwrap();
    }
    let found: Vec<Vec<u8>> = {
        let rows = table.scan(Scan::all()).unwrap().try_collect::<Vec<_>>().await.unwrap();
        rows.iter().map(|row| row.key().to_vec()).collect()
    };
    assert_eq!(found.len(), written.len());
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());

    // What follows is read on the same connections.
    for row in (0..partitions).step_by(500).map(key) {
        mock.split_region("t", format!("{row}m").as_bytes()).unwrap();
        table.put(Put::new(format!("{row}x")).cell("f", "q", "v")).await.unwrap();
    }
    let after = read_all(&mut changes, partitions + partitions.div_ceil(500)).await;
    assert_eq!(after.len(), partitions.div_ceil(500));
    assert!(connections.open() <= open + 1, "{} connections", connections.open());

    // The connections go back, and come again.
    let position = ChangePosition::from_bytes(&changes.position().to_bytes()).unwrap();
    table.put(Put::new("00000").cell("f", "q", "late")).await.unwrap();
    drop(changes);
    until_closed(&connections, ALWAYS).await;
    let mut changes = table.changes().resume(&position).open().unwrap();
    let all = partitions + partitions.div_ceil(500);
    assert_eq!(read_all(&mut changes, all).await, HashSet::from(["00000".to_owned()]));
    drop(changes);
    until_closed(&connections, ALWAYS).await;
    assert!(table.get("00000").await.unwrap().is_some());
}

#[tokio::test(start_paused = true)]
async fn a_service_that_takes_no_more_connections_is_not_dialed_often() {
    let (_mock, table, connections) = table_of(700).await;
    table.put(Put::new("a").cell("f", "q", "v")).await.unwrap();
    connections.refuses.store(true, Ordering::Relaxed);
    let mut changes = table.changes().since(begin()).open().unwrap();
    let (began, dialed) = (Instant::now(), connections.opened.load(Ordering::Relaxed));
    let error = loop {
        if let Err(error) = changes.next_record().await {
            break error;
        }
    };
    assert_eq!(error.kind(), ErrorKind::Unreachable, "{error}");
    assert!(error.to_string().contains("refused"), "{error}");
    let (elapsed, dials) = (began.elapsed(), connections.opened.load(Ordering::Relaxed) - dialed);
    assert!(elapsed >= Duration::from_secs(10), "{elapsed:?}");
    // Every 50 ms, and the missing connections of the pool ever more rarely.
    let most = elapsed.as_millis() / 50 + 100;
    assert!((dials as u128) < most, "{dials} dials within {elapsed:?}");
    // The stream has ended, and its position remains.
    assert_eq!(changes.next_record().await.unwrap(), None);
    connections.refuses.store(false, Ordering::Relaxed);
    let position = changes.position();
    let mut changes = table.changes().resume(&position).open().unwrap();
    read_all(&mut changes, 700).await;
}

/// A program that stops to read must not fill the memory with what thousands of partitions have.
#[tokio::test(start_paused = true)]
async fn a_reader_that_stands_still_holds_back_what_it_has_not_read() {
    const PARTITIONS: usize = 300;
    const CHANGES: usize = 5;
    const BYTES: usize = 30_000;
    let (_mock, table, connections) = table_of(PARTITIONS).await;
    let value = bytes::Bytes::from(vec![b'v'; BYTES]);
    for nth in 0..PARTITIONS * CHANGES {
        let row = format!("{}-{nth}", key(nth % PARTITIONS));
        table.put(Put::new(row).cell("f", "q", value.clone())).await.unwrap();
    }
    let before = connections.received.load(Ordering::Relaxed);
    let mut changes = table.changes().since(begin()).open().unwrap();
    let first = changes.next_record().await.unwrap().unwrap().into_change();
    let mut rows = HashSet::from([first.unwrap().row]);
    sleep(Duration::from_secs(3)).await;
    let received = connections.received.load(Ordering::Relaxed) - before;
    // Of 200 partitions, all has come, because their connections have large windows.
    let most = 200 * CHANGES * BYTES + 100 * (64 << 10) + 2_000_000;
    assert!((1_000_000..most).contains(&received), "{received} bytes");
    while rows.len() < PARTITIONS * CHANGES {
        if let Some(change) = changes.next_record().await.unwrap().unwrap().into_change() {
            rows.insert(change.row);
        }
    }
}

/// A server whose scans return a row, and then stand still.
async fn with_scans_that_stand_still(ends: &Ends) -> RawTable {
    let backend = server_with_ends(
        |message| {
            let request = ReadRowsRequest::decode(message).unwrap_or_default();
            match request.rows.is_some_and(|rows| !rows.row_ranges.is_empty()) {
                true => Scripted::of(&[rows(vec![cell("a", true)])]).ending(End::Never),
                false => Scripted::of(&[rows(vec![cell("r", true)])]),
            }
        },
        ends,
    );
    RawTable::new(backend.await, name("t"))
}

/// Before, the calls of 400 scans took all that the connections allow, and a program that read a
/// row for each of their rows waited for ever.
#[tokio::test(start_paused = true)]
async fn scans_that_stand_still_leave_room_for_other_calls() {
    let ends = Ends::default();
    let table = with_scans_that_stand_still(&ends).await;
    let mut scans = Vec::new();
    for _ in 0..450 {
        let mut scan = table.scan(Scan::all()).unwrap();
        assert_eq!(scan.next_row().await.unwrap().unwrap().key(), b"a");
        scans.push(scan);
    }
    let began = Instant::now();
    assert!(table.get("r").await.unwrap().is_some());
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    assert!(ends.opened.load(Ordering::Relaxed) <= 4 + 4);
    // The calls of scans that are dropped end at the server.
    drop(scans);
    let cancelled = async {
        while ends.cancelled.load(Ordering::Relaxed) < 450 {
            sleep(Duration::from_millis(1)).await;
        }
    };
    let cancelled = timeout(Duration::from_secs(5), cancelled).await;
    assert!(cancelled.is_ok(), "{} calls are cancelled", ends.cancelled.load(Ordering::Relaxed));
}

/// The service tells a connection to end, and lets the calls on it go on. Before, such a connection
/// was used for other calls, all of which failed, as long as there was a call on it.
#[tokio::test(start_paused = true)]
async fn a_connection_that_is_ending_gets_no_more_calls() {
    let ends = Ends::default();
    let table = with_scans_that_stand_still(&ends).await;
    let mut scan = table.scan(Scan::all()).unwrap();
    assert_eq!(scan.next_row().await.unwrap().unwrap().key(), b"a");
    for _ in 0..3 {
        assert!(table.get("r").await.unwrap().is_some());
        sleep(Duration::from_millis(100)).await;
        ends.connections.send(()).unwrap();
        sleep(Duration::from_millis(100)).await;
        let began = Instant::now();
        assert!(table.get("r").await.unwrap().is_some());
        assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    }
    assert_eq!(ends.cancelled.load(Ordering::Relaxed), 0, "the scan goes on");
}
