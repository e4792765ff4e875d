use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(salt(buckets = 4, of = (at)))]
struct Key {
    user: u64,
    #[key(rev_ts)]
    at: i64,
}

fn main() {}
