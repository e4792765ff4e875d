use tallrow_codec::{RowKey, RowRanges};

#[derive(RowKey)]
#[row_key(hash_prefix(md5, hex = 5, fields = (user)))]
struct Key {
    #[key(escaped)]
    system: String,
    #[key(escaped)]
    user: String,
    at: u64,
}

fn main() {
    let _ = Key::scan().system("a").row_ranges();
    let _ = Key::scan().system("a").user("b".."c").row_ranges();
}
