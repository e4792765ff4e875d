//! A projection holds a part of a row, so it can be read but not written.

use tallrow::{RowKey, Table, TypedTable};

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
#[table(projection_of = Row)]
struct Title {
    title: String,
}

async fn put(table: &tallrow::TypedTable<Title>, title: &Title) -> tallrow::Result<()> {
    table.put(title).await
}

fn main() {
    let _ = put;
}
