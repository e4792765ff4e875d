//! Types of the standard library that have no bytes in a key, and a struct without the derive.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use tallrow_codec::RowKey;

struct Tenant {
    id: u32,
}

#[derive(RowKey)]
struct Key {
    tenant: Tenant,
    address: IpAddr,
    words: [u32; 4],
    at: SystemTime,
}

#[derive(RowKey)]
struct Other {
    pair: (u64, u64),
    counts: HashMap<u8, u8>,
    name: Box<str>,
    took: Duration,
}

fn main() {}
