//! What is there once, given twice, and two attributes on one field.

use tallrow::{RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: u64,
}

#[derive(Table)]
#[table(name = "t")]
#[table(name = "u")]
#[family("d")]
#[family("d", versions = 3)]
struct Names {
    #[key]
    id: Id,
    #[cell("d:n")]
    n: u32,
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct Fields {
    #[key]
    #[key]
    id: Id,
    #[cell("d:n")]
    #[cell("d:m")]
    n: u32,
    #[key]
    #[cell("d:o")]
    o: u32,
}

fn main() {}
