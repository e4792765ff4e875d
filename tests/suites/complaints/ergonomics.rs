//! 47 to 52, and 58 to 60: what is hard to say, to find out and to test.

use std::collections::BTreeMap;
use std::time::Duration;

use tallrow::{CellGroup, Client, Config, Connector, ErrorKind, RawTable, RowKey, Scan, Table};
use tallrow_mock::{Fault, MockCluster};
use tallrow_tests::patient;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{keys, put, site};

#[derive(Clone, Debug, PartialEq, RowKey)]
struct Id {
    id: u32,
}

#[derive(CellGroup, Clone, Debug, PartialEq)]
struct Place {
    #[cell("f:city")]
    city: String,
    #[cell("f:street")]
    street: String,
}

#[derive(Clone, Debug, PartialEq, Table)]
#[table(name = "people")]
#[family("f")]
#[family("tag")]
struct Person {
    #[key]
    key: Id,
    #[flatten]
    place: Place,
    #[cells("tag:*")]
    tags: BTreeMap<String, u32>,
}

/// flipkart-incubator/hbase-orm#11 and scylla-rust-driver#1144
async fn written_and_read() -> (RawTable, Person, Person) {
    let site = site().await;
    site.client.admin().create::<Person>().await.unwrap();
    let people = site.client.table::<Person>();
    let person = Person {
        key: Id { id: 1 },
        place: Place { city: "Bonn".into(), street: "Am Hof".into() },
        tags: [("a".to_owned(), 1), ("b".to_owned(), 2)].into(),
    };
    people.put(&person).await.unwrap();
    let read = people.get(&person.key).await.unwrap().unwrap();
    (site.client.raw_table("people").unwrap(), person, read)
}

#[tokio::test(start_paused = true)]
async fn complaint_47_qualifiers_may_be_the_keys_of_a_map() {
    let (raw, person, read) = written_and_read().await;
    assert_eq!(read.tags, person.tags);
    let row = raw.get(person.key.encode()).await.unwrap().unwrap();
    assert!(row.value("tag", "a").is_some());
}

#[tokio::test(start_paused = true)]
async fn complaint_48_columns_that_types_share_are_flattened() {
    let (raw, person, read) = written_and_read().await;
    assert_eq!(read, person);
    let row = raw.get(person.key.encode()).await.unwrap().unwrap();
    assert_eq!(row.value("f", "city"), Some(&b"Bonn"[..]));
}

/// happybase#56
#[tokio::test(start_paused = true)]
async fn complaint_49_the_size_of_calls_changes_no_result() {
    let site = site().await;
    site.fill(50, 300).await;
    let all = keys(&site.table, Scan::all()).await;
    for bytes in [1, 1_000, 10_000_000] {
        assert_eq!(keys(&site.table, Scan::all().bytes_per_call(bytes)).await, all);
    }
}

/// happybase#228
#[tokio::test(start_paused = true)]
async fn complaint_50_another_service_at_the_port_is_recognized() {
    let connector = Connector::new(|_, _| {
        let (client, mut server) = tokio::io::duplex(1 << 16);
        tokio::spawn(async move {
            let _ = server.read(&mut [0; 100]).await;
            let _ = server.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        });
        std::future::ready(Ok(client))
    });
    let config = Config::new().connector(connector).connect_timeout(Duration::from_secs(2));
    let error = Client::connect_with("hbase+rpc://rs1", config).await.unwrap_err();
    assert!(format!("{error:?}").contains("HTTP"), "{error:?}");
}

#[derive(Clone, Debug, PartialEq, RowKey)]
#[row_key(allow(unsorted_text))]
struct Existing {
    #[key(sep = '|')]
    region: String,
    name: String,
}

/// HuaweiBigData/astro#52
#[test]
fn complaint_51_separators_of_existing_tables_can_be_described() {
    let key = Existing::decode(b"eu|bonn").unwrap();
    assert_eq!((key.region.as_str(), key.name.as_str()), ("eu", "bonn"));
    assert_eq!(key.encode_key().unwrap().as_ref(), b"eu|bonn");
}

/// What a program needs of a table, so that it can have another in its tests.
trait Store {
    fn set(&self, value: &str) -> impl Future<Output = tallrow::Result<()>>;
}

impl Store for RawTable {
    async fn set(&self, value: &str) -> tallrow::Result<()> {
        self.put(put(value)).await
    }
}

struct Refusing;

impl Store for Refusing {
    async fn set(&self, _: &str) -> tallrow::Result<()> {
        Err(tallrow::Error::invalid_argument("not today"))
    }
}

/// hdinsight/hbase-sdk-for-net#12
#[tokio::test(start_paused = true)]
async fn complaint_52_a_table_can_be_behind_a_trait_of_the_program() {
    let site = site().await;
    site.table.set("v").await.unwrap();
    assert_eq!(Refusing.set("v").await.unwrap_err().kind(), ErrorKind::InvalidArgument);
}

/// ParallelAI/SpyGlass#13
#[tokio::test]
async fn complaint_58_the_mock_speaks_the_protocol_over_sockets() {
    let mock = MockCluster::start().await.unwrap();
    let client = Client::connect_with(&mock.url(), patient()).await.unwrap();
    assert!(client.admin().list_tables().await.unwrap().is_empty());
    assert!(mock.url().starts_with("hbase+rpc://127.0.0.1:"), "{}", mock.url());
}

/// mongo-rust-driver#990
#[tokio::test(start_paused = true)]
async fn complaint_59_a_cluster_for_a_test_is_one_line() {
    let client = Client::connect("mock:").await.unwrap();
    assert!(!client.mock_cluster().unwrap().live_servers().is_empty());
}

/// google-cloud-go#3348
#[tokio::test(start_paused = true)]
async fn complaint_60_faults_are_chosen_by_method_number_and_chance_with_a_seed() {
    let failed = async |seed| {
        let mock = MockCluster::builder().in_memory().seed(seed).start().await.unwrap();
        let config = super::config().connector(tallrow_tests::in_memory(&mock));
        let client = Client::connect_with(&mock.url(), config).await.unwrap();
        let family = tallrow::FamilyDescriptor::new("f");
        let descriptor = tallrow::TableDescriptor::new("t").unwrap().family(family);
        client.admin().create_table(&descriptor).await.unwrap();
        let table = client.raw_table("t").unwrap();
        let refuse = |fault: tallrow_mock::CallFaultBuilder| {
            fault.throw(&super::class("DoNotRetryIOException"), "by chance")
        };
        mock.inject(refuse(Fault::on("Mutate").nth(1)));
        mock.inject(refuse(Fault::on("Get").table("t").times(1_000).chance(0.3)));
        assert!(table.put(put("v")).await.is_err());
        table.put(put("v")).await.unwrap();
        let mut failed = Vec::new();
        for n in 0..50 {
            if table.get("r").await.is_err() {
                failed.push(n);
            }
        }
        failed
    };
    let first = failed(7).await;
    assert!((3..30).contains(&first.len()), "{first:?}");
    assert_eq!(failed(7).await, first);
    assert_ne!(failed(8).await, first);
}

/// What is read one by one is a `Stream`, and is collected without an import: of every type, also a
/// new one.
#[test]
fn what_is_read_one_by_one_is_collected() {
    fn files(folder: &std::path::Path, all: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => files(&path, all),
                false => all.push(path),
            }
        }
    }
    let mut all = Vec::new();
    files(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../sdk/src")), &mut all);
    let mut types = 0;
    for path in all {
        let source = std::fs::read_to_string(&path).unwrap();
        let count = |text: &str| source.matches(text).count();
        // The step of a scan is a row, or a sign of progress.
        let read = count("pub async fn next_")
            - count("pub async fn next_step(")
            - count("pub async fn next_id(");
        let (collected, streams) = (count("pub async fn try_collect<"), count(" Stream for "));
        assert_eq!((collected, streams), (read, read), "{}", path.display());
        types += read;
    }
    assert!(types >= 11, "only {types} types are read one by one");
}
