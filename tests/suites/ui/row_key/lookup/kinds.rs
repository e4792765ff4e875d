//! The kind of names is one word, given once, on a field of a row key.

use tallrow::{RowKey, Table};

#[derive(RowKey)]
struct Words {
    #[key(lookup = "two words")]
    host: u32,
    #[key(lookup = "")]
    event: u32,
    #[key(lookup)]
    to: u32,
    #[key(lookup = host)]
    from: u32,
    #[key(lookup = "a", lookup = "b")]
    twice: u32,
}

#[derive(RowKey)]
#[row_key(lookup = "host")]
struct OnTheType {
    host: u32,
}

#[derive(RowKey, Clone)]
#[row_key(transparent)]
struct Newtype(#[key(lookup = "host")] u32);

#[derive(RowKey)]
enum OnAVariant {
    #[key(tag = 1, lookup = "host")]
    Host { host: u32 },
}

#[derive(RowKey)]
#[row_key(shared(host))]
enum Shared {
    #[key(tag = 1)]
    Host {
        #[key(lookup = "host")]
        host: u32,
    },
    #[key(tag = 2)]
    Event { host: u32, event: u32 },
}

#[derive(RowKey)]
struct Generic<T> {
    #[key(lookup = "host")]
    host: u32,
    of: T,
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct Row {
    #[key(lookup = "host")]
    key: OnTheType,
    #[flatten]
    #[key(lookup = "host")]
    group: u32,
    #[cell("d:h", lookup = "host")]
    host: u32,
}

fn main() {}
