//! Errors that say what to do instead, and show rows as their fields.

use std::time::Duration;

use tallrow::{
    Client, Config, Delete, ErrorKind, FamilyDescriptor, Increment, Put, RowKey, RowKeyDisplay,
    Table, TableDescriptor,
    op::{Check, RowMutations},
};
use tallrow_mock::{Fault, MockCluster};

#[derive(RowKey, Clone, Debug)]
#[row_key(salt(buckets = 4, fields = (tenant)))]
struct DocKey {
    #[key(escaped)]
    tenant: String,
    at: u64,
}

#[derive(Table, Clone, Debug)]
#[table(name = "docs")]
#[family("d")]
struct Doc {
    #[key]
    key: DocKey,
    #[cell("d:t")]
    title: String,
}

fn doc() -> Doc {
    Doc { key: DocKey { tenant: "acme, inc".into(), at: 1_000 }, title: "x".repeat(100) }
}

#[tokio::test(start_paused = true)]
async fn errors_of_typed_tables_show_the_fields_of_the_row() {
    let config = || Config::new().max_cell_bytes(50);
    let client = Client::connect_with("mock:", config()).await.unwrap();
    let docs = client.table::<Doc>();
    let fields = r#"docs/{tenant: "acme, inc", at: 1000}"#;
    for error in [
        docs.put(&doc()).await.unwrap_err(),
        docs.get(&doc().key).await.unwrap_err(),
        docs.delete(&doc().key).await.unwrap_err(),
        docs.put_all([&doc()]).await.into_result().unwrap_err(),
        docs.raw().unwrap().get(DocKey::encode(&doc().key)).await.unwrap_err(),
    ] {
        assert!(error.to_string().contains(fields), "{error}");
        assert_eq!(error.row(), Some(&*doc().key.encode()));
    }
    // Bytes that are no key of the type are shown as they are.
    let other = docs.raw().unwrap().get("zz").await.unwrap_err();
    assert!(other.to_string().starts_with("get docs/\"zz\""), "{other}");
    // What is hidden stays so.
    for display in [RowKeyDisplay::Hashed, RowKeyDisplay::Hidden] {
        let client = Client::connect_with("mock:", config().row_keys(display)).await.unwrap();
        let text = client.table::<Doc>().put(&doc()).await.unwrap_err().to_string();
        assert!(!text.contains("acme") && !text.contains("tenant"), "{text}");
    }
}

#[tokio::test]
async fn what_bigtable_lacks_is_said_with_what_to_use_instead() {
    let mock = MockCluster::builder().bigtable_port(0).start().await.unwrap();
    let client = Client::connect(&mock.bigtable_url().unwrap()).await.unwrap();
    let t = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("d"));
    client.admin().create_table(&t).await.unwrap();

    let error = client.admin().hbase().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.message().contains("`Admin` creates, alters and deletes tables"), "{error}");
    let error = client.admin().create_table(&t).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TableExists);
    assert!(error.message().ends_with("open it, or create it with `create_if_missing`"), "{error}");
}

/// What a server answers is shown; nothing says that it did not answer.
#[tokio::test(start_paused = true)]
async fn an_error_of_the_server_is_an_answer() {
    let config = || Config::new().operation_timeout(Duration::from_secs(2));
    let client = Client::connect_with("mock:", config().admin_timeout(Duration::from_secs(2)));
    let client = client.await.unwrap();
    let mock = client.mock_cluster().unwrap();
    let t = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("d"));
    let admin = client.admin();
    admin.create_table(&t).await.unwrap();
    let table = client.raw_table("t").unwrap();
    for method in ["Mutate", "Multi", "CreateTable", "DisableTable"] {
        mock.inject(Fault::on(method).throw("java.io.IOException", "disk full"));
    }
    let put = || Put::new("r").cell("d", "q", "v");
    let step = RowMutations::new("r").add(put()).add(Delete::new("r").column("d", "x"));
    let (other, increment) =
        (t.clone().with_name("u").unwrap(), Increment::new("r").add("d", "n", 1));
    for error in [
        table.put(put()).await.unwrap_err(),
        table.increment(increment).await.unwrap_err(),
        table.mutate_row(step.clone()).await.unwrap_err(),
        table.put_all([put(), put()]).await.into_result().unwrap_err(),
        table
            .check_and_mutate(Check::new("r", "d", "q").if_not_exists().then(step))
            .await
            .unwrap_err(),
        admin.create_table(&other).await.unwrap_err(),
        admin.hbase().unwrap().disable_table("t").await.unwrap_err(),
    ] {
        let text = format!("{error:?}");
        assert!(text.contains("disk full") && text.contains("IOException"), "{text}");
        for denial in ["not answered", "no reply", "never arrived", "without an answer"] {
            assert!(!text.contains(denial), "{text}");
        }
    }
}
