//! Dynamic cells name a family or a qualifier prefix, and do not overlap.

use std::collections::BTreeMap;

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
    #[cells]
    a: BTreeMap<String, u8>,
    #[cells("d")]
    b: BTreeMap<String, u8>,
    #[cells("d:b")]
    c: BTreeMap<String, u8>,
    #[cells("d:x/*")]
    d: BTreeMap<String, u8>,
    #[cells("d:x/y*")]
    e: BTreeMap<String, u8>,
    #[cells("e:*", codec = 7)]
    f: BTreeMap<String, u8>,
}

fn main() {}
