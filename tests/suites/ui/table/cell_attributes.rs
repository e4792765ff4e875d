//! The column of a cell is one literal.

use tallrow::{RowKey, Table};

const COLUMN: &str = "d:n";

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
    #[cell(family = "d", qualifier = "a")]
    a: u32,
    #[cell("d", "b")]
    b: u32,
    #[cell = "d:c"]
    c: u32,
    #[cell(COLUMN)]
    d: u32,
    #[cell("d:e", default = 1, range = "1..5")]
    e: u32,
    #[cell("d:f", validate = |n| *n > 3)]
    f: u32,
    #[cell("d:g", row_version)]
    g: i64,
}

fn main() {}
