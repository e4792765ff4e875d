//! A server that answers what was not asked for: a typed error, whatever asks, and no row of it.

use std::io;
use std::sync::{Arc, Mutex};

use tallrow::{
    Client, Connector, ErrorKind, FamilyDescriptor, Get, Increment, Put, RawTable, Result, Row,
    Scan, TableDescriptor, Timestamp,
};
use tallrow_mock::MockCluster;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, copy, duplex};

use super::config;

/// What a request is changed into on its way: bytes, and others in their place.
type Change = Arc<Mutex<Option<(Vec<u8>, Vec<u8>)>>>;

/// A connection to a server which is asked something else than the client asks.
fn dial(mock: &MockCluster, host: &str, port: u16, change: Change) -> io::Result<DuplexStream> {
    let server = mock.dial(host, port)?;
    let (near, far) = duplex(1 << 16);
    tokio::spawn(async move {
        let (mut from, mut to) = tokio::io::split(far);
        let (mut back, mut there) = tokio::io::split(server);
        let requests = async {
            let mut bytes = vec![0; 1 << 16];
            while let Ok(read @ 1..) = from.read(&mut bytes).await {
                let sent = &mut bytes[..read];
                if let Some((asked, other)) = &*change.lock().unwrap() {
                    for at in 0..=sent.len().saturating_sub(asked.len()) {
                        if sent[at..].starts_with(asked) {
                            sent[at..at + other.len()].copy_from_slice(other);
                        }
                    }
                }
                if there.write_all(sent).await.is_err() {
                    break;
                }
            }
        };
        tokio::join!(requests, copy(&mut back, &mut to)).1.map(drop).unwrap_or_default();
    });
    Ok(near)
}

/// More than this is asked for as if it were less: two bytes in a request.
const FEW: u32 = 150;
const FEW_SENT: [u8; 2] = [0x96, 0x01];
const MORE_SENT: [u8; 2] = [0xB4, 0x01];

async fn table() -> (RawTable, Change) {
    let mock = MockCluster::builder().in_memory().start().await.unwrap();
    let change = Change::default();
    let changed = change.clone();
    let url = mock.url();
    let connector = Connector::new(move |host, port| {
        std::future::ready(dial(&mock, &host, port, changed.clone()))
    });
    let client = Client::connect_with(&url, config().connector(connector)).await.unwrap();
    let family = |name| FamilyDescriptor::new(name).versions(1_000);
    let descriptor = TableDescriptor::new("t").unwrap();
    let descriptor = descriptor.family(family("famA")).family(family("famB"));
    client.admin().create_table(&descriptor).await.unwrap();
    let table = client.raw_table("t").unwrap();
    let puts = (0..200)
        .map(|n| Put::new(format!("row{n:03}")).cell("famA", "q", "v").cell("famB", "q", "v"));
    table.put_all(puts).await.into_result().unwrap();
    for time in 1..=200 {
        let put = Put::new("row100").cell_at("famA", "q", Timestamp::from_millis(time), "old");
        table.put(put).await.unwrap();
    }
    (table, change)
}

fn refused<T: std::fmt::Debug>(what: &str, kind: ErrorKind, asked: Result<T>, says: &str) {
    let error = asked.expect_err(what);
    assert_eq!(error.kind(), kind, "{what}: {error:?}");
    let text = format!("{error:?}");
    assert!(text.contains("was not asked for") && text.contains(says), "{what}: {text}");
}

async fn rows(table: &RawTable, scan: Scan) -> Result<Vec<Row>> {
    let mut rows = table.scan(scan)?;
    let mut all = Vec::new();
    while let Some(row) = rows.next_row().await? {
        all.push(row);
    }
    Ok(all)
}

#[tokio::test(start_paused = true)]
async fn what_was_not_asked_for_is_an_error() {
    let (table, change) = table().await;
    let asks = |asked: &[u8], other: &[u8]| {
        *change.lock().unwrap() = Some((asked.to_vec(), other.to_vec()));
    };
    let protocol = ErrorKind::Protocol;

    asks(b"row010", b"row011");
    refused("get", protocol, table.get("row010").await, "row011");
    let all = table.get_all(["row009", "row010"]).await.into_iter().collect::<Vec<_>>();
    assert!(all[0].as_ref().unwrap().is_some());
    refused("get of a batch", protocol, all.into_iter().nth(1).unwrap(), "row011");
    let add = Increment::new("row010").add("famA", "n", 1);
    refused("increment", ErrorKind::OutcomeUnknown, table.increment(add).await, "row011");

    asks(b"famA", b"famB");
    let get = Get::new("row010").family("famA");
    refused("get of a family", protocol, table.get(get.clone()).await, "famB");
    let all = table.get_all([get]).await.into_iter().next().unwrap();
    refused("get of a family in a batch", protocol, all, "famB");
    refused("scan of a family", protocol, rows(&table, Scan::all().family("famA")).await, "famB");

    asks(&FEW_SENT, &MORE_SENT);
    let get = Get::new("row100").family("famA").versions(FEW);
    refused("get of versions", protocol, table.get(get).await, "151 versions");
    let scan = Scan::range("row100"..="row100").family("famA").versions(FEW);
    refused("scan of versions", protocol, rows(&table, scan).await, "151 versions");
    let scan = Scan::all().limit(u64::from(FEW));
    refused("scan with a limit", protocol, rows(&table, scan.clone()).await, "the limit");
    refused("count with a limit", protocol, table.count(scan).await, "the limit");

    for (what, scan) in [
        ("scan", Scan::range("row010".."row020")),
        ("scan of one row", Scan::range("row010"..="row010")),
        ("reversed scan", Scan::range("row010".."row020").reversed()),
    ] {
        // The start of the range, or the end of a reversed one: what comes is before it.
        asks(b"row010", b"row008");
        refused(what, protocol, rows(&table, scan.clone()).await, "row00");
        refused(what, protocol, table.count(scan.clone()).await, "row00");
    }
    for (what, scan) in [
        ("scan", Scan::range("row010".."row020")),
        ("reversed scan", Scan::range("row010".."row020").reversed()),
    ] {
        asks(b"row020", b"row022");
        refused(what, protocol, rows(&table, scan.clone()).await, "row02");
    }
    *change.lock().unwrap() = None;
    assert_eq!(rows(&table, Scan::range("row010".."row020")).await.unwrap().len(), 10);
}
