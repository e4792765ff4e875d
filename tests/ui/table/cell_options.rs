//! The options of a cell, each with what it takes.

use tallrow::{RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: u64,
}

#[derive(Table)]
#[table(name = "t", check = "fits")]
#[family("d", alias = 7, scope = "all")]
struct Row {
    #[key]
    id: Id,
    #[cell("d:a", codex = json)]
    a: String,
    #[cell("d:b", codec = "json")]
    b: String,
    #[cell("d:c", range = 7, check = "fits")]
    c: u8,
    #[cell("d:d", history = 0)]
    d: tallrow::Versions<u8>,
    #[cell("d:e", timestamp = 5, default, default)]
    e: Option<tallrow::Timestamp>,
    #[cell("d:f", history, default)]
    f: tallrow::Versions<u8>,
    #[cell("d:g", rename = a)]
    g: u8,
}

fn main() {}
