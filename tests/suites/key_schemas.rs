//! Row key schemas of Bigtable: what `create` gives a table, and what `open` compares.

use tallrow::key::schema::Schema;
use tallrow::{Client, Config, ErrorKind, RowKey, Table};
use tallrow_mock::MockCluster;
use tallrow_tests::in_memory;

#[derive(RowKey)]
#[row_key(compat = "bigtable")]
struct VisitKey {
    user: String,
    at: i64,
}

#[derive(Table)]
#[table(name = "visits")]
#[family("v")]
struct Visit {
    #[key]
    key: VisitKey,
    #[cell("v:p")]
    page: String,
}

#[derive(RowKey)]
#[row_key(compat = "bigtable")]
struct OtherKey {
    user: String,
    page: String,
}

#[derive(Table)]
#[table(name = "visits")]
#[family("v")]
struct Other {
    #[key]
    key: OtherKey,
    #[cell("v:p")]
    page: String,
}

#[tokio::test(start_paused = true)]
async fn the_row_key_schema_of_a_table_is_compared_with_the_keys_of_its_type() {
    let mock = MockCluster::builder().in_memory().bigtable_port(0).start().await.unwrap();
    let config = Config::new().connector(in_memory(&mock));
    let client = Client::connect_with(&mock.bigtable_url().unwrap(), config).await.unwrap();
    let (admin, bigtable) = (client.admin(), client.admin().bigtable().unwrap());
    admin.create::<Visit>().await.unwrap();
    client.open::<Visit>().await.unwrap();
    assert!(admin.diff::<Visit>().await.unwrap().is_empty());
    let drift = client.open::<Other>().await.map(drop).unwrap_err();
    assert_eq!(drift.kind(), ErrorKind::SchemaDrift, "{drift}");
    assert!(drift.to_string().contains("the row keys in it are of another layout"), "{drift}");

    let other = Schema::of::<OtherKey>().unwrap().bigtable_key().unwrap();
    let changed = bigtable.set_row_key_schema("visits", &other).await.unwrap_err();
    assert_eq!(changed.kind(), ErrorKind::DoNotRetry, "{changed}");
    bigtable.remove_row_key_schema("visits").await.unwrap();
    client.open::<Other>().await.unwrap();
    bigtable.set_row_key_schema("visits", &other).await.unwrap();
    client.open::<Other>().await.unwrap();
    assert_eq!(client.open::<Visit>().await.map(drop).unwrap_err().kind(), ErrorKind::SchemaDrift);
    assert_eq!(bigtable.row_key_schema("visits").await.unwrap(), Some(other));
}
