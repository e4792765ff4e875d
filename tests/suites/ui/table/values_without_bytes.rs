//! Types that a cell does not hold: one error for each.

use std::collections::{BTreeMap, HashMap};
use std::time::SystemTime;

use tallrow::{RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: u64,
}

enum Colour {
    Red,
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct Row {
    #[key]
    id: Id,
    #[cell("d:a")]
    at: SystemTime,
    #[cell("d:b")]
    text: &'static str,
    #[cell("d:c")]
    twice: Option<Option<u32>>,
    #[cell("d:d")]
    size: usize,
    #[cell("d:e")]
    colour: Colour,
    #[cell("d:f")]
    pair: (u32, u32),
    #[cells("d:g/*")]
    map: HashMap<String, u8>,
    #[cell("d:h", versions)]
    versions: Option<u32>,
    #[cell("d:i", read_timestamp)]
    written: u64,
}

fn main() {}
