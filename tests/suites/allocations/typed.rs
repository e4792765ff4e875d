//! The rows of the test as a type, to count what `TypedTable` allocates.

use tallrow::{Client, RowKey, Table, TypedTable};

use super::key;

/// The rows of the test, as a type.
#[derive(Table)]
#[table(name = "counted")]
#[family("f")]
pub(crate) struct Counted {
    #[key]
    key: CountedKey,
    #[cell("f:q")]
    value: Vec<u8>,
}

#[derive(RowKey)]
pub(crate) struct CountedKey {
    number: u64,
}

pub(crate) fn table(client: &Client) -> TypedTable<Counted> {
    client.table()
}

fn key_of(row: usize) -> CountedKey {
    CountedKey { number: u64::from_be_bytes(key(row)) }
}

pub(crate) async fn put(table: &TypedTable<Counted>, row: usize) {
    table.put(&Counted { key: key_of(row), value: vec![7; 100] }).await.unwrap();
}

pub(crate) async fn get(table: &TypedTable<Counted>, row: usize) {
    assert_eq!(table.get(&key_of(row)).await.unwrap().unwrap().value, [7; 100]);
}
