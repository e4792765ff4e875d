//! The options of a cell, each with its value.

use tallrow::{RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: u64,
}

#[derive(Table)]
#[table(name = "t", validate_put = "fits")]
#[family("d", as = 7, replication_scope = "all")]
struct Row {
    #[key]
    id: Id,
    #[cell("d:a", codex = json)]
    a: String,
    #[cell("d:b", codec = "json")]
    b: String,
    #[cell("d:c", range = 7, validate = "fits")]
    c: u8,
    #[cell("d:d", versions = 0)]
    d: tallrow::value::Versions<u8>,
    #[cell("d:e", read_timestamp = 5, default, default)]
    e: Option<tallrow::Timestamp>,
    #[cell("d:f", versions, default)]
    f: tallrow::value::Versions<u8>,
    #[cell("d:g", source_field = a)]
    g: u8,
}

fn main() {}
