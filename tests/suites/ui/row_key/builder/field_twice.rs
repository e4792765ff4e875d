use tallrow_codec::{RowKey, RowRanges};

#[derive(RowKey)]
struct Key {
    host: u32,
    at: u64,
}

fn main() {
    let _ = Key::scan().host(1).host(2).row_ranges();
}
