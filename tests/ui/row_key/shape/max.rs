use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(max = 15)]
struct Key {
    id: u64,
    #[key(width = 8)]
    name: String,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 4), max = 8)]
struct Salted {
    id: u64,
}

fn main() {}
