use tallrow_codec::{RowKey, RowRanges};

#[derive(RowKey)]
struct Key {
    #[key(reverse, width = 11)]
    phone: String,
    at: u64,
}

fn main() {
    let _ = Key::scan().phone("1".."2").row_ranges();
}
