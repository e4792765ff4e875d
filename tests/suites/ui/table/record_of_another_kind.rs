//! A variant of a row enum holds the row type of a record.

use tallrow::{RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: u64,
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct Row {
    #[key]
    id: Id,
    #[cell("d:t")]
    title: String,
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
enum Rows {
    Row(Row),
}

fn main() {}
