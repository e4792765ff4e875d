//! Pointers of the standard library as fields of a key.

use std::sync::Arc;

use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Shared {
    #[key(escaped)]
    user: Arc<str>,
    id: Box<u64>,
}

fn main() {}
