//! A key without `lookup` has no names, and the other fields of one with it are cloned, shown and compared.

use tallrow::RowKey;
use tallrow::lookup::KeyLookup;

#[derive(RowKey)]
struct Without {
    host: u32,
}

fn no_names(lookup: &KeyLookup<Without>) {
    let _ = lookup;
}

#[derive(RowKey)]
enum Status {
    #[key(tag = 1)]
    Open,
}

#[derive(RowKey)]
struct With {
    #[key(lookup = "host")]
    host: u32,
    status: Status,
}

fn main() {}
