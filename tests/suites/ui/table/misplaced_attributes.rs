//! Attributes of a field on the type, and the other way round.

use tallrow::{CellGroup, RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: u64,
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
#[cell("d:x")]
struct Row {
    #[key]
    id: Id,
    #[cell("d:n")]
    #[family("d")]
    n: u32,
}

#[derive(CellGroup)]
#[flatten(prefix = "h_")]
struct Group {
    #[table(name = "t")]
    #[cell("d:n")]
    n: u32,
}

fn main() {}
