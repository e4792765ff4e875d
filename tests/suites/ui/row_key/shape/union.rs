use tallrow_codec::RowKey;

#[derive(RowKey)]
union Key {
    a: u8,
    b: i8,
}

fn main() {}
