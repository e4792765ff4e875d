use tallrow_codec::RowKey;

struct Key {
    host: u32,
}

fn main() {
    let _ = Key { host: 1 }.encode_key();
    needs_key::<Key>();
}

fn needs_key<K: RowKey>() {}
