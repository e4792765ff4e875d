use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    user: u32,
    #[key(rev_ts)]
    day: u32,
    #[key(rev_ts = "inverted")]
    at: i64,
    #[key(rev_ts)]
    name: String,
}

fn main() {}
