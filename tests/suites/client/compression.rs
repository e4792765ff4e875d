//! Cell blocks are compressed in both directions, in the forms that HBase's servers have.

use std::time::Duration;

use tallrow::{ErrorKind, Get, Put, RawTable, Scan};
use tallrow_mock::Fault;
use tallrow_tests::{Place, Random, patience, patient};

/// What the servers of every cluster have: Java's own gzip.
const EVERYWHERE: &str = "org.apache.hadoop.io.compress.GzipCodec";
/// What Hadoop 3.3 and later has by a jar that it comes with, and earlier ones by a native library.
const SNAPPY: &str = "org.apache.hadoop.io.compress.SnappyCodec";
/// What needs jars or libraries that the real cluster of these tests does not have.
const ELSEWHERE: [&str; 8] = [
    "org.apache.hadoop.io.compress.Lz4Codec",
    "org.apache.hadoop.io.compress.ZStandardCodec",
    "org.apache.hadoop.hbase.io.compress.lz4.Lz4Codec",
    "org.apache.hadoop.hbase.io.compress.xerial.SnappyCodec",
    "org.apache.hadoop.hbase.io.compress.zstd.ZstdCodec",
    "org.apache.hadoop.hbase.io.compress.aircompressor.Lz4Codec",
    "org.apache.hadoop.hbase.io.compress.aircompressor.SnappyCodec",
    "org.apache.hadoop.hbase.io.compress.aircompressor.ZstdCodec",
];

/// Whether the servers are on a Hadoop without a Snappy of its own, as HBase 2.4 and 2.5.10 are;
/// 2.5.13 is on the one of 2.6.
async fn lacks_snappy(place: &Place) -> bool {
    let version = place.client.admin().hbase().unwrap().version().await.unwrap().unwrap();
    version.starts_with("2.4") || version.starts_with("2.5.10")
}

/// The same table by clients with each of the codecs that the servers have.
async fn clients(place: &Place, table: &RawTable) -> Vec<(&'static str, RawTable)> {
    let mock = place.client.mock_cluster().is_some();
    // A real cluster that was started with the jar has this one too.
    let jars = std::env::var("TALLROW_REAL_JARS").unwrap_or_default();
    let has =
        |class: &str| mock || class.ends_with("io.compress.Lz4Codec") && jars.contains("lz4-java");
    let mut clients = Vec::new();
    let snappy = (!lacks_snappy(place).await).then_some(SNAPPY);
    let more = ELSEWHERE.into_iter().filter(|class| has(class));
    for class in [EVERYWHERE].into_iter().chain(snappy).chain(more) {
        let client = place.client_of(patient().compression_class(class)).await;
        clients.push((class, client.raw_table(table.name()).unwrap()));
    }
    clients
}

pub(crate) async fn cells_are_compressed_both_ways(place: Place) {
    let plain = place.table(&["m"]).await;
    let mut random = Random::new(1, 0);
    for (class, table) in clients(&place, &plain).await {
        let row = |n: u32| format!("{n}{class}");
        let put = |n: u32| Put::new(row(n)).cell("f", "q", class.repeat(n as usize + 1));
        table.put(put(0)).await.unwrap();
        // Several in one call, and a value that does not compress.
        let random: Vec<u8> = (0..5_000).map(|_| random.below(256) as u8).collect();
        let puts = [put(1), put(2), Put::new(row(3)).cell("f", "q", random.clone())];
        table.put_all(puts).await.into_result().unwrap();
        table.delete(tallrow::Delete::new(row(1))).await.unwrap();

        let value = |n| table.get(row(n));
        let found = value(0).await.unwrap().unwrap_or_else(|| panic!("{class}"));
        assert_eq!(found.value("f", "q").unwrap(), class.as_bytes());
        assert!(value(1).await.unwrap().is_none(), "{class}");
        // What others wrote is read, and they read what was written.
        let found = plain.get(Get::new(row(3))).await.unwrap().unwrap();
        assert_eq!(found.value("f", "q").unwrap(), &random[..], "{class}");
        let keys = Place::keys(&table, Scan::all()).await;
        assert_eq!(keys.iter().filter(|key| key.ends_with(class)).count(), 3, "{class}");
    }
}

pub(crate) async fn blocks_of_many_chunks_are_read_and_written(place: Place) {
    let plain = place.table(&[]).await;
    // Java's codecs divide their bytes into chunks of about 200 KiB.
    let (bytes, rows) = if place.is_thorough() { (1_500_000_u32, 2_000) } else { (300_000, 100) };
    let large: Vec<u8> = (0..bytes).map(|n| (n / 7 % 251) as u8).collect();
    for (class, table) in clients(&place, &plain).await {
        table.put(Put::new("large").cell("f", class, large.clone())).await.unwrap();
        let small = (0..rows).map(|n| Put::new(format!("row{n:04}")).cell("g", "q", class));
        table.put_all(small).await.into_result().unwrap();
        for reader in [&table, &plain] {
            let row = reader.get("large").await.unwrap().unwrap();
            assert!(row.value("f", class) == Some(&large[..]), "{class}");
            let keys = Place::keys(reader, Scan::all()).await;
            assert_eq!(keys.len(), rows + 1, "{class}");
        }
    }
}

pub(crate) async fn a_server_without_the_class_is_named_with_it(place: Place) {
    let table = place.table(&[]).await;
    // One without the class, and one with the class and without the native library that it needs.
    let mut classes = vec![ELSEWHERE[7], ELSEWHERE[1]];
    classes.extend(lacks_snappy(&place).await.then_some(SNAPPY));
    let mut clients = Vec::new();
    for class in &classes {
        clients.push(place.client_of(patient().compression_class(*class)).await);
    }
    if let Some(mock) = place.client.mock_cluster() {
        // As a server closes a connection whose header has a class that it has not.
        mock.inject(Fault::on_connect().times(1_000).close());
    }
    for (class, client) in classes.into_iter().zip(clients) {
        let table = client.raw_table(table.name()).unwrap();
        // No attempt has been refused yet if this process was stopped until the deadline.
        let mut timeout = Duration::from_secs(3);
        let error = loop {
            let table = table.clone().with_timeout(timeout);
            let error = table.put(Put::new("r").cell("f", "q", "v")).await.unwrap_err();
            if format!("{error:?}").contains(class) || timeout > patience() {
                break error;
            }
            timeout *= 2;
        };
        assert!(format!("{error:?}").contains(class), "{error:?}");
        assert!(error.attempts() > 0, "{error:?}");
        assert_ne!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}: nothing was sent");
    }
}
