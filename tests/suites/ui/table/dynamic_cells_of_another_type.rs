//! Dynamic cells are a map or a list of qualifiers and values.

use std::collections::{BTreeMap, HashMap};

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
    #[cells("d:a/*")]
    a: HashMap<String, u8>,
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct Other {
    #[key]
    id: Id,
    #[cells("d:b/*")]
    b: BTreeMap<(u8, u8), u8>,
}

fn main() {}
