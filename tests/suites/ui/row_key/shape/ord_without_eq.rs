use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(ord)]
struct Key {
    id: u64,
}

#[derive(RowKey, PartialEq)]
#[row_key(ord)]
struct Measure {
    id: u64,
    value: f64,
}

impl Eq for Measure {}

fn main() {}
