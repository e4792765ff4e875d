use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(salt(buckets = 4, fields = (at)))]
struct Key {
    user: u64,
    #[key(rev_ts)]
    at: i64,
}

fn main() {}
