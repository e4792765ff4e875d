use tallrow_codec::RowKey;

type Name = String;

#[derive(RowKey)]
struct Key {
    host: u32,
    #[key(display_time)]
    at: tallrow_codec::NonNeg<i64>,
    #[key(display_time, width = 8)]
    user: Name,
}

fn main() {}
