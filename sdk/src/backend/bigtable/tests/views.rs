//! Tests of views in place of tables: each request names the view alone, and what a view cannot do
//! is refused; and of the administration of authorized views.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use tallrow_mock::{Fault, MockCluster, StatusCode};
use tokio::time::{Instant, timeout};

use super::scripted::{End, Scripted, server};
use super::{piped, quick};
use crate::admin::{AuthorizedViewDescriptor, BigtableAdmin};
use crate::backend::Backend;
use crate::key::RowRange;
use crate::request::op::{Append, BatchResults, Check, Get, Increment, Put};
use crate::wire::bigtable::{Fields, ReadRowsResponse};
use crate::{
    Client, Delete, Error, ErrorKind, FamilyDescriptor, RawTable, Result, Row, Scan,
    TableDescriptor, TableName, TableRef,
};

const INSTANCE: &str = "projects/p/instances/i";

/// The texts of the fields of a message that can name a table or a view.
fn names_of(message: &[u8]) -> Vec<(u32, String)> {
    let mut names = Vec::new();
    let mut fields = Fields::of(message);
    while let Ok(Some(field)) = fields.next_field() {
        if let Ok(text) = field.text()
            && text.starts_with(INSTANCE)
        {
            names.push((field.number, text.to_owned()));
        }
    }
    names
}

/// Sends an operation of every kind that reads a table, and returns what each found.
async fn read_all(table: &RawTable) -> Vec<Result<()>> {
    let both = table.get_all(["a", "b"]).await;
    vec![
        table.get("r").await.map(drop),
        table.exists("r").await.map(drop),
        both.into_result().map(drop),
        table.scan(Scan::all()).unwrap().next_row().await.map(drop),
        table.region_locator().all_regions().await.map(drop),
    ]
}

/// Sends an operation of every kind that changes a table, and returns what each found.
async fn write_all(table: &RawTable) -> Vec<Result<()>> {
    let put = || Put::new("r").cell("f", "q", "v");
    let check = Check::new("r", "f", "q").if_equals("v").then(put());
    vec![
        table.put(put()).await,
        BatchResults::into_result(table.put_all([put()]).await).map(drop),
        table.check_and_mutate(check).await.map(drop),
        table.increment(Increment::new("r").add("f", "n", 1)).await.map(drop),
        table.append(Append::new("r").add("f", "q", "v")).await.map(drop),
    ]
}

/// The names in what is sent to a server that finds nothing.
async fn sent(name: TableName) -> Vec<(u32, String)> {
    let messages = Arc::new(Mutex::new(Vec::<Bytes>::new()));
    let seen = messages.clone();
    let backend = server(move |message| {
        seen.lock().unwrap().push(message);
        Scripted::of::<ReadRowsResponse>(&[]).ending(End::Code("5"))
    });
    let table = RawTable::new(backend.await, name);
    for found in read_all(&table).await.into_iter().chain(write_all(&table).await) {
        let error = found.unwrap_err();
        let kinds = [ErrorKind::TableNotFound, ErrorKind::Unsupported];
        assert!(kinds.contains(&error.kind()), "{error}");
    }
    let messages = messages.lock().unwrap();
    let names: Vec<_> = messages.iter().flat_map(|message| names_of(message)).collect();
    // The connection is warmed by a call that names the instance.
    names.into_iter().filter(|(_, name)| name != INSTANCE).collect()
}

#[tokio::test(start_paused = true)]
async fn each_request_names_the_view_and_not_the_table() {
    let table = TableName::parse("t").unwrap();
    let path = format!("{INSTANCE}/tables/t");
    let of_table = sent(table.clone()).await;
    assert_eq!(of_table.len(), 10);
    assert!(of_table.iter().all(|(number, name)| (*number, name) == (1, &path)), "{of_table:?}");

    let view = format!("{path}/authorizedViews/v");
    let of_view = sent(table.authorized_view("v").unwrap()).await;
    let numbers: Vec<_> = of_view.iter().map(|(number, _)| *number).collect();
    // Reads, samples, and MutateRow, MutateRows, CheckAndMutateRow and ReadModifyWriteRow.
    assert_eq!(numbers, [9, 9, 9, 9, 4, 6, 5, 9, 6, 6]);
    assert!(of_view.iter().all(|(_, name)| *name == view), "{of_view:?}");

    let view = format!("{INSTANCE}/materializedViews/v");
    let of_view = sent(TableName::materialized_view("v").unwrap()).await;
    let numbers: Vec<_> = of_view.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [11, 11, 11, 11, 5], "it is not written");
    assert!(of_view.iter().all(|(_, name)| *name == view), "{of_view:?}");
}

#[tokio::test(start_paused = true)]
async fn calls_of_a_view_are_routed_by_its_table_or_its_instance() {
    let backend = server(|_| Scripted::of::<ReadRowsResponse>(&[])).await;
    let Backend::Bigtable(instance) = &backend else { panic!("another backend") };
    let routing = |name: &TableName| {
        let known = instance.table_context(name).unwrap();
        let value = known.headers.map.get("x-goog-request-params").unwrap();
        value.to_str().unwrap().replace("%2F", "/")
    };
    let table = TableName::parse("t").unwrap();
    let of_table = routing(&table);
    assert!(of_table.contains(&format!("table_name={INSTANCE}/tables/t")), "{of_table}");
    assert_eq!(routing(&table.authorized_view("v").unwrap()), of_table);
    let of_instance = routing(&TableName::materialized_view("v").unwrap());
    assert!(of_instance.contains(&format!("name={INSTANCE}&")), "{of_instance}");
}

#[tokio::test(start_paused = true)]
async fn a_view_that_is_missing_is_said_to_be_and_administration_is_for_tables() {
    let cluster = MockCluster::builder().in_memory().bigtable_port(0).start().await.unwrap();
    let config = piped(&cluster, quick().table_prefix("x_"));
    let client = Client::connect_with(&cluster.bigtable_url().unwrap(), config).await.unwrap();
    let authorized = || TableRef::authorized_view("t", "v");
    let table = client.raw_table(authorized()).unwrap();
    assert_eq!(table.name().as_str(), "x_t/authorizedViews/v");
    for found in read_all(&table).await.into_iter().chain(write_all(&table).await) {
        let error = found.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TableNotFound, "{error}");
        assert!(error.to_string().contains("the view does not exist"), "{error}");
    }
    let admin = client.admin();
    let bigtable = admin.bigtable().unwrap();
    let samples = bigtable.sample_row_keys(authorized(), &RowRange::all()).await.unwrap_err();
    assert_eq!(samples.kind(), ErrorKind::TableNotFound, "{samples}");

    let table = client.raw_table(TableRef::materialized_view("v")).unwrap();
    assert_eq!(table.name().as_str(), "materializedViews/v", "it is of no table");
    for found in read_all(&table).await {
        assert_eq!(found.unwrap_err().kind(), ErrorKind::TableNotFound);
    }
    for found in write_all(&table).await {
        let error = found.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        assert!(error.to_string().contains("materialized view"), "{error}");
    }
    let get = table.validate(Get::new("r"));
    assert!(get.is_ok(), "{get:?}");

    for refused in [
        admin.delete_table(authorized()).await,
        admin.truncate_table(TableRef::materialized_view("v")).await,
        bigtable.drop_rows(authorized(), "r").await,
    ] {
        let error = refused.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
        assert!(error.to_string().contains("is a view, and this is for tables"), "{error}");
    }
    for (bad, why) in [
        (TableRef::authorized_view("t", ""), "must not be empty"),
        (TableRef::authorized_view("t", "a:b"), "':' is not allowed"),
        (TableRef::authorized_view("t", "a/b"), "'/' is not allowed"),
        (TableRef::authorized_view(authorized(), "v"), "is a view, not a table"),
        (TableRef::materialized_view("-v"), "must not start with"),
        (TableRef::from("t/authorizedViews/v"), "'/' is not allowed"),
    ] {
        let error = client.raw_table(bad).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
        assert!(error.to_string().contains(why), "{error}");
    }
}

/// A client with a table `t`, whose name is `x_t` in the service.
async fn started() -> (MockCluster, Client, BigtableAdmin) {
    let builder = MockCluster::builder().in_memory().servers(1).bigtable_port(0);
    let cluster = builder.start().await.unwrap();
    let config = piped(&cluster, quick().table_prefix("x_"));
    let client = Client::connect_with(&cluster.bigtable_url().unwrap(), config).await.unwrap();
    let table = TableDescriptor::new("t").unwrap().splits(["c", "n"]);
    let table = table.family(FamilyDescriptor::new("f")).family(FamilyDescriptor::new("g"));
    client.admin().create_table(&table).await.unwrap();
    let admin = client.admin().bigtable().unwrap();
    (cluster, client, admin)
}

/// The rows `b..` and `m..`, with the column `f:q` and the family `g`.
fn some() -> AuthorizedViewDescriptor {
    let rows = AuthorizedViewDescriptor::new("v").rows_with_prefix("b").rows_with_prefix("m");
    rows.column("f", "q").family("g")
}

#[tokio::test(start_paused = true)]
async fn a_view_is_created_read_and_written_changed_and_deleted() {
    let (cluster, client, admin) = started().await;
    for polls in [0, 2] {
        cluster.set_operation_polls(polls);
        admin.create_authorized_view("t", &some()).await.unwrap();
        assert_eq!(admin.authorized_view("t", "v").await.unwrap(), some());
        let (table, view) = (
            client.raw_table("t").unwrap(),
            client.raw_table(TableRef::authorized_view("t", "v")).unwrap(),
        );
        let put =
            |row: &str| Put::new(row).cell("f", "q", "1").cell("f", "o", "2").cell("g", "q", "3");
        table.put_all(["a", "b", "m1", "m2", "z"].map(put)).await.into_result().unwrap();
        let rows = |rows: Vec<Row>| -> Vec<String> {
            rows.iter()
                .map(|row| format!("{}:{}", row.key().escape_ascii(), row.cells().len()))
                .collect()
        };
        let all: Vec<Row> = view.scan(Scan::all()).unwrap().try_collect().await.unwrap();
        assert_eq!(rows(all), ["b:2", "m1:2", "m2:2"]);
        let last = view.scan(Scan::all().reversed().limit(2)).unwrap();
        let last: Vec<Row> = last.try_collect().await.unwrap();
        assert_eq!(rows(last), ["m2:2", "m1:2"]);
        let found = view.get_all(["a", "b", "z"]).await.into_result().unwrap();
        assert_eq!(rows(found.into_iter().flatten().collect()), ["b:2"]);
        let locations = view.region_locator().all_regions().await.unwrap();
        let samples = admin
            .sample_row_keys(TableRef::authorized_view("t", "v"), &RowRange::all())
            .await
            .unwrap();
        let keys: Vec<_> = samples.iter().map(|sample| &sample.key[..]).collect();
        assert_eq!(keys, [&b"c"[..], b"n"], "the ends of what is in the view");
        assert!(!locations.is_empty());

        // Each change by itself; what is outside is refused, with words that help.
        let check =
            Check::new("b", "f", "q").if_equals("1").then(Put::new("b").cell("g", "n", "4"));
        assert!(view.check_and_mutate(check).await.unwrap().is_applied());
        view.append(Append::new("b").add("f", "q", "+")).await.unwrap();
        view.delete(Delete::new("m2").column("f", "q")).await.unwrap();
        let outcomes = view.put_all(["b", "c"].map(|row| Put::new(row).cell("f", "q", "5"))).await;
        let outcomes: Vec<_> = outcomes.into_iter().collect();
        assert!(outcomes[0].is_ok());
        for error in [
            outcomes.into_iter().nth(1).unwrap().unwrap_err(),
            view.put(Put::new("b").cell("f", "o", "x")).await.unwrap_err(),
            view.delete("b").await.unwrap_err(),
            view.increment(Increment::new("a").add("g", "n", 1)).await.map(drop).unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
            let text = error.to_string();
            assert!(text.contains("only its rows and columns can be changed"), "{text}");
        }

        let wider = some().rows_with_prefix("").protected(true);
        admin.set_authorized_view("t", &wider).await.unwrap();
        assert_eq!(admin.authorized_view("t", "v").await.unwrap(), wider);
        assert_eq!(view.count(Scan::all()).await.unwrap(), 5);
        admin.set_authorized_view("t", &wider.protected(false)).await.unwrap();
        admin.delete_authorized_view("t", "v").await.unwrap();
        assert_eq!(view.get("b").await.unwrap_err().kind(), ErrorKind::TableNotFound);
        client.admin().truncate_table("t").await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn all_views_of_a_table_are_listed() {
    let (_, client, admin) = started().await;
    let other = TableDescriptor::new("u").unwrap().family(FamilyDescriptor::new("f"));
    client.admin().create_table(&other).await.unwrap();
    assert_eq!(admin.list_authorized_views("t").await.unwrap(), []);
    let views: Vec<_> = (0..5)
        .map(|n| AuthorizedViewDescriptor::new(format!("v{n}")).rows_with_prefix([n]))
        .collect();
    for view in &views {
        admin.create_authorized_view("t", view).await.unwrap();
    }
    assert_eq!(admin.list_authorized_views("t").await.unwrap(), views);
    assert_eq!(admin.list_authorized_views("u").await.unwrap(), []);
}

#[tokio::test(start_paused = true)]
async fn what_a_view_cannot_be_is_said_in_words() {
    let (cluster, client, admin) = started().await;
    let said = |error: Error, kind: ErrorKind, texts: &[&str]| {
        assert_eq!(error.kind(), kind, "{error}");
        for text in texts {
            assert!(error.to_string().contains(text), "no {text:?} in: {error}");
        }
    };
    admin.create_authorized_view("t", &some().protected(true)).await.unwrap();
    let error = admin.create_authorized_view("t", &some()).await.unwrap_err();
    let texts = ["create authorized view x_t/authorizedViews/v", "already", "set_authorized_view"];
    said(error, ErrorKind::TableExists, &texts);
    let error = admin.create_authorized_view("none", &some()).await.unwrap_err();
    said(error, ErrorKind::TableNotFound, &["the table does not exist"]);
    for error in [
        admin.delete_authorized_view("t", "v").await.unwrap_err(),
        client.admin().delete_table("t").await.unwrap_err(),
    ] {
        said(error, ErrorKind::DoNotRetry, &["set_authorized_view removes the protection"]);
    }
    let missing = AuthorizedViewDescriptor::new("none");
    let texts = ["x_t/authorizedViews/none", "the view does not exist"];
    said(admin.authorized_view("t", "none").await.unwrap_err(), ErrorKind::TableNotFound, &texts);
    let error = admin.set_authorized_view("t", &missing).await.unwrap_err();
    said(error, ErrorKind::TableNotFound, &texts);
    let error = admin.delete_authorized_view("t", "none").await.unwrap_err();
    said(error, ErrorKind::TableNotFound, &texts);

    // Nothing is sent.
    let calls = cluster.call_count("CreateAuthorizedView");
    for (bad, text) in [("", "must not be empty"), ("a/b", "'/' is not allowed")] {
        let error = admin.create_authorized_view("t", &AuthorizedViewDescriptor::new(bad)).await;
        said(error.unwrap_err(), ErrorKind::InvalidArgument, &[text]);
    }
    let of_view = admin.authorized_view(TableRef::authorized_view("t", "v"), "v").await;
    said(of_view.unwrap_err(), ErrorKind::InvalidArgument, &["is a view, not a table"]);
    let of_view = admin.list_authorized_views(TableRef::authorized_view("t", "v")).await;
    said(of_view.unwrap_err(), ErrorKind::InvalidArgument, &["is a view, and this is for tables"]);
    assert_eq!(cluster.call_count("CreateAuthorizedView"), calls);

    // An operation that takes too long goes on, and is found again by its name.
    cluster.set_operation_polls(60);
    let error = admin.create_authorized_view("t", &AuthorizedViewDescriptor::new("w")).await;
    let error = error.unwrap_err();
    assert_eq!(error.operation(), "create authorized view");
    said(error, ErrorKind::Timeout, &["it goes on"]);
}

/// Makes the call of a method.
async fn call(admin: &BigtableAdmin, method: &str) -> Result<()> {
    match method {
        "CreateAuthorizedView" => {
            admin.create_authorized_view("t", &AuthorizedViewDescriptor::new("new")).await
        }
        "UpdateAuthorizedView" => admin.set_authorized_view("t", &some()).await,
        "GetAuthorizedView" => admin.authorized_view("t", "v").await.map(drop),
        "ListAuthorizedViews" => admin.list_authorized_views("t").await.map(drop),
        "DeleteAuthorizedView" => admin.delete_authorized_view("t", "v").await,
        other => panic!("{other}"),
    }
}

const ONCE: [&str; 2] = ["CreateAuthorizedView", "DeleteAuthorizedView"];
const AGAIN: [&str; 3] = ["UpdateAuthorizedView", "GetAuthorizedView", "ListAuthorizedViews"];

#[tokio::test(start_paused = true)]
async fn a_view_is_never_created_or_deleted_twice() {
    let (cluster, _, admin) = started().await;
    admin.create_authorized_view("t", &some()).await.unwrap();
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
    let left = admin.list_authorized_views("t").await.unwrap();
    assert_eq!(left, [AuthorizedViewDescriptor::new("new")]);
}

#[tokio::test(start_paused = true)]
async fn every_call_for_a_view_ends_by_its_deadline_and_names_the_server() {
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
async fn each_call_for_a_view_is_routed_by_the_name_that_the_service_expects() {
    let (cluster, _, admin) = started().await;
    admin.create_authorized_view("t", &some()).await.unwrap();
    let table = "projects%2Fmock%2Finstances%2Fmock%2Ftables%2Fx_t";
    for (method, expected) in [
        ("CreateAuthorizedView", format!("parent={table}")),
        ("UpdateAuthorizedView", format!("authorized_view.name={table}%2FauthorizedViews%2Fv")),
        ("GetAuthorizedView", format!("name={table}%2FauthorizedViews%2Fv")),
        ("ListAuthorizedViews", format!("parent={table}")),
        ("DeleteAuthorizedView", format!("name={table}%2FauthorizedViews%2Fv")),
    ] {
        // The mock remembers the headers of calls with the context of a trace.
        let busy = Fault::on(method).nth(1);
        let cookie = "x-goog-cbt-cookie-a";
        cluster.inject(busy.fail_with_cookie(StatusCode::Unavailable, "busy", cookie, "1"));
        let _ = call(&admin, method).await;
        let headers = cluster.trace_headers(method);
        if AGAIN.contains(&method) {
            assert_eq!(headers[0]["x-goog-request-params"], expected, "{method}");
        }
        cluster.clear_faults();
    }
}
