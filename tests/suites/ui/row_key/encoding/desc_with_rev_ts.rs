use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    user: u32,
    #[key(rev_ts, desc)]
    at: i64,
}

fn main() {}
