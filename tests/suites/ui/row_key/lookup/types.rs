//! A field with `lookup` holds an id as it is.

use tallrow::RowKey;
use tallrow::key::Uid;

enum Hosts {}

#[derive(RowKey)]
struct Name {
    #[key(lookup = "host", escaped)]
    host: String,
    at: u64,
}

#[derive(RowKey)]
struct Signed {
    #[key(lookup = "host")]
    host: i32,
    #[key(lookup = "event")]
    event: u128,
    #[key(lookup = "to")]
    to: Option<u32>,
    #[key(lookup = "all")]
    all: Vec<u32>,
}

type Float = f64;

#[derive(RowKey)]
struct Alias {
    #[key(lookup = "host")]
    host: Float,
}

#[derive(RowKey)]
struct Nested {
    #[key(lookup = "host")]
    host: Inner,
}

#[derive(RowKey, Clone, Debug, PartialEq)]
struct Inner {
    #[key(lookup = "host")]
    host: Uid<Hosts>,
}

#[derive(RowKey)]
struct Changed {
    #[key(lookup = "host", md5)]
    host: u32,
    #[key(lookup = "hour", floor = 60)]
    hour: u32,
    #[key(lookup = "at", rev_ts)]
    at: u64,
}

fn main() {}
