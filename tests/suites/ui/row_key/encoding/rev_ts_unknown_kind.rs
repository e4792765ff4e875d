use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    user: u32,
    #[key(rev_ts = "nots")]
    at: u64,
}

fn main() {}
