use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(salt(buckets = 4), hash_prefix(md5, hex = 4, fields = (user)))]
struct Key {
    user: u64,
}

fn main() {}
