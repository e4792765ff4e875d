//! Tables from row types, compared with live ones and altered.

use std::time::Duration;

use tallrow::{
    ErrorKind, FamilyDescriptor, Get, Put, RowKey, Table, TableDescriptor,
    admin::{AlterStep, KeyLayout},
};
use tallrow_tests::Place;

#[derive(RowKey, Clone)]
#[row_key(salt(buckets = 4, fields = (user)))]
struct VisitKey {
    user: u32,
    #[key(rev_ts)]
    at: i64,
}

/// A table for each case: on a real cluster they run concurrently.
macro_rules! visits {
    ($name:ident, $table:tt) => {
        #[derive(Table)]
        #[table(name = $table)]
        #[family("d", versions = 3, ttl = "30d", keep_deleted_cells = true)]
        #[family("c")]
        struct $name {
            #[key]
            #[allow(dead_code, reason = "only the table is looked at")]
            key: VisitKey,
            #[cell("d:p")]
            page: Option<String>,
            #[cell("c:n")]
            count: Option<i64>,
        }
    };
}

visits!(Visit, "t_schema_created");

pub(crate) async fn a_table_is_created_from_its_row_type(place: Place) {
    place.drop_table(Visit::TABLE).await;
    let admin = place.client.admin();
    let error = place.client.open::<Visit>().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableNotFound, "{error:?}");
    assert_eq!(
        error.to_string(),
        "open t_schema_created: the table does not exist; create it first"
    );
    assert_eq!(admin.diff::<Visit>().await.unwrap_err().kind(), ErrorKind::TableNotFound);

    assert!(admin.create_if_missing::<Visit>().await.unwrap());
    assert!(!admin.create_if_missing::<Visit>().await.unwrap());
    let error = admin.create::<Visit>().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableExists, "{error:?}");

    let live = admin.describe(Visit::TABLE).await.unwrap();
    let family = |name: &str| live.families().iter().find(|f| f.name() == name).unwrap();
    assert_eq!(family("d").get("VERSIONS"), Some("3"));
    assert_eq!(family("d").get("TTL"), Some("2592000"));
    let layout = KeyLayout::of_table(&live).unwrap();
    assert_eq!(layout, KeyLayout::of::<VisitKey>());
    assert_eq!(layout.schema(), VisitKey::SCHEMA);
    assert!(
        live.to_string().starts_with("create 't_schema_created', {NAME => 'c'}, {NAME => 'd', ")
            && live.to_string().contains("KEEP_DELETED_CELLS => 'TRUE'"),
        "{live}"
    );
    let regions = admin.hbase().unwrap().regions(Visit::TABLE).await.unwrap();
    let starts: Vec<_> = regions.iter().skip(1).map(|r| r.start_key().to_vec()).collect();
    assert_eq!(starts, VisitKey::SPLITS, "a region for each bucket");
    let defined = || TableDescriptor::of::<Visit>().unwrap();
    assert_eq!(defined().regions(2).unwrap().split_keys(), [vec![2]]);
    assert!(defined().regions(1).unwrap().split_keys().is_empty());
    let bare = TableDescriptor::new("t_schema_bare").unwrap();
    // Buckets that cannot be divided evenly, no buckets, keys that start with unhashed values, no
    // row type.
    let clear = TableDescriptor::of::<After>().unwrap();
    for wrong in [defined().regions(3), defined().regions(0), clear.regions(2), bare.regions(2)] {
        let error = wrong.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error:?}");
        assert!(error.table().is_some(), "{error:?}");
    }
    let diff = admin.diff::<Visit>().await.unwrap();
    assert!(diff.is_empty() && diff.unmanaged().is_empty(), "{diff:?}");
    place.client.open::<Visit>().await.unwrap();
}

visits!(Altered, "t_schema_altered");

pub(crate) async fn differences_are_listed_and_altered(place: Place) {
    place.drop_table(Altered::TABLE).await;
    let admin = place.client.admin();
    let live = TableDescriptor::new(Altered::TABLE)
        .unwrap()
        .family(
            FamilyDescriptor::new("d")
                .versions(2)
                .ttl(Duration::from_secs(86_400))
                .block_size(8_192)
                .configuration("hbase.hstore.blockingStoreFiles", 20),
        )
        .family(FamilyDescriptor::new("x"))
        .attribute("OWNED_BY", "it's us")
        .attribute("MAX_FILESIZE", 1 << 30);
    admin.create_table(&live).await.unwrap();
    let raw = place.client.raw_table(Altered::TABLE).unwrap();
    raw.put(Put::new("r").cell("d", "p", "page").cell("x", "q", "kept")).await.unwrap();

    let error = place.client.open::<Altered>().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SchemaDrift, "{error:?}");
    assert_eq!(
        error.to_string(),
        "open t_schema_altered: the table is not as it is defined: there is no family c; \
         family d: VERSIONS is 2, the definition says 3; \
         family d: TTL is 86400, the definition says 2592000; \
         family d: KEEP_DELETED_CELLS is FALSE, the definition says TRUE; \
         fix it with Admin::alter, or in the shell: alter 't_schema_altered', {NAME => 'c'}; \
         alter 't_schema_altered', {NAME => 'd', VERSIONS => 3, TTL => 2592000, KEEP_DELETED_CELLS => 'TRUE'}"
    );
    let error = admin.create_if_missing::<Altered>().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SchemaDrift, "{error:?}");

    let diff = admin.diff::<Altered>().await.unwrap();
    assert!(matches!(diff.steps(), [AlterStep::AddFamily(_), AlterStep::ModifyFamily(..)]));
    assert!(diff.disallowed().is_empty());
    let mut unmanaged = diff.unmanaged().to_vec();
    unmanaged.sort();
    assert_eq!(
        unmanaged,
        [
            "MAX_FILESIZE 1073741824",
            "OWNED_BY it's us",
            "family d: BLOCKSIZE 8192",
            "family d: hbase.hstore.blockingStoreFiles 20",
            "family x",
        ]
    );
    admin.alter(&diff).await.unwrap();

    let altered = admin.describe(Altered::TABLE).await.unwrap();
    let d = altered.families().iter().find(|f| f.name() == "d").unwrap();
    let options = [
        ("VERSIONS", "3"),
        ("TTL", "2592000"),
        ("KEEP_DELETED_CELLS", "TRUE"),
        ("BLOCKSIZE", "8192"),
        ("hbase.hstore.blockingStoreFiles", "20"),
    ];
    for (key, value) in options {
        assert_eq!(d.get(key), Some(value), "{key}");
    }
    assert_eq!(altered.get("OWNED_BY"), Some("it's us"));
    assert_eq!(altered.families().len(), 3);
    place.client.open::<Altered>().await.unwrap();
    assert!(admin.diff::<Altered>().await.unwrap().is_empty());
    let row = raw.get(Get::new("r")).await.unwrap().unwrap();
    assert_eq!(
        (row.value("d", "p"), row.value("x", "q")),
        (Some(&b"page"[..]), Some(&b"kept"[..]))
    );
    // The regions have the new family when the call returns.
    raw.put(Put::new("r").cell("c", "n", 1i64.to_be_bytes())).await.unwrap();

    let error = admin.alter(&diff).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SchemaDrift, "{error:?}");
    assert!(error.to_string().contains("altered since"), "{error}");
}

visits!(Lossy, "t_schema_lossy");

pub(crate) async fn changes_that_lose_data_are_rejected_unless_allowed_by_name(place: Place) {
    place.drop_table(Lossy::TABLE).await;
    let admin = place.client.admin();
    let live = TableDescriptor::new(Lossy::TABLE)
        .unwrap()
        .family(FamilyDescriptor::new("c"))
        .family(
            FamilyDescriptor::new("d")
                .versions(9)
                .keep_deleted_cells(tallrow::admin::KeepDeletedCells::Yes),
        )
        .family(FamilyDescriptor::new("old"));
    admin.create_table(&live).await.unwrap();
    let before = admin.describe(Lossy::TABLE).await.unwrap();
    let diff = admin.diff::<Lossy>().await.unwrap();
    assert_eq!(diff.disallowed(), ["d.VERSIONS", "d.TTL"]);
    for refused in [diff.clone(), diff.clone().allow("d.TTL"), diff.clone().allow("d")] {
        let error = admin.alter(&refused).await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0), "{error:?}");
        assert!(error.to_string().contains("call allow(\"d.VERSIONS\")"), "{error}");
    }
    for family in ["c", "nosuch"] {
        let error = admin.alter(&diff.clone().delete_family(family)).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error:?}");
    }
    assert_eq!(admin.describe(Lossy::TABLE).await.unwrap(), before);

    let diff = diff.allow("d.VERSIONS").allow("d.TTL").delete_family("old");
    admin.alter(&diff).await.unwrap();
    let live = admin.describe(Lossy::TABLE).await.unwrap();
    let names: Vec<_> = live.families().iter().map(FamilyDescriptor::name).collect();
    assert_eq!(names, ["c", "d"]);
    place.client.open::<Lossy>().await.unwrap();
}

#[derive(RowKey, Clone)]
struct OtherKey {
    user: u64,
    #[key(rev_ts)]
    at: i64,
}

visits!(Before, "t_schema_key");
#[derive(Table)]
#[table(name = "t_schema_key")]
#[family("d")]
struct After {
    #[key]
    #[allow(dead_code, reason = "only the table is looked at")]
    key: OtherKey,
    #[cell("d:p")]
    page: Option<String>,
}

pub(crate) async fn a_key_of_another_layout_is_reported_and_cannot_be_altered(place: Place) {
    place.drop_table(Before::TABLE).await;
    let admin = place.client.admin();
    admin.create::<Before>().await.unwrap();
    place.client.open::<Before>().await.unwrap();
    let diff = admin.diff::<After>().await.unwrap();
    assert!(!diff.is_empty() && diff.steps().is_empty());
    let (there, defined) = diff.incompatible_key_layouts().unwrap();
    assert_eq!((there.schema(), defined.schema()), (VisitKey::SCHEMA, OtherKey::SCHEMA));
    for error in
        [place.client.open::<After>().await.unwrap_err(), admin.alter(&diff).await.unwrap_err()]
    {
        assert_eq!(error.kind(), ErrorKind::SchemaDrift, "{error:?}");
        let text = error.to_string();
        assert!(text.contains("user: u32") && text.contains("user: u64"), "{text}");
        assert!(text.ends_with("copy the rows to a new table"), "{text}");
    }

    // A table without a recorded layout is not checked.
    place.drop_table(Before::TABLE).await;
    let plain = Before::families().into_iter();
    let plain = plain.fold(TableDescriptor::new(Before::TABLE).unwrap(), TableDescriptor::family);
    admin.create_table(&plain).await.unwrap();
    place.client.open::<After>().await.unwrap();
}

/// The defaults of the diff are those of the server.
pub(crate) async fn a_stated_default_is_no_difference(place: Place) {
    let name = place.table_name().await;
    let admin = place.client.admin();
    let bare = TableDescriptor::new(&name).unwrap().family(FamilyDescriptor::new("d"));
    admin.create_table(&bare).await.unwrap();
    let live = admin.describe(&name).await.unwrap();
    assert!(bare.diff(&live).is_empty());
    assert!(bare.diff(&live).unmanaged().is_empty(), "{:?}", bare.diff(&live).unmanaged());
    assert_eq!(live.to_string(), format!("create '{name}', {{NAME => 'd'}}"));

    let options = [
        ("VERSIONS", "1"),
        ("MIN_VERSIONS", "0"),
        ("TTL", "FOREVER"),
        ("KEEP_DELETED_CELLS", "false"),
        ("BLOOMFILTER", "row"),
        ("COMPRESSION", "none"),
        ("BLOCKSIZE", "65536"),
        ("IN_MEMORY", "FALSE"),
        ("DATA_BLOCK_ENCODING", "NONE"),
        ("REPLICATION_SCOPE", "0"),
        ("BLOCKCACHE", "true"),
        ("MOB_THRESHOLD", "102400"),
        ("PREFETCH_BLOCKS_ON_OPEN", "false"),
    ];
    let family = options.iter().fold(FamilyDescriptor::new("d"), |f, (k, v)| f.attribute(k, v));
    let stated = TableDescriptor::new(&name)
        .unwrap()
        .family(family)
        .attribute("READONLY", false)
        .attribute("MAX_FILESIZE", -1)
        .attribute("DURABILITY", "USE_DEFAULT")
        .attribute("REGION_REPLICATION", 1);
    let diff = stated.diff(&live);
    assert!(diff.is_empty(), "{diff}");
    admin.alter(&diff).await.unwrap();
    assert_eq!(admin.describe(&name).await.unwrap(), live);

    let other = TableDescriptor::new(&name)
        .unwrap()
        .family(FamilyDescriptor::new("d").in_memory(true))
        .attribute("READONLY", true)
        .attribute("COLOUR", "red");
    let diff = other.diff(&live);
    assert_eq!(
        diff.to_shell(),
        format!(
            "alter '{name}', READONLY => 'true', METADATA => {{'COLOUR' => 'red'}}\n\
             alter '{name}', {{NAME => 'd', IN_MEMORY => 'true'}}\n"
        )
    );
    admin.alter(&diff).await.unwrap();
    let live = admin.describe(&name).await.unwrap();
    assert!(other.diff(&live).is_empty());
    assert_eq!((live.get("READONLY"), live.get("COLOUR")), (Some("true"), Some("red")));
}
