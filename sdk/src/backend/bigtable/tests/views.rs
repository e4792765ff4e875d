//! Tests of views in place of tables: each request names the view alone, and what a view cannot do
//! is refused.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use tallrow_mock::MockCluster;

use super::scripted::{End, Scripted, server};
use super::{piped, quick};
use crate::backend::Backend;
use crate::key::RowRange;
use crate::request::op::{Append, BatchResults, Check, Get, Increment, Put};
use crate::wire::bigtable::{Fields, ReadRowsResponse};
use crate::{Client, ErrorKind, RawTable, Result, Scan, TableName, TableRef};

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
        let value = known.headers.get("x-goog-request-params").unwrap();
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
