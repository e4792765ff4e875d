//! Random tables that are dumped and loaded.

use fastrand::Rng;
use tallrow_mock::{MockCluster, MockClusterBuilder};
use tallrow_wire::cell::Cell;
use tallrow_wire::proto::*;

use crate::frames::{Fixture, Frames, delete, increment, mutation, raw_scan, server_of, specifier};
use crate::thorough;

const ROWS: [&str; 6] = ["a", "a\u{1}", "a \"quoted\\ row\"", "m", "z\u{e9}\n", "zz"];
const QUALIFIERS: [&str; 4] = ["", "q", "q:r", "#"];
const VALUES: [&str; 4] = ["", "v", " \t\"\\x00\" # ", "\u{fffd}\u{0}"];
const MARKERS: [DeleteType; 4] = [
    DeleteType::DeleteOneVersion,
    DeleteType::DeleteMultipleVersions,
    DeleteType::DeleteFamily,
    DeleteType::DeleteFamilyVersion,
];

/// Attributes of families.
const FAMILIES: [&[(&str, &str)]; 4] = [
    &[],
    &[("VERSIONS", "3"), ("MIN_VERSIONS", "1"), ("TTL", "86400")],
    &[("VERSIONS", "5"), ("KEEP_DELETED_CELLS", "TRUE"), ("NOTE", "a\u{7}\"b\"")],
    &[("VERSIONS", "3"), ("NEW_VERSION_BEHAVIOR", "true")],
];

/// Split keys.
const SPLITS: [&[&str]; 3] = [&[], &["m"], &["a\u{1}", "z"]];

fn builder() -> MockClusterBuilder {
    MockCluster::builder().servers(1).in_memory().clock_start_ms(1_700_000_000_000)
}

fn any<T: Copy>(random: &mut Rng, of: &[T]) -> T {
    of[random.usize(..of.len())]
}

/// A random change of a row.
fn change(random: &mut Rng) -> MutationProto {
    let row = any(random, &ROWS);
    let qualifier = any(random, &QUALIFIERS);
    let at = random.u64(1..5);
    match random.u8(..10) {
        0 => increment(row, random.i64(..), 0),
        1..4 => delete(row, qualifier, at, any(random, &MARKERS)),
        4 => {
            let mut put = mutation(MutationType::Put, row, &[(qualifier, at, "short-lived")]);
            let value = Some(random.i64(1..100_000).to_be_bytes().to_vec().into());
            put.attribute.push(NameBytesPair { name: "_ttl".into(), value });
            put
        }
        _ => mutation(MutationType::Put, row, &[(qualifier, at, any(random, &VALUES))]),
    }
}

/// The cells of table `t` that a scan of each region returns.
async fn cells(cluster: &MockCluster, scan: &Scan) -> Vec<Cell> {
    let server = server_of(cluster, "t", b"");
    let mut client = Frames::open(cluster, server, "ClientService").await;
    let mut all = Vec::new();
    for region in cluster.regions("t") {
        let request = ScanRequest {
            region: Some(specifier(cluster, "t", &region.start_key)),
            scan: Some(scan.clone()),
            number_of_rows: Some(1000),
            client_handles_partials: Some(true),
            ..Default::default()
        };
        let (_, found) = client.call::<ScanResponse>("Scan", &request).await.unwrap();
        all.extend(found);
    }
    all
}

fn schema_request() -> GetTableDescriptorsRequest {
    let name = tallrow_wire::region::parse_table_name(b"t");
    GetTableDescriptorsRequest { table_names: vec![name], ..Default::default() }
}

async fn attributes(cluster: &MockCluster) -> Vec<BytesBytesPair> {
    let mut master = Frames::open(cluster, cluster.rpc_address(), "MasterService").await;
    let (answer, _) = master
        .call::<GetTableDescriptorsResponse>("GetTableDescriptors", &schema_request())
        .await
        .unwrap();
    let mut all = answer.table_schema[0].column_families[0].attributes.clone();
    all.sort_by(|a, b| a.first.cmp(&b.first));
    all
}

#[tokio::test(start_paused = true)]
async fn what_is_dumped_and_loaded_is_the_same_table() {
    let tables = if thorough() { 2000 } else { 60 };
    let mut markers = 0;
    for seed in 0..tables {
        let mut random = Rng::with_seed(seed);
        let (family, splits) = (any(&mut random, &FAMILIES), any(&mut random, &SPLITS));
        let mut f = Fixture::with(builder(), family, splits).await;
        for _ in 0..random.usize(..60) {
            f.mutate(change(&mut random)).await.unwrap_or_else(|error| {
                // An increment of a value that is no number changes nothing.
                assert!(error.message.contains("is not a long"), "{error:?}");
                Default::default()
            });
        }
        let dump = f.cluster.dump_table("t").unwrap();
        assert_eq!(f.cluster.dump_tables(), dump);
        let other = builder().start().await.unwrap();
        assert_eq!(other.load_tables(&dump).unwrap(), ["t"]);
        assert_eq!(other.dump_tables(), dump, "seed {seed}");
        for scan in [raw_scan(), Scan { max_versions: Some(9), ..Default::default() }] {
            let here = cells(&f.cluster, &scan).await;
            assert_eq!(cells(&other, &scan).await, here, "seed {seed}\n{dump}");
        }
        assert_eq!(attributes(&other).await, attributes(&f.cluster).await);
        let starts = |of: &MockCluster| -> Vec<Vec<u8>> {
            of.regions("t").into_iter().map(|region| region.start_key).collect()
        };
        assert_eq!(starts(&other), starts(&f.cluster));
        markers += dump.matches("\ndelete").count();
    }
    assert!(markers > 100, "the tables had only {markers} delete markers");
}

#[tokio::test]
async fn the_order_of_writes_is_kept_where_it_decides() {
    let mut f = Fixture::new(&[("VERSIONS", "3"), ("NEW_VERSION_BEHAVIOR", "true")]).await;
    f.put("r", "q", 5, "hidden").await;
    f.mutate(delete("r", "q", 7, DeleteType::DeleteMultipleVersions)).await.unwrap();
    f.put("r", "q", 6, "seen").await;
    let dump = f.cluster.dump_table("t").unwrap();
    assert!(
        dump.ends_with(
            "delete-column \"r\" \"f:q\" 7 write 2\nput \"r\" \"f:q\" 6 \"seen\" write 3\n\
             put \"r\" \"f:q\" 5 \"hidden\"\n"
        ),
        "{dump}"
    );
    let other = MockCluster::builder().servers(1).in_memory().start().await.unwrap();
    other.load_tables(&dump).unwrap();
    let seen = cells(&other, &Scan { max_versions: Some(9), ..Default::default() }).await;
    assert_eq!(seen.iter().map(|cell| cell.value()).collect::<Vec<_>>(), [b"seen"]);
}

#[tokio::test]
async fn several_tables_with_namespaces_states_and_times_are_loaded() {
    let cluster = builder().start().await.unwrap();
    let text = "# a fixture\n\ntallrow-mock tables 1\n\
                table \"n:off\"\nstate disabled\nattribute \"OWNER\" \"ada\"\n\
                configuration \"k\" \"v\"\nfamily \"f\"\nconfiguration \"l\" \"w\"\n\
                delete-family \"r\" \"f\" 9 # all of it\r\n\
                table \"t\"\n  family \"f\"\n  put \"r\" \"f:q\" now \"v\" ttl 3600000\n";
    assert_eq!(cluster.load_tables(text).unwrap(), ["n:off", "t"]);
    assert_eq!(cluster.regions("n:off")[0].server, None);
    assert_eq!(cluster.regions("t")[0].server, Some(0));
    let dump = cluster.dump_tables();
    assert_eq!(
        dump,
        format!(
            "tallrow-mock tables 1\n\n\
             table \"n:off\"\nstate disabled\nattribute \"OWNER\" \"ada\"\n\
             configuration \"k\" \"v\"\nfamily \"f\"\nconfiguration \"l\" \"w\"\n\
             delete-family \"r\" \"f\" 9\n\n\
             table \"t\"\nfamily \"f\"\nput \"r\" \"f:q\" {} \"v\" ttl 3600000\n",
            cells(&cluster, &raw_scan()).await[0].timestamp()
        )
    );
    let error = cluster.load_tables(text).unwrap_err().to_string();
    assert_eq!(error, "load tables: line 4, column 1: the table n:off: it exists already");
}
