use tallrow_codec::{RowKey, RowRanges};

#[derive(RowKey)]
struct Key {
    host: u32,
    at: u64,
}

fn main() {
    let _ = Key::scan().host(1..3).at(2).row_ranges();
}
