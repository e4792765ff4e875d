//! Families are attributes of their own, each with its name first.

use tallrow::{RowKey, Table};

#[derive(RowKey)]
struct Id {
    id: u64,
}

#[derive(Table)]
#[table(name = "t", families = ["d"], ttl = "2d", data_block_encoding = "diff")]
struct Listed {
    #[key]
    id: Id,
    #[cell("d:n")]
    n: u32,
}

#[derive(Table)]
#[table(name = "t")]
#[family("d", "e")]
struct Two {
    #[key]
    id: Id,
    #[cell("d:n")]
    n: u32,
}

#[derive(Table)]
#[table(name = "t")]
#[family(name = "d", versions = 3)]
struct Named {
    #[key]
    id: Id,
    #[cell("d:n")]
    n: u32,
}

#[derive(Table)]
#[table(name = "t")]
#[family("D", ttl = "2w", compression = "zip", blocksize = 65536)]
struct Options {
    #[key]
    id: Id,
    #[cell("d:n")]
    n: u32,
}

fn main() {}
