//! Tables, families, splits, dropped rows.

use std::collections::BTreeMap;

use tallrow_wire::bigtable::*;
use tonic::Code;

use crate::client::{Client, INSTANCE, create, family, set};

const VERSIONS: fn(i32) -> Option<GarbageRule> = |n| Some(GarbageRule::MaxNumVersions(n));

async fn get(client: &Client, name: &str, view: View) -> Result<Table, tonic::Status> {
    let request = GetTableRequest { name: name.into(), view: view as i32 };
    client.call(method::GET_TABLE, request).await
}

#[tokio::test]
async fn a_table_is_created_described_listed_and_deleted() {
    let client = Client::start().await;
    let age = Duration { seconds: 60, nanos: 0 };
    let rules = [VERSIONS(3), Some(GarbageRule::MaxAge(age))];
    let parts = rules.clone().map(|rule| GcRule { rule }).to_vec();
    let column_families = BTreeMap::from([
        ("all".to_owned(), family(None)),
        ("both".to_owned(), family(Some(GarbageRule::Intersection(Intersection { rules: parts })))),
        ("three".to_owned(), family(VERSIONS(3))),
    ]);
    let request = create("t-1", column_families.clone());
    let created = client.call(method::CREATE_TABLE, request.clone()).await.unwrap();
    let name = format!("{INSTANCE}/tables/t-1");
    assert_eq!((&created.name, &created.column_families), (&name, &column_families));
    let again = client.call(method::CREATE_TABLE, request).await.unwrap_err();
    assert_eq!(
        (again.code(), again.message()),
        (Code::AlreadyExists, &*format!("Table already exists: {name}"))
    );
    let described = get(&client, &name, View::ViewUnspecified).await.unwrap();
    assert_eq!(described.column_families, column_families);
    assert_eq!(described.granularity(), TimestampGranularity::Millis);
    let full = get(&client, &name, View::Full).await.unwrap();
    assert_eq!(full.cluster_states.len(), 1);
    let short = get(&client, &name, View::NameOnly).await.unwrap();
    assert_eq!(short, Table { name: name.clone(), ..Default::default() });
    client.table("t-0", &[], &[]).await;
    let list = |page_size, page_token: &str| ListTablesRequest {
        parent: INSTANCE.into(),
        page_size,
        page_token: page_token.into(),
        ..Default::default()
    };
    let all = client.call(method::LIST_TABLES, list(0, "")).await.unwrap();
    let names: Vec<_> = all.tables.iter().map(|t| t.name.rsplit('/').next().unwrap()).collect();
    assert_eq!((names, &*all.next_page_token), (vec!["t-0", "t-1"], ""));
    let page = client.call(method::LIST_TABLES, list(1, "")).await.unwrap();
    assert_eq!((page.tables.len(), &*page.next_page_token), (1, "t-0"));
    let page = client.call(method::LIST_TABLES, list(1, "t-0")).await.unwrap();
    assert_eq!((&*page.tables[0].name, &*page.next_page_token), (&*name, ""));
    let delete = DeleteTableRequest { name: name.clone() };
    client.call(method::DELETE_TABLE, delete.clone()).await.unwrap();
    for status in [
        client.call(method::DELETE_TABLE, delete).await.unwrap_err(),
        get(&client, &name, View::NameOnly).await.unwrap_err(),
    ] {
        assert_eq!(
            (status.code(), status.message()),
            (Code::NotFound, &*format!("Table not found: {name}"))
        );
    }
}

#[tokio::test]
async fn bad_tables_are_refused() {
    let client = Client::start().await;
    let good = create("t", BTreeMap::new());
    let of_family = |name: &str, rule| create("t", [(name.to_owned(), family(rule))].into());
    let split = |key: &'static str| Split { key: key.into() };
    let nothing = Some(GarbageRule::MaxAge(Duration { seconds: 0, nanos: 1 }));
    for bad in [
        CreateTableRequest { parent: "i".into(), ..good.clone() },
        CreateTableRequest { table_id: String::new(), ..good.clone() },
        CreateTableRequest { table_id: "ns:t".into(), ..good.clone() },
        CreateTableRequest { table_id: "t".repeat(51), ..good.clone() },
        CreateTableRequest { initial_splits: vec![split("a"), split("a")], ..good.clone() },
        CreateTableRequest { initial_splits: vec![split("")], ..good.clone() },
        of_family("a b", None),
        of_family("f", VERSIONS(0)),
        of_family("f", nothing),
    ] {
        let status = client.call(method::CREATE_TABLE, bad.clone()).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{bad:?}");
    }
    let protected = Table { deletion_protection: true, ..Default::default() };
    let request = CreateTableRequest { table: Some(protected), ..good };
    client.call(method::CREATE_TABLE, request).await.unwrap();
}

/// Like Bigtable: deletion protection.
#[tokio::test]
async fn a_protected_table_is_not_deleted_nor_its_families() {
    let client = Client::start().await;
    let name = client.table("t", &["f"], &[]).await;
    let protect = async |deletion_protection, field: &str| {
        let request = UpdateTableRequest {
            table: Some(Table { name: name.clone(), deletion_protection, ..Default::default() }),
            update_mask: Some(FieldMask { paths: vec![field.to_owned()] }),
            ignore_warnings: false,
        };
        client.call(method::UPDATE_TABLE, request).await
    };
    protect(true, "deletion_protection").await.unwrap();
    assert!(get(&client, &name, View::ViewUnspecified).await.unwrap().deletion_protection);
    let other = protect(true, "automated_backup_policy").await.unwrap_err();
    assert_eq!(other.code(), Code::Unimplemented);
    let delete = DeleteTableRequest { name: name.clone() };
    let drop = || client.modify(&name, vec![("f", FamilyChange::Drop(true))]);
    for status in [
        client.call(method::DELETE_TABLE, delete.clone()).await.unwrap_err(),
        drop().await.unwrap_err(),
    ] {
        assert_eq!(status.code(), Code::FailedPrecondition);
    }
    protect(false, "deletion_protection").await.unwrap();
    drop().await.unwrap();
    client.call(method::DELETE_TABLE, delete).await.unwrap();
}

/// A row key schema of texts with these names.
fn key_schema(names: &[&str], joined: StructEncodingKind) -> StructType {
    let utf8 = StringEncoding { encoding: Some(StringEncodingKind::Utf8Bytes(Marker {})) };
    let text = Type { kind: Some(TypeKind::StringType(StringType { encoding: Some(utf8) })) };
    let field =
        |name: &&str| StructField { field_name: name.to_string(), r#type: Some(text.clone()) };
    let encoding = Some(StructEncoding { encoding: Some(joined) });
    StructType { fields: names.iter().map(field).collect(), encoding }
}

/// Like Bigtable: a row key schema is kept, set where there is none, removed, and not changed.
#[tokio::test]
async fn a_row_key_schema_is_set_and_removed_and_not_changed() {
    let client = Client::start().await;
    let delimited = |delimiter: &'static [u8]| {
        StructEncodingKind::DelimitedBytes(DelimitedBytes { delimiter: delimiter.into() })
    };
    let ordered = || StructEncodingKind::OrderedCodeBytes(Marker {});
    let create = async |id: &str, key: StructType| {
        let families = [("f".to_owned(), family(None))];
        let table = Table {
            column_families: BTreeMap::from(families),
            row_key_schema: Some(key),
            ..Default::default()
        };
        let request = CreateTableRequest {
            parent: INSTANCE.into(),
            table_id: id.into(),
            table: Some(table),
            initial_splits: Vec::new(),
        };
        client.call(method::CREATE_TABLE, request).await
    };
    let key = key_schema(&["user", "page"], delimited(b"#"));
    create("t", key.clone()).await.unwrap();
    let name = format!("{INSTANCE}/tables/t");
    let live = async |view| get(&client, &name, view).await.unwrap().row_key_schema;
    assert_eq!(live(View::SchemaView).await.as_ref(), Some(&key));
    assert_eq!(live(View::Full).await.as_ref(), Some(&key));
    assert_eq!(live(View::NameOnly).await, None);

    let update = async |row_key_schema: Option<StructType>, ignore_warnings| {
        let request = UpdateTableRequest {
            table: Some(Table { name: name.clone(), row_key_schema, ..Default::default() }),
            update_mask: Some(FieldMask { paths: vec!["row_key_schema".to_owned()] }),
            ignore_warnings,
        };
        client.call(method::UPDATE_TABLE, request).await.map_err(|status| status.code())
    };
    let other = key_schema(&["user", "page"], ordered());
    update(Some(key.clone()), false).await.unwrap();
    assert_eq!(update(Some(other.clone()), true).await.unwrap_err(), Code::InvalidArgument);
    assert_eq!(update(None, false).await.unwrap_err(), Code::InvalidArgument);
    assert_eq!(live(View::SchemaView).await.as_ref(), Some(&key));
    update(None, true).await.unwrap();
    assert_eq!(live(View::SchemaView).await, None);
    update(None, false).await.unwrap();
    update(Some(other.clone()), false).await.unwrap();
    assert_eq!(live(View::SchemaView).await, Some(other));

    let no_encoding = StructType { encoding: None, ..key.clone() };
    let mut plain = key.clone();
    let no_type = StringType { encoding: None };
    plain.fields[0].r#type = Some(Type { kind: Some(TypeKind::StringType(no_type)) });
    let of_51: &[u8] = &[b'-'; 51];
    for (key, why) in [
        (key_schema(&["user", ""], ordered()), "Field #1 has no field_name"),
        (key_schema(&["user", "_key"], ordered()), "The field_name _key is reserved"),
        (key_schema(&["f", "g"], ordered()), "The field_name f is the name of a column family"),
        (key_schema(&["g", "g"], ordered()), "The field_name g is there twice"),
        (key_schema(&["a", "b"], StructEncodingKind::Singleton(Marker {})), "A singleton has one"),
        (key_schema(&[], ordered()), "It has no fields"),
        (key_schema(&["a", "b"], delimited(b"")), "A delimiter has 1 to 50 bytes, and it has 0"),
        (key_schema(&["a", "b"], delimited(of_51)), "A delimiter has 1 to 50 bytes"),
        (no_encoding, "It has no encoding"),
        (plain, "The type of the field user is not a scalar type with an encoding"),
    ] {
        let status = create("bad", key).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
        let text = status.message();
        let expected = format!("Error in field 'row_key_schema' : {why}");
        assert!(text.starts_with(&expected), "{text}");
    }
}

#[tokio::test]
async fn families_are_changed_all_or_none() {
    let client = Client::start().await;
    let name = client.table("t", &["a", "b"], &[]).await;
    client.put(&name, "r", &[("a", "q", 0, "1"), ("b", "q", 0, "2")]).await;
    let modify = |changes| client.modify(&name, changes);
    let create = |id| (id, FamilyChange::Create(family(None)));
    let update = |id| (id, FamilyChange::Update(family(VERSIONS(2))));
    let drop = |id| (id, FamilyChange::Drop(true));
    for (changes, code) in [
        (vec![drop("a"), create("b")], Code::AlreadyExists),
        (vec![drop("a"), update("c")], Code::NotFound),
        (vec![drop("a"), drop("a")], Code::NotFound),
        (vec![drop("a"), ("b", FamilyChange::Drop(false))], Code::InvalidArgument),
        (Vec::new(), Code::InvalidArgument),
    ] {
        assert_eq!(modify(changes).await.unwrap_err().code(), code);
    }
    assert_eq!(client.all(&name).await, ["r/a:q@0=1", "r/b:q@0=2"]);
    let changed = modify(vec![drop("a"), create("a"), update("b"), create("c")]).await.unwrap();
    let families = [("a", None), ("b", VERSIONS(2)), ("c", None)];
    let families = families.map(|(name, rule)| (name.to_owned(), family(rule)));
    assert_eq!(changed.column_families, BTreeMap::from(families));
    // The rows of a family that was dropped do not come back.
    modify(vec![drop("b")]).await.unwrap();
    modify(vec![create("b"), drop("a")]).await.unwrap();
    assert_eq!(client.all(&name).await, Vec::<String>::new());
}

#[tokio::test]
async fn splits_are_kept_and_rows_are_dropped_by_prefix() {
    let client = Client::start().await;
    let name = client.table("t", &["f"], &["m", "b", "bb"]).await;
    for row in ["a", "b", "ba", "bb", "c", "z"] {
        client.put(&name, row, &[("f", "q", 0, "v")]).await;
    }
    let request = SampleRowKeysRequest { table_name: name.clone(), ..Default::default() };
    let (samples, _) = client.stream(method::SAMPLE_ROW_KEYS, request).await;
    let keys: Vec<_> = samples.iter().map(|s| &s.row_key[..]).collect();
    assert_eq!(keys, [&b"b"[..], b"bb", b"m", b""]);
    let drop = async |target| {
        let request = DropRowRangeRequest { name: name.clone(), target };
        client.call(method::DROP_ROW_RANGE, request).await
    };
    drop(Some(DropTarget::RowKeyPrefix("b".into()))).await.unwrap();
    let left = ["a", "c", "z"].map(|row| format!("{row}/f:q@0=v"));
    assert_eq!(client.all(&name).await, left);
    for bad in [
        None,
        Some(DropTarget::RowKeyPrefix("".into())),
        Some(DropTarget::DeleteAllDataFromTable(false)),
    ] {
        assert_eq!(drop(bad).await.unwrap_err().code(), Code::InvalidArgument);
    }
    drop(Some(DropTarget::DeleteAllDataFromTable(true))).await.unwrap();
    assert_eq!(client.all(&name).await, Vec::<String>::new());
    client.mutate(&name, "b", vec![set("f", "q", 0, "v")]).await.unwrap();
    assert_eq!(client.all(&name).await, ["b/f:q@0=v"]);
}

/// Unlike Bigtable: replication has always ended.
#[tokio::test]
async fn everything_is_consistent_at_once_and_a_ping_is_answered() {
    let client = Client::start().await;
    let name = client.table("t", &[], &[]).await;
    let request = GenerateConsistencyTokenRequest { name: name.clone() };
    let token = client.call(method::GENERATE_CONSISTENCY_TOKEN, request).await.unwrap();
    let consistency_token = token.consistency_token;
    let request = CheckConsistencyRequest { name: name.clone(), consistency_token };
    assert!(client.call(method::CHECK_CONSISTENCY, request).await.unwrap().consistent);
    let request = CheckConsistencyRequest { name, consistency_token: "other".into() };
    let other = client.call(method::CHECK_CONSISTENCY, request).await.unwrap_err();
    assert_eq!(other.code(), Code::InvalidArgument);
    let ping = PingAndWarmRequest { name: INSTANCE.into(), ..Default::default() };
    client.call(method::PING_AND_WARM, ping).await.unwrap();
}

/// Unlike Bigtable: no app profiles or materialized views, and no SQL, only answers to queries that
/// a test has scripted.
#[tokio::test]
async fn an_unknown_method_is_unimplemented_and_an_empty_request_never_ends_the_server() {
    let client = Client::start().await;
    let paths: [&'static str; 5] = [
        "/google.bigtable.admin.v2.BigtableTableAdmin/SnapshotTable",
        "/google.bigtable.v2.Bigtable/",
        "/google.bigtable.admin.v2.BigtableInstanceAdmin/CreateInstance",
        "/x/y",
        "/google.bigtable.v2.Bigtable/OpenTable",
    ];
    for path in paths {
        let status = client.call(path, PingAndWarmRequest::default()).await.unwrap_err();
        assert_eq!(status.code(), Code::Unimplemented, "{path}");
    }
    let methods: [&'static str; 40] = [
        method::READ_ROWS,
        method::SAMPLE_ROW_KEYS,
        method::MUTATE_ROW,
        method::MUTATE_ROWS,
        method::CHECK_AND_MUTATE_ROW,
        method::PING_AND_WARM,
        method::READ_MODIFY_WRITE_ROW,
        method::CREATE_TABLE,
        method::LIST_TABLES,
        method::GET_TABLE,
        method::UPDATE_TABLE,
        method::DELETE_TABLE,
        method::MODIFY_COLUMN_FAMILIES,
        method::DROP_ROW_RANGE,
        method::GENERATE_CONSISTENCY_TOKEN,
        method::CHECK_CONSISTENCY,
        method::PREPARE_QUERY,
        method::EXECUTE_QUERY,
        method::UNDELETE_TABLE,
        method::CREATE_BACKUP,
        method::GET_BACKUP,
        method::UPDATE_BACKUP,
        method::DELETE_BACKUP,
        method::LIST_BACKUPS,
        method::COPY_BACKUP,
        method::RESTORE_TABLE,
        method::CREATE_AUTHORIZED_VIEW,
        method::LIST_AUTHORIZED_VIEWS,
        method::GET_AUTHORIZED_VIEW,
        method::UPDATE_AUTHORIZED_VIEW,
        method::DELETE_AUTHORIZED_VIEW,
        method::CREATE_SCHEMA_BUNDLE,
        method::UPDATE_SCHEMA_BUNDLE,
        method::GET_SCHEMA_BUNDLE,
        method::LIST_SCHEMA_BUNDLES,
        method::DELETE_SCHEMA_BUNDLE,
        method::GET_OPERATION,
        method::CANCEL_OPERATION,
        method::GENERATE_INITIAL_CHANGE_STREAM_PARTITIONS,
        method::READ_CHANGE_STREAM,
    ];
    for path in methods {
        let status = client.call(path, PingAndWarmRequest::default()).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{path}");
    }
}

#[tokio::test]
async fn an_instance_can_be_the_only_one() {
    let builder = tallrow_mock::MockCluster::builder().bigtable_instance("p", "i");
    let client = Client::of(builder).await;
    client.table("t", &["f"], &[]).await;
    let read = |instance: &str| ReadRowsRequest {
        table_name: format!("{instance}/tables/t"),
        ..Default::default()
    };
    client.stream(method::READ_ROWS, read(INSTANCE)).await.1.unwrap();
    for other in ["projects/other/instances/i", "projects/p/instances/other"] {
        let status = client.stream(method::READ_ROWS, read(other)).await.1.unwrap_err();
        let expected = (Code::NotFound, &*format!("Instance not found: {other}"));
        assert_eq!((status.code(), status.message()), expected);
        let ping = PingAndWarmRequest { name: other.into(), ..Default::default() };
        let status = client.call(method::PING_AND_WARM, ping).await.unwrap_err();
        assert_eq!(status.code(), Code::NotFound);
    }
}

/// Servers in memory open no port, and are reached by their address.
#[tokio::test]
async fn a_cluster_in_memory_serves_bigtable_too() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let builder = tallrow_mock::MockCluster::builder().in_memory().bigtable_port(0);
    let cluster = builder.start().await.unwrap();
    let at = cluster.bigtable_address().unwrap();
    assert_eq!(at.to_string(), "127.0.0.1:8086");
    let mut stream = cluster.dial("127.0.0.1", 8086).unwrap();
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await.unwrap();
    let mut settings = [0; 9];
    stream.read_exact(&mut settings).await.unwrap();
    assert_eq!(settings[3], 4);
    cluster.shutdown().await;
    stream.read_to_end(&mut Vec::new()).await.unwrap();
    assert!(cluster.dial("127.0.0.1", 8086).is_err());
}

/// The callers that change the same tables at the same time.
const CALLERS: usize = 8;

/// Lets all callers, each with a connection of its own, make a call at the same time.
async fn all_call<A: Send + 'static, F>(
    client: &Client,
    call: impl Fn(Client, usize) -> F,
) -> Vec<Result<A, Code>>
where
    F: Future<Output = Result<A, tonic::Status>> + Send + 'static,
{
    let mut callers = tokio::task::JoinSet::new();
    for caller in 0..CALLERS {
        let call = call(Client::connect(client.cluster.clone()).await, caller);
        callers.spawn(async { call.await.map_err(|status| status.code()) });
    }
    callers.join_all().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_changes_at_the_same_time_one_is_made_or_all_are() {
    let client = Client::start().await;
    let name = format!("{INSTANCE}/tables/t");
    for round in 0..20 {
        let created = all_call(&client, |client: Client, _| async move {
            client.call(method::CREATE_TABLE, create("t", BTreeMap::new())).await
        });
        let created = created.await;
        let refused = created.iter().filter(|answer| **answer == Err(Code::AlreadyExists));
        assert_eq!(refused.count(), CALLERS - 1, "round {round}: {created:?}");
        let made = all_call(&client, |client: Client, caller| {
            let name = name.clone();
            async move {
                let change = FamilyChange::Create(family(None));
                client.modify(&name, vec![(&format!("f{caller}"), change)]).await
            }
        });
        let made = made.await;
        assert!(made.iter().all(Result::is_ok), "round {round}: {made:?}");
        let table = get(&client, &name, View::SchemaView).await.unwrap();
        let families: Vec<_> = table.column_families.into_keys().collect();
        let expected: Vec<_> = (0..CALLERS).map(|caller| format!("f{caller}")).collect();
        assert_eq!(families, expected, "round {round}");
        let deleted = all_call(&client, |client: Client, _| {
            let request = DeleteTableRequest { name: name.clone() };
            async move { client.call(method::DELETE_TABLE, request).await }
        });
        let deleted = deleted.await;
        let missing = deleted.iter().filter(|answer| **answer == Err(Code::NotFound));
        assert_eq!(missing.count(), CALLERS - 1, "round {round}: {deleted:?}");
    }
}
