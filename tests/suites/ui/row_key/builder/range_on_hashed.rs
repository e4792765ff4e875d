use tallrow_codec::{RowKey, RowRanges};

#[derive(RowKey)]
struct Key {
    #[key(md5)]
    host: String,
    at: u64,
}

fn main() {
    let _ = Key::scan().host("a".."b").row_ranges();
}
