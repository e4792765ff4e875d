//! How a projection names its row type and its cells.

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
    #[cell("d:n")]
    name: String,
}

#[derive(Table)]
#[table(projection_of = "Row")]
struct Quoted {
    #[key]
    id: Id,
    #[cell(source_field = name)]
    n: String,
}

#[derive(Table)]
#[table(projection_of = Row)]
struct Bare {
    #[key]
    id: Id,
    #[cell]
    name: String,
}

#[derive(Table)]
#[table(projection_of = Row)]
#[family("d")]
struct Family {
    #[key]
    id: Id,
    name: String,
}

#[derive(Table)]
#[table(projection_of = Row, name = "t")]
struct Both {
    #[key]
    id: Id,
    name: String,
}

fn main() {}
