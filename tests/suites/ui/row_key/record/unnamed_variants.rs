//! Variants of a key have named fields and a tag.

use tallrow_codec::RowKey;

#[derive(RowKey)]
enum Key {
    Order(u32),
    Invoice(String),
}

fn main() {}
