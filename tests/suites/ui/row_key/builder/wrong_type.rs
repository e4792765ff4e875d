use tallrow_codec::{RowKey, RowRanges};

#[derive(RowKey)]
struct Key {
    host: u32,
    at: u64,
}

fn main() {
    let _ = Key::scan().host("a").row_ranges();
    let _ = Key::scan().host(1_u32).at(7_u32..9).row_ranges();
}
