//! Tests of the administration of schema bundles, and of queries whose types they define.

use std::collections::BTreeMap;
use std::time::Duration;

use bytes::Bytes;
use tallrow_mock::{Fault, MockCluster, MockQuery, MockSqlType, MockSqlValue, StatusCode};
use tokio::time::{Instant, timeout};

use super::{piped, quick};
use crate::admin::{BigtableAdmin, SchemaBundle};
use crate::query::{SqlType, SqlValue};
use crate::{Client, Error, ErrorKind, FamilyDescriptor, Result, TableDescriptor, TableRef};

/// The encoded definition of a file `visit.proto` with a message `Visit` without fields.
const FIRST: &[u8] = b"\x0a\x16\x0a\x0bvisit.proto\x22\x07\x0a\x05Visit";

/// That of the file with a message `Visit` and an enum `Browser`, whose only value is `A`.
const SECOND: &[u8] =
    b"\x0a\x28\x0a\x0bvisit.proto\x22\x07\x0a\x05Visit\x2a\x10\x0a\x07Browser\x12\x05\x0a\x01A\x10\0";

/// A client with a table `t`, whose name is `x_t` in the service.
async fn started() -> (MockCluster, Client, BigtableAdmin) {
    let builder = MockCluster::builder().in_memory().servers(1).bigtable_port(0);
    let cluster = builder.start().await.unwrap();
    let config = piped(&cluster, quick().table_prefix("x_"));
    let client = Client::connect_with(&cluster.bigtable_url().unwrap(), config).await.unwrap();
    let table = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("f"));
    client.admin().create_table(&table).await.unwrap();
    let admin = client.admin().bigtable().unwrap();
    (cluster, client, admin)
}

fn first(id: &str) -> SchemaBundle {
    SchemaBundle::new(id, FIRST)
}

#[tokio::test(start_paused = true)]
async fn a_bundle_is_made_while_its_operation_is_polled() {
    for polls in [0, 3] {
        let (cluster, client, admin) = started().await;
        cluster.set_operation_polls(polls);
        let created = admin.create_schema_bundle("t", &first("b")).await.unwrap();
        assert_eq!(admin.schema_bundle("t", "b").await.unwrap(), created);
        assert_eq!((created.id(), created.proto_descriptors()), ("b", &FIRST.into()));
        // The etag of another bundle is not sent.
        let copy = SchemaBundle::new("copy", FIRST);
        admin.create_schema_bundle("t", &copy).await.unwrap();
        let second = created.clone().with_proto_descriptors(SECOND);
        let changed = admin.set_schema_bundle("t", &second).await.unwrap();
        assert_eq!(changed.proto_descriptors(), &SECOND);
        assert_ne!(changed.etag(), created.etag());
        assert_eq!(admin.schema_bundle("t", "b").await.unwrap(), changed);
        admin.delete_schema_bundle("t", "copy", None).await.unwrap();
        assert_eq!(admin.list_schema_bundles("t").await.unwrap(), [changed]);
        client.admin().delete_table("t").await.unwrap();
        let error = admin.list_schema_bundles("t").await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TableNotFound, "{error}");
        assert!(error.to_string().contains("the table does not exist"), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_operation_on_a_bundle_is_found_by_its_name() {
    let (cluster, _, admin) = started().await;
    cluster.set_operation_polls(60);
    let error = admin.create_schema_bundle("t", &first("b")).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::Timeout, "create schema bundle"));
    let text = error.to_string();
    assert!(text.contains("it goes on"), "{text}");
    let name = text.split('"').find(|part| part.starts_with("operations/")).unwrap();
    let operation = admin.operation::<SchemaBundle>(name);
    let found = operation.wait(Duration::from_secs(3_600)).await.unwrap();
    assert_eq!(admin.schema_bundle("t", "b").await.unwrap(), found);
    let progress = operation.poll().await.unwrap().progress;
    assert!(progress.started_at.is_some() && progress.ended_at >= progress.started_at);
}

#[tokio::test(start_paused = true)]
async fn all_bundles_of_a_table_are_listed() {
    let (_, client, admin) = started().await;
    let other = TableDescriptor::new("u").unwrap().family(FamilyDescriptor::new("f"));
    client.admin().create_table(&other).await.unwrap();
    assert_eq!(admin.list_schema_bundles("t").await.unwrap(), []);
    let mut made = Vec::new();
    for n in 0..5 {
        made.push(admin.create_schema_bundle("t", &first(&format!("b{n}"))).await.unwrap());
    }
    assert_eq!(admin.list_schema_bundles("t").await.unwrap(), made);
    assert_eq!(admin.list_schema_bundles("u").await.unwrap(), []);
}

#[tokio::test(start_paused = true)]
async fn a_bundle_that_was_changed_since_is_a_conflict() {
    let (cluster, _, admin) = started().await;
    let read = admin.create_schema_bundle("t", &first("b")).await.unwrap();
    let mine = read.clone().with_proto_descriptors(SECOND);
    admin.set_schema_bundle("t", &mine.clone().without_etag()).await.unwrap();
    let calls = cluster.call_count("UpdateSchemaBundle");
    let of_set = admin.set_schema_bundle("t", &mine).await.unwrap_err();
    let of_delete = admin.delete_schema_bundle("t", "b", read.etag()).await.unwrap_err();
    // By the operation too, if the bundle is changed while it goes on.
    let current = admin.schema_bundle("t", "b").await.unwrap();
    cluster.set_operation_polls(2);
    let back = current.allow_incompatible().with_proto_descriptors(FIRST);
    let (one, other) =
        tokio::join!(admin.set_schema_bundle("t", &back), admin.set_schema_bundle("t", &back));
    let of_operation = [one, other].into_iter().find_map(Result::err).unwrap();
    assert_eq!(cluster.call_count("UpdateSchemaBundle") - calls, 3, "none is sent again");
    for (error, operation) in [
        (of_set, "set schema bundle"),
        (of_delete, "delete schema bundle"),
        (of_operation, "set schema bundle"),
    ] {
        assert_eq!((error.kind(), error.operation()), (ErrorKind::Conflict, operation), "{error}");
        assert_eq!(error.exception(), Some("ABORTED"));
        let text = error.to_string();
        assert!(text.contains("tables/x_t/schemaBundles/b") && text.contains("changed"), "{text}");
    }
    assert_eq!(admin.schema_bundle("t", "b").await.unwrap().proto_descriptors(), &FIRST);
}

#[tokio::test(start_paused = true)]
async fn what_a_bundle_cannot_be_is_said_in_words() {
    let (cluster, _, admin) = started().await;
    let said = |error: Error, kind: ErrorKind, texts: &[&str]| {
        assert_eq!(error.kind(), kind, "{error}");
        for text in texts {
            assert!(error.to_string().contains(text), "no {text:?} in: {error}");
        }
    };
    admin.create_schema_bundle("t", &SchemaBundle::new("b", SECOND)).await.unwrap();
    let error = admin.create_schema_bundle("t", &first("b")).await.unwrap_err();
    let texts = ["create schema bundle x_t", "schemaBundles/b already", "set_schema_bundle"];
    said(error, ErrorKind::TableExists, &texts);
    let error = admin.create_schema_bundle("none", &first("b")).await.unwrap_err();
    said(error, ErrorKind::TableNotFound, &["the table does not exist"]);
    for bad in ["", "no message"] {
        let error =
            admin.create_schema_bundle("t", &SchemaBundle::new("c", bad)).await.unwrap_err();
        said(error, ErrorKind::DoNotRetry, &["INVALID_ARGUMENT", "proto_descriptors"]);
    }
    let error = admin.set_schema_bundle("t", &first("b")).await.unwrap_err();
    let texts = ["FAILED_PRECONDITION", "The enum .Browser is gone", "allow_incompatible"];
    said(error, ErrorKind::DoNotRetry, &texts);
    admin.set_schema_bundle("t", &first("b").allow_incompatible()).await.unwrap();

    let texts =
        ["there is no schema bundle", "tables/x_t/schemaBundles/none", "list_schema_bundles"];
    for error in [
        admin.schema_bundle("t", "none").await.unwrap_err(),
        admin.set_schema_bundle("t", &first("none")).await.unwrap_err(),
        admin.delete_schema_bundle("t", "none", None).await.unwrap_err(),
    ] {
        said(error, ErrorKind::TableNotFound, &texts);
    }

    // Nothing is sent.
    let calls = cluster.call_count("CreateSchemaBundle");
    for bad in ["", "a/b", "a:b", "-a"] {
        let error = admin.create_schema_bundle("t", &first(bad)).await.unwrap_err();
        said(error, ErrorKind::InvalidArgument, &["the id of a schema bundle has letters"]);
    }
    let of_view = admin.schema_bundle(TableRef::authorized_view("t", "v"), "b").await;
    said(of_view.unwrap_err(), ErrorKind::InvalidArgument, &["is a view, and this is for tables"]);
    let of_view = admin.list_schema_bundles(TableRef::authorized_view("t", "v")).await;
    said(of_view.unwrap_err(), ErrorKind::InvalidArgument, &["is a view, and this is for tables"]);
    assert_eq!(cluster.call_count("CreateSchemaBundle"), calls);
}

/// Makes the call of a method.
async fn call(admin: &BigtableAdmin, method: &str) -> Result<()> {
    match method {
        "CreateSchemaBundle" => admin.create_schema_bundle("t", &first("new")).await.map(drop),
        "UpdateSchemaBundle" => admin.set_schema_bundle("t", &first("b")).await.map(drop),
        "GetSchemaBundle" => admin.schema_bundle("t", "b").await.map(drop),
        "ListSchemaBundles" => admin.list_schema_bundles("t").await.map(drop),
        "DeleteSchemaBundle" => admin.delete_schema_bundle("t", "b", None).await,
        other => panic!("{other}"),
    }
}

const ONCE: [&str; 2] = ["CreateSchemaBundle", "DeleteSchemaBundle"];
const AGAIN: [&str; 3] = ["UpdateSchemaBundle", "GetSchemaBundle", "ListSchemaBundles"];

#[tokio::test(start_paused = true)]
async fn a_bundle_is_never_created_or_deleted_twice() {
    let (cluster, _, admin) = started().await;
    admin.create_schema_bundle("t", &first("b")).await.unwrap();
    for method in AGAIN {
        cluster.inject(Fault::on(method).nth(1).fail_after(StatusCode::Unavailable, "lost"));
        call(&admin, method).await.unwrap();
        cluster.clear_faults();
    }
    for method in ONCE {
        let before = cluster.call_count(method);
        cluster.inject(Fault::on(method).nth(1).fail_after(StatusCode::Unavailable, "lost"));
        let error = call(&admin, method).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{method}: {error}");
        assert_eq!(cluster.call_count(method) - before, 1, "{method}");
        cluster.clear_faults();
    }
    // Both were done.
    let left = admin.list_schema_bundles("t").await.unwrap();
    assert_eq!(left.iter().map(SchemaBundle::id).collect::<Vec<_>>(), ["new"]);

    // A change by an etag whose answer is lost is not sent again: it would find another etag.
    let next = left[0].clone().with_proto_descriptors(SECOND);
    let before = cluster.call_count("UpdateSchemaBundle");
    let lost = Fault::on("UpdateSchemaBundle").nth(1);
    cluster.inject(lost.fail_after(StatusCode::Unavailable, "lost"));
    let error = admin.set_schema_bundle("t", &next).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
    assert_eq!(cluster.call_count("UpdateSchemaBundle") - before, 1);
    assert_eq!(admin.schema_bundle("t", "new").await.unwrap().proto_descriptors(), &SECOND);
}

#[tokio::test(start_paused = true)]
async fn every_call_for_a_bundle_ends_by_its_deadline_and_names_the_server() {
    let (cluster, _, admin) = started().await;
    for method in ONCE.into_iter().chain(AGAIN) {
        cluster.inject(Fault::on(method).bigtable().times(1_000).drop_request());
        let begun = Instant::now();
        let within = Duration::from_secs(60);
        let error = timeout(within, call(&admin, method)).await.expect(method).unwrap_err();
        let late = matches!(error.kind(), ErrorKind::Timeout | ErrorKind::OutcomeUnknown);
        assert!(late && error.server().is_some(), "{method}: {error}");
        assert!(begun.elapsed() <= Duration::from_secs(21), "{method}: {:?}", begun.elapsed());
        cluster.clear_faults();
    }
}

#[tokio::test(start_paused = true)]
async fn each_call_for_a_bundle_is_routed_by_the_name_that_the_service_expects() {
    let (cluster, _, admin) = started().await;
    admin.create_schema_bundle("t", &first("b")).await.unwrap();
    let table = "projects%2Fmock%2Finstances%2Fmock%2Ftables%2Fx_t";
    for (method, expected) in [
        ("UpdateSchemaBundle", format!("schema_bundle.name={table}%2FschemaBundles%2Fb")),
        ("GetSchemaBundle", format!("name={table}%2FschemaBundles%2Fb")),
        ("ListSchemaBundles", format!("parent={table}")),
    ] {
        // The mock remembers the headers of calls with the context of a trace.
        let busy = Fault::on(method).nth(1);
        let cookie = "x-goog-cbt-cookie-a";
        cluster.inject(busy.fail_with_cookie(StatusCode::Unavailable, "busy", cookie, "1"));
        call(&admin, method).await.unwrap();
        let headers = cluster.trace_headers(method);
        assert_eq!(headers[0]["x-goog-request-params"], expected, "{method}");
        cluster.clear_faults();
    }
}

#[derive(crate::FromSqlRow, Debug, PartialEq)]
#[sql_row(crate = "crate")]
struct Defined {
    visit: Bytes,
    browser: i32,
    before: Vec<Option<Vec<u8>>>,
    /// From an enum to messages.
    by_browser: BTreeMap<i64, Option<Bytes>>,
}

#[tokio::test(start_paused = true)]
async fn messages_of_a_schema_bundle_are_bytes_and_enums_are_numbers() {
    let (cluster, client, _) = started().await;
    let proto = || MockSqlType::Proto { schema_bundle: "web".into(), message: "shop.Visit".into() };
    let of_enum = || MockSqlType::Enum { schema_bundle: "web".into(), name: "shop.Browser".into() };
    let bytes = |value: &[u8]| MockSqlValue::Bytes(value.to_vec());
    let entry = |key, value| MockSqlValue::Array(vec![MockSqlValue::Int64(key), value]);
    let query = MockQuery::new("visits")
        .column("visit", proto())
        .column("browser", of_enum())
        .column("before", MockSqlType::Array(proto().into()))
        .column("by_browser", MockSqlType::Map(of_enum().into(), proto().into()));
    let query = query.row([
        bytes(b"\x08\x01"),
        MockSqlValue::Int64(-3),
        MockSqlValue::Array(vec![bytes(b""), MockSqlValue::Null]),
        MockSqlValue::Array(vec![entry(2, bytes(b"\x08\x02")), entry(9, MockSqlValue::Null)]),
    ]);
    cluster.answer_query(query);
    let query = client.prepare("visits", []).await.unwrap();
    let schema_bundle = || "web".to_owned();
    let of_visit = SqlType::Proto { schema_bundle: schema_bundle(), message: "shop.Visit".into() };
    let of_browser = SqlType::Enum { schema_bundle: schema_bundle(), name: "shop.Browser".into() };
    let columns: Vec<_> = query.columns().iter().map(|column| column.sql_type().clone()).collect();
    let map = SqlType::Map(of_browser.clone().into(), of_visit.clone().into());
    let expected = [of_visit.clone(), of_browser, SqlType::array(of_visit.clone()), map];
    assert_eq!(columns, expected);
    assert_eq!(columns[3].to_string(), "MAP<ENUM<shop.Browser>, PROTO<shop.Visit>>");

    let row = query.execute::<Defined>().unwrap().next_row().await.unwrap().unwrap();
    let expected = Defined {
        visit: Bytes::from_static(b"\x08\x01"),
        browser: -3,
        before: vec![Some(Vec::new()), None],
        by_browser: [(2, Some(Bytes::from_static(b"\x08\x02"))), (9, None)].into(),
    };
    assert_eq!(row, expected);

    // As anything else, they are not read.
    let mut rows = query.execute::<(String, i64, SqlValue, SqlValue)>().unwrap();
    let error = rows.next_row().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode, "{error}");
    assert!(error.to_string().contains("PROTO<shop.Visit>"), "{error}");

    // A message is no parameter.
    let error = client.prepare("visits", [("visit", of_visit)]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");

    // What the service sends instead is no message.
    cluster.answer_query(
        MockQuery::new("torn").column("visit", proto()).row([MockSqlValue::String("v".into())]),
    );
    let query = client.prepare("torn", []).await.unwrap();
    let error = query.execute::<(Bytes,)>().unwrap().next_row().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Protocol, "{error}");
    let text = "value kind must be BYTES_VALUE for columns of type: PROTO<shop.Visit>";
    assert!(error.to_string().contains(text), "{error}");
}
