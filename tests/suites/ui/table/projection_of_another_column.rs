//! A column that a projection names must be one of its table's type.

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
#[table(projection_of = Row)]
struct Part {
    #[cell("d:x")]
    title: String,
}

fn main() {}
