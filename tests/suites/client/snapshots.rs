//! Snapshots: taken, listed, restored, cloned, deleted; and what refuses them.

use std::time::Duration;

use tallrow::admin::{HBaseAdmin, SnapshotDescriptor};
use tallrow::{ErrorKind, FamilyDescriptor, Put, RawTable, Scan, TableDescriptor};
use tallrow_tests::{Place, patience};

/// A name that no snapshot has.
async fn name(hbase: &HBaseAdmin, name: &str) -> String {
    let name = format!("suite_{name}");
    match hbase.delete_snapshot(&name).await {
        Ok(()) => {}
        Err(error) => assert_eq!(error.kind(), ErrorKind::SnapshotNotFound, "{error:?}"),
    }
    name
}

fn put(row: &str, value: &str) -> Put {
    Put::new(row).cell("f", "q", value)
}

pub(crate) async fn a_table_is_restored_from_its_snapshot(place: Place) {
    let table = place.table(&["m"]).await;
    let admin = place.client.admin();
    let hbase = admin.hbase().unwrap();
    let snapshot = name(&hbase, "restored").await;
    table.put(put("a", "1")).await.unwrap();
    table.put(put("x", "1")).await.unwrap();
    hbase.take_snapshot(table.name(), snapshot.as_str()).await.unwrap();

    let found = hbase.list_snapshots().await.unwrap();
    let found = found.into_iter().find(|s| s.name == snapshot).unwrap();
    assert_eq!((&found.table, found.ttl, found.flushed), (table.name(), None, true));
    assert!(found.created.is_some());

    // Everything about the table changes.
    table.put(put("a", "2")).await.unwrap();
    table.put(put("b", "2")).await.unwrap();
    table.delete("x").await.unwrap();
    let regions = hbase.regions(table.name()).await.unwrap();
    hbase.split_region(&regions[1], "t").await.unwrap();
    let wider = admin.describe(table.name()).await.unwrap();
    let wider = wider.family(FamilyDescriptor::new("h"));
    admin.alter(&admin.diff_table(&wider).await.unwrap()).await.unwrap();

    let error = hbase.restore_snapshot(&snapshot).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WrongTableState, "{error:?}");
    hbase.disable_table(table.name()).await.unwrap();
    hbase.restore_snapshot(&snapshot).await.unwrap();
    assert!(!hbase.is_table_enabled(table.name()).await.unwrap());
    hbase.enable_table(table.name()).await.unwrap();

    assert_eq!(Place::keys(&table, Scan::all()).await, ["a", "x"]);
    let row = table.get("a").await.unwrap().unwrap();
    assert_eq!(row.value("f", "q"), Some(&b"1"[..]));
    let families = admin.describe(table.name()).await.unwrap();
    assert_eq!(families.families().len(), 2);
    let bounds = hbase.regions(table.name()).await.unwrap();
    assert_eq!(bounds.iter().map(|r| r.start_key().to_vec()).collect::<Vec<_>>(), [&b""[..], b"m"]);
    // It takes writes as before.
    table.put(put("c", "3")).await.unwrap();
    assert_eq!(Place::keys(&table, Scan::all()).await, ["a", "c", "x"]);
    hbase.delete_snapshot(&snapshot).await.unwrap();
}

pub(crate) async fn a_deleted_table_comes_back_and_a_clone_is_independent(place: Place) {
    let table = place.table(&["m"]).await;
    let admin = place.client.admin();
    let hbase = admin.hbase().unwrap();
    let snapshot = name(&hbase, "cloned").await;
    table.put(put("a", "1")).await.unwrap();
    table.put(put("x", "1")).await.unwrap();
    hbase.take_snapshot(table.name(), snapshot.as_str()).await.unwrap();
    hbase.disable_table(table.name()).await.unwrap();
    admin.delete_table(table.name()).await.unwrap();

    hbase.restore_snapshot(&snapshot).await.unwrap();
    assert_eq!(Place::keys(&table, Scan::all()).await, ["a", "x"]);

    let clone = place.table_name().await;
    hbase.clone_snapshot(&snapshot, &clone).await.unwrap();
    let copy = place.client.raw_table(&clone).unwrap();
    copy.put(put("c", "2")).await.unwrap();
    copy.delete("a").await.unwrap();
    assert_eq!(Place::keys(&copy, Scan::all()).await, ["c", "x"]);
    assert_eq!(Place::keys(&table, Scan::all()).await, ["a", "x"]);
    assert_eq!(hbase.regions(&clone).await.unwrap().len(), 2);
    let error = hbase.clone_snapshot(&snapshot, &clone).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableExists, "{error:?}");

    hbase.delete_snapshot(&snapshot).await.unwrap();
    assert_eq!(Place::keys(&copy, Scan::all()).await, ["c", "x"], "it outlives its snapshot");
    place.drop_table(&clone).await;
}

pub(crate) async fn snapshots_that_cannot_be_are_clear_errors(place: Place) {
    let table = place.table(&[]).await;
    let hbase = place.client.admin().hbase().unwrap();
    let snapshot = name(&hbase, "refused").await;
    let taken = |name: &str| {
        let (hbase, table, name) = (hbase.clone(), table.name().clone(), name.to_owned());
        async move { hbase.take_snapshot(&table, name.as_str()).await }
    };
    taken(&snapshot).await.unwrap();
    let error = taken(&snapshot).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SnapshotExists, "{error:?}");
    for bad in ["", "a b", "ns:name", "-a"] {
        let error = taken(bad).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{bad:?}: {error:?}");
        assert_eq!(error.attempts(), 0, "{bad:?} was sent");
    }
    let short = SnapshotDescriptor::new("short").ttl(Duration::from_millis(1500));
    let error = hbase.take_snapshot(table.name(), &short).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error:?}");
    let error = hbase.take_snapshot("hbase:meta", "of_meta").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error:?}");
    let error = hbase.take_snapshot("no_such_table", "of_nothing").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableNotFound, "{error:?}");
    let error = hbase.restore_snapshot("no_such_snapshot").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SnapshotNotFound, "{error:?}");
    let error = hbase.clone_snapshot("no_such_snapshot", "t_of_nothing").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SnapshotNotFound, "{error:?}");
    let error = hbase.clone_snapshot(&snapshot, "no_such_namespace:t").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NamespaceNotFound, "{error:?}");
    hbase.delete_snapshot(&snapshot).await.unwrap();
}

pub(crate) async fn a_snapshot_without_a_flush_has_what_is_in_files(place: Place) {
    let table = place.table(&[]).await;
    let hbase = place.client.admin().hbase().unwrap();
    let snapshot = name(&hbase, "skipped").await;
    table.put(put("in_a_file", "1")).await.unwrap();
    hbase.flush(table.name()).await.unwrap();
    table.put(put("in_memory", "1")).await.unwrap();
    let descriptor = SnapshotDescriptor::new(&snapshot).without_flush();
    hbase.take_snapshot(table.name(), &descriptor).await.unwrap();
    let clone = place.table_name().await;
    hbase.clone_snapshot(&snapshot, &clone).await.unwrap();
    let copy = place.client.raw_table(&clone).unwrap();
    assert_eq!(Place::keys(&copy, Scan::all()).await, ["in_a_file"]);
    hbase.delete_snapshot(&snapshot).await.unwrap();
    place.drop_table(&clone).await;
}

pub(crate) async fn a_snapshot_is_not_restored_after_its_time_to_live(place: Place) {
    let table = place.table(&[]).await;
    let hbase = place.client.admin().hbase().unwrap();
    let snapshot = name(&hbase, "expired").await;
    let mut ttl = Duration::from_secs(1);
    let error = loop {
        take_for(&hbase, &table, &snapshot, &mut ttl).await;
        let error = until_it_is_not_cloned(&place, &snapshot).await;
        // The master also deletes what has expired, now and then.
        if error.kind() != ErrorKind::SnapshotNotFound {
            break error;
        }
    };
    assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error:?}");
    assert!(has_expired(&error), "{error:?}");
    name(&hbase, "expired").await;
}

/// Takes a snapshot that lives for this time, or longer: a master that is busy may take longer for
/// it than it lives.
async fn take_for(hbase: &HBaseAdmin, table: &RawTable, snapshot: &str, ttl: &mut Duration) {
    loop {
        let descriptor = SnapshotDescriptor::new(snapshot).ttl(*ttl);
        match hbase.take_snapshot(table.name(), &descriptor).await {
            Ok(_) => {}
            Err(error) if has_expired(&error) && *ttl < patience() => *ttl *= 2,
            Err(error) => panic!("{error:?}"),
        }
        let found = hbase.list_snapshots().await.unwrap();
        if let Some(found) = found.into_iter().find(|s| s.name == snapshot) {
            assert_eq!(found.ttl, Some(*ttl));
            return;
        }
    }
}

/// Clones a snapshot again and again; returns the error that ends it.
async fn until_it_is_not_cloned(place: &Place, snapshot: &str) -> tallrow::Error {
    let hbase = place.client.admin().hbase().unwrap();
    let clone = place.table_name().await;
    loop {
        match hbase.clone_snapshot(snapshot, &clone).await {
            Ok(_) => place.drop_table(&clone).await,
            Err(error) => return error,
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn has_expired(error: &tallrow::Error) -> bool {
    error.exception().is_some_and(|class| class.ends_with("SnapshotTTLExpiredException"))
}

pub(crate) async fn a_schema_is_cloned_without_rows(place: Place) {
    let name = place.table_name().await;
    let table = TableDescriptor::new(&name).unwrap().attribute("OWNER", "team7");
    let table = table.family(FamilyDescriptor::new("f").versions(4)).splits(["h", "p"]);
    let table = place.create(&table).await;
    table.put(put("a", "1")).await.unwrap();
    let admin = place.client.admin();
    let hbase = admin.hbase().unwrap();
    for (preserve, regions) in [(true, 3), (false, 1)] {
        let copy = place.table_name().await;
        hbase.clone_table_schema(table.name(), &copy, preserve).await.unwrap();
        let described = admin.describe(&copy).await.unwrap();
        assert_eq!(described.get("OWNER"), Some("team7"));
        assert_eq!(described.families()[0].get("VERSIONS"), Some("4"));
        assert_eq!(hbase.regions(&copy).await.unwrap().len(), regions);
        let copy = place.client.raw_table(&copy).unwrap();
        assert_eq!(Place::keys(&copy, Scan::all()).await, Vec::<String>::new());
    }
    let error = hbase.clone_table_schema(table.name(), &name, true).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableExists, "{error:?}");
    let error = hbase.clone_table_schema("no_such_table", "other", true).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableNotFound, "{error:?}");
}
