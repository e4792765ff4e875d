//! What a group of cells may contain, and where it may be used.

use tallrow::{CellGroup, RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: u64,
}

#[derive(CellGroup)]
#[table(name = "t")]
struct Group {
    #[key]
    id: Id,
    #[cell("d:a")]
    a: u8,
}

#[derive(CellGroup)]
struct Versioned {
    #[cell("d:v", row_version)]
    version: u64,
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct Row {
    #[key]
    id: Id,
    #[flatten(prefixes = "a")]
    a: Group,
    #[flatten(prefix = 7)]
    b: Group,
    #[flatten(family = "x")]
    c: Group,
    #[flatten("d")]
    d: Group,
}

fn main() {}
