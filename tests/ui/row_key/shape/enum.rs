use tallrow_codec::RowKey;

#[derive(RowKey)]
enum Key {
    A { a: u8 },
}

fn main() {}
