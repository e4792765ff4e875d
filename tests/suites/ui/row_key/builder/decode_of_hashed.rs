use tallrow_codec::{DecodeRowKey, RowKey};

#[derive(RowKey)]
struct Key {
    #[key(md5)]
    host: String,
    at: u64,
}

fn reads<K: DecodeRowKey>() {}

fn main() {
    let _ = Key::decode(b"");
    reads::<Key>();
}
