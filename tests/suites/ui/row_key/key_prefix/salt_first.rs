use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(salt(buckets = 16, bucket_offset = 250))]
struct Key {
    id: u64,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 16, bucket_offset = -1))]
struct Negative {
    id: u64,
}

fn main() {}
