//! What a new user writes before reading about the attributes.

use std::collections::HashMap;

use tallrow::{RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: u64,
}

macro_rules! row {
    ($name:ident, $(#[$field:meta])* $ty:ty) => {
        #[derive(Table)]
        #[table(name = "t")]
        #[family("d")]
        struct $name {
            #[key]
            id: Id,
            $(#[$field])*
            value: $ty,
        }
    };
}

row!(NoFamily, #[cell("t")] u32);
row!(NamedParts, #[cell(family = "d", qualifier = "t")] u32);
row!(Unquoted, #[cell(d)] u32);
row!(Column, #[column("d:t")] u32);
row!(Serde, #[cell("d:t", rename = "x")] u32);
row!(Twice, #[cell("d:t", codec = "json")] u32);
row!(Untold, u32);

row!(Map, #[cell("d:t")] HashMap<String, u32>);
row!(Status, #[cell("d:t")] State);
row!(Time, #[cell("d:t")] std::time::SystemTime);
row!(Nested, #[cell("d:t")] Option<Option<u32>>);
row!(Json, #[cell("d:t", codec = json)] Plain);

#[derive(RowKey)]
enum State {
    #[key(tag = 1)]
    Open,
}

struct Plain;

#[derive(Table)]
#[table("t")]
#[family("d", ttl = "7d")]
struct Positional {
    #[key]
    id: Id,
    #[cell("d:t")]
    value: u32,
}

#[derive(Table)]
#[table(name = "t", families = ["d"])]
struct Families {
    #[key]
    id: Id,
    #[cell("d:t")]
    value: u32,
}

fn main() {}
