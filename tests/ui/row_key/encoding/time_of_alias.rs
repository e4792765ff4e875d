use tallrow_codec::RowKey;

type Name = String;

#[derive(RowKey)]
struct Key {
    host: u32,
    #[key(time)]
    at: tallrow_codec::NonNeg<i64>,
    #[key(time, width = 8)]
    user: Name,
}

fn main() {}
