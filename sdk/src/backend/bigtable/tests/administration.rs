//! Tables, made through Bigtable.

use std::time::Duration;

use tallrow_mock::{Fault, MockCluster, StatusCode};

use super::{connect_to, endpoint, name, piped, quick};
use crate::backend::Backend;
use crate::backend::bigtable::{BigtableAdmin, Endpoint};
use crate::model::naming::TableNameResolver;
use crate::request::op::{Check, Get};
use crate::{ErrorKind, FamilyDescriptor, Put, RawTable, Scan, TableDescriptor, Timestamp};

async fn started() -> (MockCluster, Backend) {
    let builder = MockCluster::builder().in_memory().servers(1).bigtable_port(0);
    let cluster = builder.start().await.unwrap();
    let backend = connect_to(&cluster, quick()).await.unwrap();
    (cluster, backend)
}

fn table() -> TableDescriptor {
    let d = FamilyDescriptor::new("d").versions(3).ttl(Duration::from_secs(86_400));
    TableDescriptor::new("t").unwrap().family(d).family(FamilyDescriptor::new("e"))
}

#[tokio::test(start_paused = true)]
async fn a_table_is_made_described_altered_and_deleted() {
    let (_cluster, backend) = started().await;
    assert!(!backend.table_exists(&name("t")).await.unwrap());
    backend.create_table(&table().splits(["m"])).await.unwrap();
    let twice = backend.create_table(&table()).await.unwrap_err();
    assert_eq!(twice.kind(), ErrorKind::TableExists, "{twice}");
    assert!(backend.table_exists(&name("t")).await.unwrap());
    assert_eq!(backend.list_tables().await.unwrap(), [name("t")]);
    assert_eq!(backend.all_regions(&name("t"), None).await.unwrap().len(), 2);

    let live = backend.describe("describe", &name("t")).await.unwrap();
    let diff = backend.supported_part(&table()).diff(&live);
    assert!(diff.is_empty(), "{diff}");
    let wanted = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("d").versions(5));
    let wanted = wanted.family(FamilyDescriptor::new("n"));
    let diff = backend.supported_part(&wanted).diff(&live).delete_family("e");
    backend.alter(&diff).await.unwrap();
    let stale = backend.alter(&diff).await.unwrap_err();
    assert_eq!(stale.kind(), ErrorKind::SchemaDrift, "{stale}");
    let live = backend.describe("describe", &name("t")).await.unwrap();
    let families: Vec<_> = live.families().iter().map(FamilyDescriptor::name).collect();
    assert_eq!(families, ["d", "n"]);
    assert_eq!(live.families()[0].get("VERSIONS"), Some("5"));

    backend.delete_table(&name("t")).await.unwrap();
    let gone = backend.describe("describe", &name("t")).await.unwrap_err();
    assert_eq!(gone.kind(), ErrorKind::TableNotFound, "{gone}");
}

/// The codes with which the service gives up somewhere on its way say no more of a change of a
/// table than of a change of a row.
#[tokio::test(start_paused = true)]
async fn a_change_of_a_table_may_be_unknown() {
    let (cluster, backend) = started().await;
    backend.create_table(&table()).await.unwrap();
    let live = backend.describe("describe", &name("t")).await.unwrap();
    let wanted = table().family(FamilyDescriptor::new("n"));
    let diff = backend.supported_part(&wanted).diff(&live);
    let Backend::Bigtable(instance) = &backend else { panic!("another backend") };
    let admin = BigtableAdmin::new(instance.clone(), TableNameResolver::new(None, "").unwrap());
    let other = TableDescriptor::new("other").unwrap().family(FamilyDescriptor::new("d"));
    for (code, expected) in [
        (StatusCode::Internal, ErrorKind::OutcomeUnknown),
        (StatusCode::Unknown, ErrorKind::OutcomeUnknown),
        (StatusCode::DataLoss, ErrorKind::OutcomeUnknown),
        (StatusCode::Unavailable, ErrorKind::OutcomeUnknown),
        (StatusCode::FailedPrecondition, ErrorKind::DoNotRetry),
    ] {
        for method in ["CreateTable", "ModifyColumnFamilies", "DropRowRange", "DeleteTable"] {
            let before = cluster.call_count(method);
            cluster.inject(Fault::on(method).nth(1).fail(code, "no"));
            let error = match method {
                "CreateTable" => backend.create_table(&other).await,
                "ModifyColumnFamilies" => backend.alter(&diff).await,
                "DropRowRange" => admin.drop_rows("t", "a").await,
                _ => backend.delete_table(&name("t")).await,
            };
            let error = error.unwrap_err();
            assert_eq!(error.kind(), expected, "{method} {code:?}: {error}");
            assert_eq!(cluster.call_count(method) - before, 1, "{method} {code:?}");
            cluster.clear_faults();
        }
    }
}

#[tokio::test(start_paused = true)]
async fn rows_are_dropped_by_their_prefix_or_all() {
    let (_cluster, backend) = started().await;
    backend.create_table(&table()).await.unwrap();
    let rows = RawTable::new(backend.clone(), name("t"));
    for row in ["a1", "a2", "b1"] {
        rows.put(Put::new(row).cell("e", "q", "v")).await.unwrap();
    }
    let Backend::Bigtable(instance) = &backend else { panic!("another backend") };
    let admin = BigtableAdmin::new(instance.clone(), TableNameResolver::new(None, "").unwrap());
    admin.drop_rows("t", "a").await.unwrap();
    assert_eq!(rows.count(Scan::all()).await.unwrap(), 1);
    assert_eq!(admin.drop_rows("t", "").await.unwrap_err().kind(), ErrorKind::InvalidArgument);
    admin.wait_for_replication("t").await.unwrap();
    let kept = instance.family_limits("scan", &name("t"), Duration::from_secs(9)).await.unwrap();
    assert!(kept.is_none(), "the address does not say that reads leave anything out");
    backend.truncate_table(&name("t")).await.unwrap();
    assert_eq!(rows.count(Scan::all()).await.unwrap(), 0);
}

/// The mock collects at once, so that both see the same; `filter/tests.rs` has what is left out.
#[tokio::test(start_paused = true)]
async fn what_is_going_to_be_collected_is_left_out_if_the_address_says_so() {
    let (cluster, backend) = started().await;
    backend.create_table(&table()).await.unwrap();
    let all = RawTable::new(backend, name("t"));
    let at = cluster.bigtable_address().unwrap().to_string();
    let excluding = Endpoint { exclude_garbage: true, ..endpoint(&at) };
    let config = piped(&cluster, quick());
    let backend = Backend::bigtable("bigtable://p/i", excluding, config).await.unwrap();
    let kept = RawTable::new(backend, name("t"));

    let now = Timestamp::now().as_millis();
    for age in [0, 1, 2, 3, 4, 100_000_000] {
        let put = Put::new("r").cell_at("d", "q", Timestamp::from_millis(now - age), "v");
        all.put(put.cell_at("e", "q", Timestamp::from_millis(now - age), "v")).await.unwrap();
    }
    let asked = cluster.call_count("GetTable");
    let get = || Get::new("r").versions(100);
    let count = |row: Option<crate::Row>| {
        let row = row.unwrap();
        ["d", "e"].map(|f| row.cells().iter().filter(|cell| cell.family() == f.as_bytes()).count())
    };
    assert_eq!(count(all.get(get()).await.unwrap()), [3, 1]);
    assert_eq!(cluster.call_count("GetTable"), asked);
    assert_eq!(count(kept.get(get()).await.unwrap()), [3, 1]);
    let found = kept.get_all([get(), get()]).await.into_result().unwrap();
    assert_eq!(found.into_iter().map(count).collect::<Vec<_>>(), [[3, 1], [3, 1]]);
    let mut rows = kept.scan(Scan::all().versions(100)).unwrap();
    assert_eq!(count(rows.next_row().await.unwrap()), [3, 1]);
    assert_eq!(cluster.call_count("GetTable") - asked, 1, "it is known for a while");

    let old = Put::new("old").cell_at("d", "q", Timestamp::from_millis(now - 100_000_000), "v");
    all.put(old).await.unwrap();
    let check =
        || Check::new("old", "d", "q").if_equals("v").then(Put::new("old").cell("e", "q", "v"));
    assert!(!kept.check_and_mutate(check()).await.unwrap().is_applied());
}
