use tallrow_codec::{RowKey, RowRanges, starts_with};

#[derive(RowKey)]
struct Key {
    host: u32,
    at: u64,
}

fn main() {
    let _ = Key::scan().host(starts_with(1)).row_ranges();
}
