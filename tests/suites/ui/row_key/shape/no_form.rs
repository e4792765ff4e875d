use std::collections::HashMap;
use std::rc::Rc;

use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key<'a> {
    tags: HashMap<u8, u8>,
    pair: (u8, u8),
    words: Vec<u16>,
    name: Rc<str>,
    id: &'a u64,
}

fn main() {}
