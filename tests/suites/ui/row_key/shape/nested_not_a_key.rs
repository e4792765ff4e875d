use tallrow_codec::RowKey;

struct Place {
    shelf: u32,
}

#[derive(RowKey)]
struct Key {
    place: Place,
    at: u64,
}

/// A key with an invalid nested key causes no second error.
#[derive(RowKey)]
struct Outer {
    key: Key,
    part: u8,
}

fn main() {}
