//! Tables.

use std::time::Duration;

use tallrow::{
    ErrorKind, FamilyDescriptor, Put, Scan, TableDescriptor,
    admin::{
        BlockCompression, Bloom, CompactionState, KeepDeletedCells, Permission, PermissionScope,
    },
};
use tallrow_tests::{KERBEROS, Place};

pub(crate) async fn a_table_is_created_described_disabled_enabled_and_deleted(place: Place) {
    let name = place.table_name().await;
    let admin = place.client.admin();
    assert!(!admin.table_exists(&name).await.unwrap());
    let descriptor = TableDescriptor::new(&name).unwrap().family(
        FamilyDescriptor::new("d")
            .versions(7)
            .min_versions(2)
            .ttl(Duration::from_secs(86_400))
            .keep_deleted_cells(KeepDeletedCells::Yes)
            .bloom(Bloom::RowColumn)
            .compression(BlockCompression::Gz)
            .block_size(8_192)
            .in_memory(true),
    );
    admin.create_table(&descriptor).await.unwrap();
    assert!(admin.table_exists(&name).await.unwrap());
    assert!(admin.hbase().unwrap().is_table_enabled(&name).await.unwrap());
    assert!(admin.list_tables().await.unwrap().iter().any(|t| t.as_str() == name));

    let found = admin.describe(&name).await.unwrap();
    let family = &found.families()[0];
    assert_eq!((found.name().as_str(), family.name()), (name.as_str(), "d"));
    let options = [
        ("VERSIONS", "7"),
        ("MIN_VERSIONS", "2"),
        ("TTL", "86400"),
        ("KEEP_DELETED_CELLS", "TRUE"),
        ("BLOOMFILTER", "ROWCOL"),
        ("COMPRESSION", "GZ"),
        ("BLOCKSIZE", "8192"),
        ("IN_MEMORY", "true"),
        ("BLOCKCACHE", "true"),
    ];
    for (key, value) in options {
        assert_eq!(family.get(key), Some(value), "{key}");
    }

    admin.hbase().unwrap().disable_table(&name).await.unwrap();
    assert!(!admin.hbase().unwrap().is_table_enabled(&name).await.unwrap());
    admin.hbase().unwrap().enable_table(&name).await.unwrap();
    assert!(admin.hbase().unwrap().is_table_enabled(&name).await.unwrap());
    admin.hbase().unwrap().disable_table(&name).await.unwrap();
    admin.delete_table(&name).await.unwrap();
    assert!(!admin.table_exists(&name).await.unwrap());
}

pub(crate) async fn a_rejection_by_the_master_contains_its_reason(place: Place) {
    let admin = place.client.admin();
    let name = place.table(&[]).await.name().to_string();
    let descriptor = TableDescriptor::new(&name).unwrap().family(FamilyDescriptor::new("d"));
    let error = admin.create_table(&descriptor).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableExists, "{error:?}");
    let error = admin.delete_table(&name).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WrongTableState, "{error:?}");
    let error = admin.hbase().unwrap().enable_table(&name).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WrongTableState, "{error:?}");
    let error = admin.hbase().unwrap().disable_table(&place.table_name().await).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableNotFound, "{error:?}");
    let bad = TableDescriptor::new(&place.table_name().await).unwrap();
    let error = admin.create_table(&bad).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error:?}");
    let bad = bad.family(FamilyDescriptor::new("d").min_versions(2));
    let error = admin.create_table(&bad).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoNotRetry, "{error:?}");
    let bad =
        TableDescriptor::new("no_such_namespace:t").unwrap().family(FamilyDescriptor::new("d"));
    let error = admin.create_table(&bad).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NamespaceNotFound, "{error:?}");
}

pub(crate) async fn splits_become_regions(place: Place) {
    let admin = place.client.admin();
    let table = place.table(&["m", "b", "x"]).await;
    let regions = admin.hbase().unwrap().regions(table.name().as_str()).await.unwrap();
    let bounds: Vec<_> = regions.iter().map(|r| (r.start_key(), r.end_key())).collect();
    let expected: [(&[u8], &[u8]); 4] = [(b"", b"b"), (b"b", b"m"), (b"m", b"x"), (b"x", b"")];
    assert_eq!(bounds, expected);
    let servers = admin.hbase().unwrap().region_servers().await.unwrap();
    for region in &regions {
        assert!(
            servers.iter().any(|s| Some(s.as_str()) == region.server()),
            "{region:?} {servers:?}"
        );
    }
    let descriptor = admin.describe(table.name().as_str()).await.unwrap();
    for bad in [["a", "a"], ["a", ""]] {
        let error = admin.create_table_with_splits(&descriptor, bad).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }
}

pub(crate) async fn an_operation_on_a_disabled_table_is_a_clear_error(place: Place) {
    let admin = place.client.admin();
    let missing = place.table_name().await;
    let disabled = place.table(&["m"]).await.name().to_string();
    admin.hbase().unwrap().disable_table(&disabled).await.unwrap();
    for (name, kind) in
        [(&missing, ErrorKind::TableNotFound), (&disabled, ErrorKind::WrongTableState)]
    {
        let errors = [
            admin.hbase().unwrap().flush(name).await.unwrap_err(),
            admin.hbase().unwrap().major_compact(name).await.unwrap_err(),
            admin.hbase().unwrap().compaction_state(name).await.unwrap_err(),
        ];
        for error in errors {
            assert_eq!(error.kind(), kind, "{error:?}");
            assert_eq!(error.table().unwrap().as_str(), name, "{error:?}");
        }
    }
    let enabled = place.table(&[]).await.name().to_string();
    let error = admin.truncate_table(&enabled).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WrongTableState, "{error:?}");
    assert_eq!(
        admin.hbase().unwrap().compaction_state(&enabled).await.unwrap(),
        CompactionState::None
    );
}

pub(crate) async fn a_truncated_table_is_empty_and_keeps_its_regions(place: Place) {
    let admin = place.client.admin();
    let table = place.table(&["m"]).await;
    let name = table.name().as_str();
    for row in ["a", "z"] {
        table.put(Put::new(row).cell("f", "q", "v")).await.unwrap();
    }
    admin.hbase().unwrap().disable_table(name).await.unwrap();
    admin.truncate_table(name).await.unwrap();
    assert!(admin.hbase().unwrap().is_table_enabled(name).await.unwrap());
    assert_eq!(admin.hbase().unwrap().regions(name).await.unwrap().len(), 2);
    assert_eq!(Place::keys(&table, Scan::all()).await, [""; 0]);
    table.put(Put::new("a").cell("f", "q", "v")).await.unwrap();
    assert_eq!(Place::keys(&table, Scan::all()).await, ["a"]);
}

pub(crate) async fn an_invalid_family_is_rejected_before_it_is_sent(place: Place) {
    let admin = place.client.admin();
    let live = place.table(&[]).await.name().to_string();
    let free = place.table_name().await;
    let families = |names: &[&str]| {
        let none = TableDescriptor::new(&free).unwrap();
        names.iter().fold(none, |table, name| table.family(FamilyDescriptor::new(*name)))
    };
    let long = "f".repeat(128);
    for (names, message) in [
        (&["d:x"][..], "family name \"d:x\": ':' is not allowed"),
        (&["d", ""], "family name \"\": it must not be empty"),
        (&[".d"], "family name \".d\": it must not start with '.'"),
        (&["a/b"], "family name \"a/b\": '/' is not allowed"),
        (&["a\\b"], "family name \"a\\\\b\": '\\\\' is not allowed"),
        (&["a\n"], "family name \"a\\n\": '\\n' is not allowed"),
        (&["recovered.edits"], "family name \"recovered.edits\": "),
        (&[&long], "it must not be longer than 127 bytes, found 128"),
        (&["d", "e", "d"], "family \"d\" is given twice; keep one"),
    ] {
        let table = families(names);
        let diff = table.diff(&admin.describe(&live).await.unwrap());
        for error in
            [admin.create_table(&table).await.unwrap_err(), admin.alter(&diff).await.unwrap_err()]
        {
            let found = (error.kind(), error.attempts());
            assert_eq!(found, (ErrorKind::InvalidArgument, 0), "{names:?}: {error:?}");
            assert!(error.to_string().contains(message), "{error}");
        }
    }
    assert!(!admin.table_exists(&free).await.unwrap());
    let largest = families(&["f", "é", &long[1..]]);
    admin.create_table(&largest).await.unwrap();
    assert_eq!(admin.describe(&free).await.unwrap().families().len(), 3);
}

/// A server answers such a request with an exception that does not forbid a retry, for as long as
/// it is asked.
pub(crate) async fn an_option_that_hbase_cannot_parse_is_rejected_before_it_is_sent(place: Place) {
    let admin = place.client.admin();
    let live = place.table(&[]).await.name().to_string();
    let free = place.table_name().await;
    let family = |key: &str, value: &str| {
        TableDescriptor::new(&free)
            .unwrap()
            .family(FamilyDescriptor::new("f").attribute(key, value))
    };
    let number = "a whole number from 1 to 2147483647";
    for (table, option, expected) in [
        (family("VERSIONS", "x"), "family \"f\": option VERSIONS is \"x\"", number),
        (family("VERSIONS", " 3"), "family \"f\": option VERSIONS is \" 3\"", number),
        (family("TTL", "1 DAY"), "option TTL is \"1 DAY\"", "a whole number of seconds from 1"),
        (family("IN_MEMORY", "yes"), "option IN_MEMORY is \"yes\"", "true or false"),
        (family("COMPRESSION", "zip"), "option COMPRESSION is \"zip\"", "one of NONE, GZ, "),
        (
            family("VERSIONS", "1").attribute("REGION_REPLICATION", "x"),
            "table: option REGION_REPLICATION is \"x\"",
            number,
        ),
        (
            family("VERSIONS", "1").attribute("DURABILITY", "sync_wal"),
            "table: option DURABILITY is \"sync_wal\"",
            "one of USE_DEFAULT, SKIP_WAL, ASYNC_WAL, SYNC_WAL, FSYNC_WAL, in capitals",
        ),
    ] {
        let diff = table.diff(&admin.describe(&live).await.unwrap());
        for error in
            [admin.create_table(&table).await.unwrap_err(), admin.alter(&diff).await.unwrap_err()]
        {
            let found = (error.kind(), error.attempts());
            assert_eq!(found, (ErrorKind::InvalidArgument, 0), "{option}: {error:?}");
            assert!(error.to_string().contains(&format!("{option}; write {expected}")), "{error}");
        }
    }
    assert!(!admin.table_exists(&free).await.unwrap());
    let forever = family("TTL", "FOREVER");
    admin.create_table(&forever).await.unwrap();
    assert_eq!(forever.families()[0].get("TTL"), Some("2147483647"));
}

/// `secured::access_control` has those of a cluster that has some.
pub(crate) async fn permissions_of_a_cluster_without_them_are_unsupported(place: Place) {
    let hbase = place.client.admin().hbase().unwrap();
    if place.client.mock_cluster().is_none() && std::env::var_os(KERBEROS).is_some() {
        return;
    }
    let (global, read) = (PermissionScope::global(), [Permission::Read]);
    for error in [
        hbase.grant("ada", &global, read).await.unwrap_err(),
        hbase.grant_more("ada", &global, read).await.unwrap_err(),
        hbase.revoke("ada", &global).await.unwrap_err(),
        hbase.list_permissions(&global).await.unwrap_err(),
        hbase.has_permissions("ada", &global, read).await.unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        assert!(error.to_string().contains("AccessController is not loaded"), "{error}");
    }
    for error in
        [hbase.who_am_i().await.unwrap_err(), hbase.delegation_token().await.map(drop).unwrap_err()]
    {
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        assert!(error.to_string().contains("TokenProvider"), "{error}");
    }
    let nothing = hbase.grant("ada", &global, []).await.unwrap_err();
    assert_eq!(nothing.kind(), ErrorKind::InvalidArgument, "{nothing}");
}
