//! The families of a group must be families of the table, and its columns must differ from those of other fields.

use tallrow::{CellGroup, RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: u64,
}

#[derive(CellGroup)]
struct Group {
    #[cell("x:a")]
    a: u8,
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct Row {
    #[key]
    id: Id,
    #[flatten]
    group: Group,
}

#[derive(Table)]
#[table(name = "t")]
#[family("x")]
struct Twice {
    #[key]
    id: Id,
    #[flatten]
    first: Group,
    #[flatten]
    second: Group,
}

#[derive(Table)]
#[table(name = "t")]
#[family("x")]
struct NoGroup {
    #[key]
    id: Id,
    #[flatten]
    first: u8,
}

fn main() {}
