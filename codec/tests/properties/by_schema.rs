//! `test_row_key!` with the keys of these tests and one that cannot be decoded.

use std::cmp::Ordering;

use tallrow_codec::{RandomSalted, RowKey, TagPairs, Uid, test_row_key};

use crate::keys::{
    Access, CustomerRow, Descending, Generic, Nested, Numbers, Partitioned, Phone, Place,
    Salted as InBuckets, Small, Texts, WholeSalted,
};

test_row_key!(Numbers);
test_row_key!(Texts);
test_row_key!(Descending);
test_row_key!(Small);
test_row_key!(Place);
test_row_key!(Nested);
test_row_key!(InBuckets);
test_row_key!(WholeSalted);
test_row_key!(Access);
test_row_key!(Phone);
test_row_key!(Partitioned);
test_row_key!(CustomerRow);
test_row_key!(Generic<i16, String, 2>);

/// A key in a bucket chosen by the writer, with a bucket offset.
#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(random, buckets = 5, bucket_offset = 250, width = 2))]
struct Click {
    page: u16,
    #[key(desc)]
    at: u32,
}

test_row_key!(RandomSalted<Click>);

/// Lists, and tags after them.
#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 20, fields = (metric, tags), hash = java_arrays_hash))]
struct Series {
    metric: Uid<Click, 3>,
    #[key(terminated_list)]
    path: Vec<u16>,
    #[key(terminated_list, escaped, desc)]
    names: Vec<String>,
    #[key(floor = 3600)]
    at: u32,
    tags: TagPairs<Uid<Click, 3>, u8, 4>,
}

test_row_key!(Series);

/// A key that cannot be decoded to its values.
#[derive(RowKey, Clone, Debug)]
#[row_key(salt(buckets = 4, fields = (host), hash = crc32))]
struct Log {
    #[key(md5(bytes = 6))]
    host: &'static str,
    #[key(md5(hex = 3))]
    event: u16,
    #[key(floor = 10)]
    at: u32,
    rest: &'static [u8],
}

fn logs() -> impl Iterator<Item = Log> {
    let hosts = ["", "a", "b", "host1", "host10"];
    let pairs = hosts.into_iter().flat_map(|host| [0, 1, 256].map(|event| (host, event)));
    let times = |(host, event)| [0, 1, 9, 10, 95, u32::MAX].map(move |at| (host, event, at));
    pairs
        .flat_map(times)
        .zip([&b""[..], b"\0", b"a", b"a\0", b"\xff", b"\xff\xff"].into_iter().cycle())
        .map(|((host, event, at), rest)| Log { host, event, at, rest })
}

fn by_time(a: &Log, b: &Log) -> Ordering {
    match (a.host == b.host, a.event == b.event) {
        (true, true) => (a.at / 10, a.rest).cmp(&(b.at / 10, b.rest)),
        // The order of hashes is not defined; the schema compares them.
        _ => a.encode()[1..].cmp(&b.encode()[1..]),
    }
}

test_row_key!(Log, logs(), by_time);
