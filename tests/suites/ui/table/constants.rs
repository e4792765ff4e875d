use tallrow::{RowKey, Table};

const BUCKETS: u32 = 16;
const EVENTS: &str = "no table";

#[derive(RowKey)]
#[row_key(salt(buckets = BUCKETS))]
struct Salted {
    id: u32,
}

#[derive(RowKey)]
struct Id {
    id: u32,
}

#[derive(Table)]
#[table(name = EVENTS)]
#[family("d")]
struct Event {
    #[key]
    id: Id,
    #[cell("d:a")]
    a: u32,
}

#[derive(Table)]
#[table(name = 5)]
#[family("d")]
struct Numbered {
    #[key]
    id: Id,
    #[cell("d:a")]
    a: u32,
}

fn main() {}
