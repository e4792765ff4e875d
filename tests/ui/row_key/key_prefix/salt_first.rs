use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(salt(buckets = 16, first = 250))]
struct Key {
    id: u64,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 16, first = -1))]
struct Negative {
    id: u64,
}

fn main() {}
