use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(max_fixed_len = 15)]
struct Key {
    id: u64,
    #[key(width = 8)]
    name: String,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 4), max_fixed_len = 8)]
struct Salted {
    id: u64,
}

fn main() {}
