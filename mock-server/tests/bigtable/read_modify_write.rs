//! Increments and appends.

use bytes::Bytes;
use tallrow_mock::MockCluster;
use tallrow_wire::bigtable::*;
use tonic::{Code, Status};

use crate::client::{Client, bytes};

fn add(qualifier: &str, amount: i64) -> ReadModifyWriteRule {
    ReadModifyWriteRule {
        family_name: "f".into(),
        column_qualifier: bytes(qualifier),
        rule: Some(Rule::IncrementAmount(amount)),
    }
}

fn append(qualifier: &str, end: &str) -> ReadModifyWriteRule {
    ReadModifyWriteRule { rule: Some(Rule::AppendValue(bytes(end))), ..add(qualifier, 0) }
}

fn request(rules: Vec<ReadModifyWriteRule>) -> ReadModifyWriteRowRequest {
    ReadModifyWriteRowRequest {
        table_name: "projects/p/instances/i/tables/t".into(),
        row_key: "r".into(),
        rules,
        ..Default::default()
    }
}

async fn change(client: &Client, rules: Vec<ReadModifyWriteRule>) -> Result<Vec<String>, Status> {
    let row = client.call(method::READ_MODIFY_WRITE_ROW, request(rules)).await?.row.unwrap();
    assert_eq!(row.key, "r");
    let column = |column: &Column| {
        assert_eq!(column.cells.len(), 1);
        format!("{}={}", column.qualifier.escape_ascii(), show(&column.cells[0].value))
    };
    Ok(row.families.iter().flat_map(|f| &f.columns).map(column).collect())
}

fn show(value: &Bytes) -> String {
    match <[u8; 8]>::try_from(&value[..]) {
        Ok(number) => i64::from_be_bytes(number).to_string(),
        Err(_) => value.escape_ascii().to_string(),
    }
}

#[tokio::test]
async fn rules_are_applied_in_their_order_and_the_changed_cells_are_returned() {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &[]).await;
    client.put(&table, "r", &[("f", "other", 0, "x")]).await;
    assert_eq!(change(&client, vec![add("n", 5)]).await.unwrap(), ["n=5"]);
    let rules = vec![add("n", -7), append("s", "ab"), add("n", 1), append("s", "c")];
    assert_eq!(change(&client, rules).await.unwrap(), ["n=-1", "s=abc"]);
    let max = vec![add("m", i64::MAX), add("m", 1)];
    assert_eq!(change(&client, max).await.unwrap(), [format!("m={}", i64::MIN)]);
}

#[tokio::test]
async fn a_new_version_is_never_older_than_the_last() {
    let client = Client::of(MockCluster::builder().clock_start_ms(5_000_000)).await;
    let table = client.table("t", &["f"], &[]).await;
    client.put(&table, "r", &[("f", "s", 9_000_000_000_000, "a")]).await;
    assert_eq!(change(&client, vec![append("s", "b")]).await.unwrap(), ["s=ab"]);
    assert_eq!(client.all(&table).await, ["r/f:s@9000000000000=ab"]);
}

#[tokio::test]
async fn what_cannot_be_incremented_is_a_failed_precondition_and_nothing_is_changed() {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &[]).await;
    client.put(&table, "r", &[("f", "s", 1000, "text")]).await;
    let status = change(&client, vec![add("n", 1), add("s", 1)]).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition);
    assert!(status.message().contains("has 4 bytes. Only 64-bit big-endian"), "{status}");
    assert_eq!(client.all(&table).await, ["r/f:s@1000=text"]);
    // An empty value is one too.
    client.put(&table, "e", &[("f", "n", 1000, "")]).await;
    let request = ReadModifyWriteRowRequest { row_key: "e".into(), ..request(vec![add("n", 1)]) };
    let status = client.call(method::READ_MODIFY_WRITE_ROW, request).await.unwrap_err();
    assert!(status.message().contains("has 0 bytes. Only 64-bit big-endian"), "{status}");
    assert_eq!(change(&client, Vec::new()).await.unwrap_err().code(), Code::InvalidArgument);
    let family = ReadModifyWriteRule { family_name: "none".into(), ..add("n", 1) };
    assert_eq!(change(&client, vec![family]).await.unwrap_err().code(), Code::NotFound);
    let unset = ReadModifyWriteRule { rule: None, ..add("n", 1) };
    assert_eq!(change(&client, vec![unset]).await.unwrap_err().code(), Code::InvalidArgument);
}

#[tokio::test]
async fn increments_of_many_clients_all_count() {
    let client = Client::start().await;
    client.table("t", &["f"], &[]).await;
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let client = client.clone();
        tasks.spawn(async move {
            for _ in 0..50 {
                change(&client, vec![add("n", 1)]).await.unwrap();
            }
        });
    }
    tasks.join_all().await;
    assert_eq!(change(&client, vec![add("n", 0)]).await.unwrap(), ["n=400"]);
}
