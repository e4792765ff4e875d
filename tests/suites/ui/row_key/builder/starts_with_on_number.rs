use tallrow_codec::{RowKey, RowRanges, text_prefix};

#[derive(RowKey)]
struct Key {
    host: u32,
    at: u64,
}

fn main() {
    let _ = Key::scan().host(text_prefix(1)).row_ranges();
}
