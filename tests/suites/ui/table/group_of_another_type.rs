//! What cannot be flattened: a projection, a list of groups.

use tallrow::{CellGroup, RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: u64,
}

#[derive(CellGroup)]
struct Address {
    #[cell("d:c")]
    city: String,
}

#[derive(CellGroup)]
struct Person {
    #[cell("d:n")]
    name: String,
    #[flatten]
    address: Address,
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct Row {
    #[key]
    id: Id,
    #[flatten]
    person: Person,
}

#[derive(Table)]
#[table(name = "u")]
#[family("d")]
struct Other {
    #[key]
    id: Id,
    #[flatten]
    row: Row,
    #[flatten(prefix = "a_")]
    addresses: Vec<Address>,
}

fn main() {}
