//! Reads from secondary replicas while the server of the primary ones answers nothing, and after it
//! was killed.

use std::time::{Duration, Instant};

use tallrow::op::{CallOptions, Consistency};
use tallrow::{Client, ErrorKind, FamilyDescriptor, Get, Put, RawTable, Scan, TableDescriptor};
use tallrow_tests::{Hbase, patient, until};

const ROWS: usize = 200;
/// Much longer than a read takes, also on a machine that stops for a while; a read that waited for
/// the primary replica would take longer, as an attempt and a session do.
const SOON: Duration = Duration::from_secs(60);
/// A server that is frozen is not to be declared dead.
pub(crate) const SESSION: Duration = Duration::from_secs(600);

fn rows() -> impl Iterator<Item = String> {
    (0..ROWS).map(|i| format!("{i:03}"))
}

/// Writes this value to all rows.
async fn write(table: &RawTable, value: &str) {
    let puts = rows().map(|row| Put::new(row).cell("f", "q", value));
    table.put_all(puts).await.into_result().unwrap();
}

/// The second value is flushed only when a dead server is recovered: until then only the primary
/// replica has it.
fn check(row: &str, is_stale: bool, value: &[u8]) {
    assert!(value == b"2" || is_stale && value == b"1", "row {row}: {value:?}, stale: {is_stale}");
}

/// Reads all rows one by one; returns how many answers were stale, and the longest time that one
/// took.
async fn read_all(table: &RawTable) -> (usize, Duration) {
    let (mut stale, mut longest) = (0, Duration::ZERO);
    for row in rows() {
        let started = Instant::now();
        let read = table.get_timeline(&row).await.unwrap();
        longest = longest.max(started.elapsed());
        if started.elapsed() > SOON {
            eprintln!("replicas: row {row} took {:?}, stale: {}", started.elapsed(), read.is_stale);
        }
        let found = read.value.unwrap();
        let value = found.value("f", "q").unwrap();
        check(&row, read.is_stale, value);
        stale += usize::from(read.is_stale);
    }
    (stale, longest)
}

/// Scans all rows; returns how many were stale.
async fn scan_all(table: &RawTable) -> usize {
    let any = CallOptions::new().consistency(Consistency::Timeline);
    let mut found = table.scan(Scan::all().options(any)).unwrap();
    let (mut keys, mut stale) = (Vec::new(), 0);
    while let Some(row) = found.next_row().await.unwrap() {
        let key = String::from_utf8(row.key().to_vec()).unwrap();
        check(&key, row.is_stale(), row.value("f", "q").unwrap());
        keys.push(key);
        stale += usize::from(row.is_stale());
    }
    assert_eq!(keys, rows().collect::<Vec<_>>());
    stale
}

pub(crate) async fn all(cluster: &Hbase) {
    let config = patient().attempt_timeout(SOON * 5).operation_timeout(SOON * 10);
    let client = Client::connect_with(&cluster.zookeeper, config.clone()).await.unwrap();
    // Asks the other replica only where the primary one is gone, and not because the machine is
    // busy.
    let patient = config.primary_get_timeout(SOON / 2);
    let patient = Client::connect_with(&cluster.zookeeper, patient).await.unwrap();
    let patient = patient.raw_table("prices").unwrap();
    let hbase = client.admin().hbase().unwrap();
    let table = TableDescriptor::new("prices").unwrap().family(FamilyDescriptor::new("f"));
    client.admin().create_table(&table.region_replication(2).splits(["100"])).await.unwrap();
    let table = client.raw_table("prices").unwrap();
    write(&table, "1").await;
    hbase.flush("prices").await.unwrap();
    for row in rows() {
        let second = Get::new(&row).options(CallOptions::new().replica(1));
        until("the other replica has the row", async || {
            table.get(second.clone()).await.unwrap().is_some()
        })
        .await;
    }
    write(&table, "2").await;
    let before = read_all(&table).await;
    eprintln!(
        "replicas: {} of {ROWS} reads were stale before, the longest took {:?}",
        before.0, before.1
    );

    let victim = hbase.regions("prices").await.unwrap()[0].server().unwrap().to_owned();
    cluster.freeze(&victim);
    let (stale, longest) = read_all(&table).await;
    let scanned = scan_all(&table).await;
    let strong = table.clone().with_timeout(Duration::from_secs(2)).get("000").await;
    cluster.thaw(&victim);
    eprintln!(
        "replicas: {victim} frozen: {stale} of {ROWS} reads were stale, the longest took {longest:?}; {scanned} rows of a scan"
    );
    assert!(stale >= ROWS / 2, "{stale} of {ROWS} reads were stale");
    assert!(scanned >= ROWS / 2, "{scanned} of {ROWS} rows were stale");
    assert!(longest < SOON, "{longest:?}");
    let kind = strong.unwrap_err().kind();
    assert!(matches!(kind, ErrorKind::Timeout | ErrorKind::Unreachable), "{kind:?}");
    until_fresh(&patient, "thawed").await;
    // The strong get made this client forget the region, and the next server may have hbase:meta as
    // well.
    read_all(&table).await;

    let victim = hbase.regions("prices").await.unwrap()[0].server().unwrap().to_owned();
    cluster.kill(&victim);
    let (stale, longest) = read_all(&table).await;
    let scanned = scan_all(&table).await;
    eprintln!(
        "replicas: {victim} killed: {stale} of {ROWS} reads were stale, the longest took {longest:?}; {scanned} rows of a scan"
    );
    assert!(stale >= ROWS / 2, "{stale} of {ROWS} reads were stale");
    assert!(scanned >= ROWS / 2, "{scanned} of {ROWS} rows were stale");
    assert!(longest < SOON, "{longest:?}");
    // Its regions are recovered when its successor reports to the master.
    cluster.start(&victim);
    until_fresh(&patient, "killed").await;
    eprintln!("replicas: {:?}", client.metrics().replicas);
}

/// Reads all rows until no answer is stale: the primary replicas are there again, with all that was
/// acknowledged.
async fn until_fresh(table: &RawTable, after: &str) {
    let started = Instant::now();
    let (mut rounds, mut longest) = (0, Duration::ZERO);
    until("no read is stale", async || {
        let (stale, took) = read_all(table).await;
        longest = longest.max(took);
        rounds += usize::from(stale > 0);
        stale == 0
    })
    .await;
    eprintln!(
        "replicas: {after}: no read is stale after {:?} and {rounds} rounds; the longest took {longest:?}",
        started.elapsed()
    );
}
