//! The key and the cells of a projection have the types of its row type, which is one.

use tallrow::{Counter, RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: u64,
}

#[derive(RowKey)]
struct OtherId {
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
    #[cell("d:a")]
    age: Option<u32>,
    #[cell("d:h")]
    hits: Counter,
}


#[derive(Table)]
#[table(projection_of = Row)]
struct OtherKey {
    #[key]
    id: OtherId,
    name: String,
}

#[derive(Table)]
#[table(projection_of = Row)]
struct OtherCells {
    #[key]
    id: Id,
    name: u32,
    age: Option<u64>,
    hits: i64,
}

#[derive(Table)]
#[table(projection_of = Id)]
struct OfAKey {
    #[key]
    id: Id,
    name: String,
}

fn main() {}
