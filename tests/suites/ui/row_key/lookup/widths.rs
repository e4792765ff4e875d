//! Ids of names are 1 to 8 bytes wide, and those of one kind are equally wide.

use tallrow::RowKey;
use tallrow::key::Uid;

enum Hosts {}

#[derive(RowKey)]
struct Wide {
    #[key(lookup = "host")]
    host: Uid<Hosts, 9>,
}

#[derive(RowKey)]
struct Different {
    #[key(lookup = "host")]
    from: Uid<Hosts, 3>,
    #[key(lookup = "host")]
    to: Uid<Hosts, 4>,
}

#[derive(RowKey)]
struct WithWidth {
    #[key(lookup = "host", width = 3)]
    host: u64,
    #[key(lookup = "host", width = 3)]
    to: Uid<Hosts, 3>,
}

fn main() {}
