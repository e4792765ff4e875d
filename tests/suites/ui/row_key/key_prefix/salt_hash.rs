use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(salt(buckets = 4, hash = sha1))]
struct Key {
    user: u64,
}

fn main() {}
