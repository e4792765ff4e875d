use tallrow_codec::RowKey;

#[derive(RowKey)]
enum Key {
    #[key(tag = 1)]
    A { a: u8 },
    #[key(tag = 1)]
    B { a: u8 },
    #[key(tag = 256)]
    C { a: u8 },
    #[key(tag = "3")]
    D { a: u8 },
}

#[derive(RowKey)]
enum Numbered {
    #[key(tag = 1)]
    A = 1,
    #[key(tag = 2)]
    B = 3,
}

fn main() {}
