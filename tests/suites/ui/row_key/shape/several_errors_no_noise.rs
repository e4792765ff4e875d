use tallrow_codec::{DecodeRowKey, RowKey, RowRanges};

#[derive(RowKey)]
struct Key {
    user: String,
    #[key(widht = 3)]
    item: String,
    #[key(rev_ts)]
    at: u32,
}

fn main() {
    let key = Key { user: "a".into(), item: "b".into(), at: 1 };
    let _ = key.encode();
    let _ = key.encode_key();
    let _ = Key::decode(b"");
    let _ = Key::decode_key(b"");
    let _ = Key::scan().user("a").at(1..).row_ranges();
    let _ = Key::prefix().user("a").item("b").at(1);
}
