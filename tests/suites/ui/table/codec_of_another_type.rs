//! A codec must write and read the type of its field.

use tallrow::{RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: u64,
}

struct Plain;

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct Row {
    #[key]
    id: Id,
    #[cell("d:a", codec = ordered)]
    a: Plain,
}

fn main() {}
