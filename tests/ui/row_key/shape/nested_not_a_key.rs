use tallrow_codec::RowKey;

struct Place {
    shelf: u32,
}

#[derive(RowKey)]
struct Key {
    place: Place,
    at: u64,
}

/// A key of a key with an error has none of its own.
#[derive(RowKey)]
struct Outer {
    key: Key,
    part: u8,
}

fn main() {}
