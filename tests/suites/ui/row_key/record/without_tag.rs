use tallrow_codec::RowKey;

#[derive(RowKey)]
enum Key {
    A { a: u8 },
    #[key(tog = 2)]
    B { a: u8 },
}

#[derive(RowKey)]
enum Empty {}

fn main() {}
