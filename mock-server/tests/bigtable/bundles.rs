//! Schema bundles: how they are made, changed and deleted, and what their definitions have to be.

use bytes::Bytes;
use tallrow_mock::MockCluster;
use tallrow_wire::bigtable::*;
use tonic::{Code, Status};

use crate::backups::{START_MS, poll, restore, weekly};
use crate::client::{Client, INSTANCE, result};

/// The encoded definition of a file `visit.proto` with a message `Visit` without fields.
pub const FIRST: &[u8] = b"\x0a\x16\x0a\x0bvisit.proto\x22\x07\x0a\x05Visit";

/// That of the file with a message `Visit` and an enum `Browser`, whose only value is `A`.
pub const SECOND: &[u8] =
    b"\x0a\x28\x0a\x0bvisit.proto\x22\x07\x0a\x05Visit\x2a\x10\x0a\x07Browser\x12\x05\x0a\x01A\x10\0";

pub fn named(table: &str, id: &str) -> String {
    format!("{table}/schemaBundles/{id}")
}

fn of(descriptors: &'static [u8]) -> SchemaBundle {
    let proto_descriptors = Bytes::from_static(descriptors);
    let kind = SchemaBundleKind::ProtoSchema(ProtoDefinitions { proto_descriptors });
    SchemaBundle { r#type: Some(kind), ..Default::default() }
}

pub fn new(table: &str, id: &str, descriptors: &'static [u8]) -> CreateSchemaBundleRequest {
    CreateSchemaBundleRequest {
        parent: table.into(),
        schema_bundle_id: id.into(),
        schema_bundle: Some(of(descriptors)),
    }
}

/// A change of these fields of bundle `b` of a table, by the bundle of this etag.
pub fn change(table: &str, fields: &[&str], bundle: SchemaBundle) -> UpdateSchemaBundleRequest {
    UpdateSchemaBundleRequest {
        schema_bundle: Some(SchemaBundle { name: named(table, "b"), ..bundle }),
        update_mask: Some(FieldMask { paths: fields.iter().map(|&field| field.into()).collect() }),
        ignore_warnings: false,
    }
}

/// A change of the definitions of bundle `b` of a table.
pub fn redefine(table: &str, descriptors: &'static [u8]) -> UpdateSchemaBundleRequest {
    change(table, &["proto_schema"], of(descriptors))
}

async fn get(client: &Client, name: &str) -> Result<SchemaBundle, Status> {
    client.call(method::GET_SCHEMA_BUNDLE, GetSchemaBundleRequest { name: name.into() }).await
}

async fn create(client: &Client, request: CreateSchemaBundleRequest) -> Result<Operation, Status> {
    client.call(method::CREATE_SCHEMA_BUNDLE, request).await
}

async fn update(client: &Client, request: UpdateSchemaBundleRequest) -> Result<Operation, Status> {
    client.call(method::UPDATE_SCHEMA_BUNDLE, request).await
}

async fn delete(client: &Client, name: &str, etag: &str) -> Result<Empty, Status> {
    let request = DeleteSchemaBundleRequest { name: name.into(), etag: etag.into() };
    client.call(method::DELETE_SCHEMA_BUNDLE, request).await
}

/// A client with a table and a bundle `b` of `FIRST`.
async fn started(builder: tallrow_mock::MockClusterBuilder) -> (Client, String, String) {
    let client = Client::of(builder).await;
    let table = client.table("t", &["f"], &["m"]).await;
    create(&client, new(&table, "b", FIRST)).await.unwrap();
    let bundle = named(&table, "b");
    (client, table, bundle)
}

/// Like Bigtable: schema bundles are created, read, changed and deleted, by their etags.
#[tokio::test]
async fn a_bundle_is_read_changed_and_deleted() {
    let (client, table, bundle) = started(MockCluster::builder()).await;
    let found = get(&client, &bundle).await.unwrap();
    assert_eq!((&found.name, &found.r#type), (&bundle, &of(FIRST).r#type));
    assert!(!found.etag.is_empty());

    let with_etag = SchemaBundle { etag: found.etag.clone(), ..of(SECOND) };
    let changed = update(&client, change(&table, &["proto_schema"], with_etag.clone())).await;
    let changed: SchemaBundle = result(&changed.unwrap()).unwrap();
    assert_eq!(get(&client, &bundle).await.unwrap(), changed);
    assert_eq!(changed.r#type, of(SECOND).r#type);
    assert!(changed.etag != found.etag);

    // An etag is that of the bundle as it was read.
    let status = update(&client, change(&table, &["proto_schema"], with_etag)).await.unwrap_err();
    assert_eq!(status.code(), Code::Aborted, "{status}");
    assert_eq!(delete(&client, &bundle, &found.etag).await.unwrap_err().code(), Code::Aborted);

    // Without a mask, the fields that are set change; `*` is all fields.
    update(&client, change(&table, &[], SchemaBundle::default())).await.unwrap();
    assert_eq!(get(&client, &bundle).await.unwrap(), changed);
    for mask in [&[][..], &["*"], &["proto_schema.proto_descriptors"]] {
        for descriptors in [FIRST, SECOND] {
            let request = change(&table, mask, of(descriptors));
            let request = UpdateSchemaBundleRequest { ignore_warnings: true, ..request };
            update(&client, request).await.unwrap();
            assert_eq!(get(&client, &bundle).await.unwrap().r#type, of(descriptors).r#type);
        }
    }

    delete(&client, &bundle, &changed.etag).await.unwrap();
    for status in [
        get(&client, &bundle).await.unwrap_err(),
        delete(&client, &bundle, "").await.unwrap_err(),
        update(&client, redefine(&table, SECOND)).await.unwrap_err(),
    ] {
        let expected = (Code::NotFound, &*format!("Schema bundle not found: {bundle}"));
        assert_eq!((status.code(), status.message()), expected);
    }
}

#[tokio::test]
async fn bundles_are_listed_by_page_in_the_order_of_their_ids() {
    let (client, table, _) = started(MockCluster::builder()).await;
    let other = client.table("t2", &["f"], &[]).await;
    for (table, id) in [(&table, "c"), (&table, "a"), (&other, "x")] {
        create(&client, new(table, id, FIRST)).await.unwrap();
    }
    let list = async |page_size, page_token: &str| {
        let (parent, page_token) = (table.clone(), page_token.into());
        let request = ListSchemaBundlesRequest { parent, page_size, page_token };
        client.call(method::LIST_SCHEMA_BUNDLES, request).await
    };
    let names = |page: &ListSchemaBundlesResponse| -> Vec<String> {
        page.schema_bundles.iter().map(|bundle| bundle.name.clone()).collect()
    };
    let all = list(0, "").await.unwrap();
    let expected = ["a", "b", "c"].map(|id| named(&table, id));
    assert_eq!((names(&all), &*all.next_page_token), (expected.to_vec(), ""));
    assert!(all.schema_bundles.iter().all(|bundle| bundle.r#type == of(FIRST).r#type));
    let first = list(2, "").await.unwrap();
    assert_eq!(names(&first), expected[..2]);
    let rest = list(2, &first.next_page_token).await.unwrap();
    assert_eq!((names(&rest), &*rest.next_page_token), (expected[2..].to_vec(), ""));
    assert_eq!(list(-1, "").await.unwrap_err().code(), Code::InvalidArgument);
}

/// Like Bigtable: schema bundles that are refused, with their code.
#[tokio::test]
async fn bad_bundles_are_refused() {
    let (client, table, bundle) = started(MockCluster::builder()).await;
    // A file that is longer than a bundle may be: its name is not, but an unknown field.
    let mut large = FIRST.to_vec();
    large.extend(b"\x92\x3f\x81\x80\x80\x02");
    large.resize(large.len() + (4 << 20) + 1, b'x');
    let large: &'static [u8] = large.leak();
    for (bad, code) in [
        (new(&format!("{INSTANCE}/tables/none"), "w", FIRST), Code::NotFound),
        (new(INSTANCE, "w", FIRST), Code::InvalidArgument),
        (new(&table, "", FIRST), Code::InvalidArgument),
        (new(&table, "a/b", FIRST), Code::InvalidArgument),
        (new(&table, &"w".repeat(51), FIRST), Code::InvalidArgument),
        (new(&table, "b", FIRST), Code::AlreadyExists),
        (new(&table, "w", b""), Code::InvalidArgument),
        (new(&table, "w", b"no message"), Code::InvalidArgument),
        // A set without files, and a file without a name.
        (new(&table, "w", b"\x12\0"), Code::InvalidArgument),
        (new(&table, "w", b"\x0a\0"), Code::InvalidArgument),
        (new(&table, "w", large), Code::InvalidArgument),
        (
            CreateSchemaBundleRequest { schema_bundle: None, ..new(&table, "w", FIRST) },
            Code::InvalidArgument,
        ),
        (
            CreateSchemaBundleRequest {
                schema_bundle: Some(SchemaBundle::default()),
                ..new(&table, "w", FIRST)
            },
            Code::InvalidArgument,
        ),
    ] {
        let id = bad.schema_bundle_id.clone();
        let status = create(&client, bad).await.unwrap_err();
        assert_eq!(status.code(), code, "{id}: {status}");
    }
    for (bad, code) in [
        (change(&table, &["proto_schema"], SchemaBundle::default()), Code::InvalidArgument),
        (redefine(&table, b"no message"), Code::InvalidArgument),
        (change(&table, &["name"], of(SECOND)), Code::Unimplemented),
        (UpdateSchemaBundleRequest::default(), Code::InvalidArgument),
        (redefine(&format!("{INSTANCE}/tables/none"), SECOND), Code::NotFound),
        (redefine(INSTANCE, SECOND), Code::InvalidArgument),
    ] {
        let status = update(&client, bad.clone()).await.unwrap_err();
        assert_eq!(status.code(), code, "{bad:?}: {status}");
    }
    assert_eq!(get(&client, "b").await.unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(get(&client, &bundle).await.unwrap().r#type, of(FIRST).r#type);
}

/// Unlike Bigtable: a change of a schema bundle takes something away if a message, an enum, a field
/// or a value is gone, or a field has another type; what the service checks is not documented.
#[tokio::test]
async fn a_change_that_takes_something_away_has_to_be_allowed() {
    let (client, table, bundle) = started(MockCluster::builder()).await;
    update(&client, redefine(&table, SECOND)).await.unwrap();
    let status = update(&client, redefine(&table, FIRST)).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition, "{status}");
    assert!(status.message().contains("The enum .Browser is gone"), "{status}");
    assert_eq!(get(&client, &bundle).await.unwrap().r#type, of(SECOND).r#type);
    let request = UpdateSchemaBundleRequest { ignore_warnings: true, ..redefine(&table, FIRST) };
    update(&client, request).await.unwrap();
    assert_eq!(get(&client, &bundle).await.unwrap().r#type, of(FIRST).r#type);
}

#[tokio::test]
async fn a_bundle_is_there_when_its_operation_is_done() {
    let (client, table, bundle) = started(MockCluster::builder()).await;
    client.cluster.set_operation_polls(1);
    let request = new(&table, "c", FIRST);
    let making = create(&client, request.clone()).await.unwrap();
    let again = create(&client, request).await.unwrap();
    assert!(!making.done);
    let any = making.metadata.clone().unwrap();
    assert_eq!(any.type_url, type_url::CREATE_SCHEMA_BUNDLE_METADATA);
    let metadata = <ChangeMetadata as prost::Message>::decode(any.value).unwrap();
    assert_eq!(metadata.name, named(&table, "c"));
    assert!(metadata.start_time.is_some() && metadata.end_time.is_none());
    assert_eq!(get(&client, &metadata.name).await.unwrap_err().code(), Code::NotFound);
    let made: SchemaBundle = result(&poll(&client, &making).await).unwrap();
    assert_eq!(get(&client, &metadata.name).await.unwrap(), made);
    let status = result::<SchemaBundle>(&poll(&client, &again).await).unwrap_err();
    assert_eq!(status.code, Code::AlreadyExists as i32);

    let before = get(&client, &bundle).await.unwrap();
    let with_etag = SchemaBundle { etag: before.etag.clone(), ..of(SECOND) };
    let first = update(&client, redefine(&table, SECOND)).await.unwrap();
    let second = update(&client, change(&table, &["*"], with_etag)).await.unwrap();
    let any = first.metadata.clone().unwrap();
    assert_eq!(any.type_url, type_url::UPDATE_SCHEMA_BUNDLE_METADATA);
    assert_eq!(get(&client, &bundle).await.unwrap(), before);
    let changed: SchemaBundle = result(&poll(&client, &first).await).unwrap();
    assert_eq!(get(&client, &bundle).await.unwrap(), changed);
    // The bundle was changed before the second operation came to it.
    let status = result::<SchemaBundle>(&poll(&client, &second).await).unwrap_err();
    assert_eq!(status.code, Code::Aborted as i32);
}

/// Unlike Bigtable: schema bundles are kept with a deleted table, and not with its backups; what
/// the service does is not documented.
#[tokio::test]
async fn bundles_come_back_with_their_table_and_not_from_backups() {
    let builder = MockCluster::builder().clock_start_ms(START_MS);
    let (client, table, bundle) = started(builder).await;
    client.call(method::CREATE_BACKUP, weekly("k")).await.unwrap();
    let restored = client.call(method::RESTORE_TABLE, restore("k", "u")).await.unwrap();
    let restored: Table = result(&restored).unwrap();
    let status = get(&client, &named(&restored.name, "b")).await.unwrap_err();
    assert_eq!(status.code(), Code::NotFound);

    client.call(method::DELETE_TABLE, DeleteTableRequest { name: table.clone() }).await.unwrap();
    assert_eq!(get(&client, &bundle).await.unwrap_err().code(), Code::NotFound);
    client.call(method::UNDELETE_TABLE, UndeleteTableRequest { name: table }).await.unwrap();
    assert_eq!(get(&client, &bundle).await.unwrap().r#type, of(FIRST).r#type);
}
