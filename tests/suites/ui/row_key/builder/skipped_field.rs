use tallrow_codec::{RowKey, RowRanges};

#[derive(RowKey)]
struct Key {
    host: u32,
    at: u64,
}

fn main() {
    let _ = Key::scan().at(5).row_ranges();
}
