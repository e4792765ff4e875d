#![deny(deprecated)]
use tallrow_codec::RowKey;

// A hint is a warning, which fails a build only if the user configures it.
#[derive(RowKey)]
struct Log {
    timestamp: u64,
    host: u32,
}

#[derive(RowKey)]
#[row_key(allow(hotspot))]
struct Allowed {
    ts: u64,
}

#[derive(RowKey)]
struct Spread {
    #[key(md5)]
    ts: u64,
}

fn main() {}
