use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(hash_prefix(hex = 4))]
struct Key {
    user: u64,
}

fn main() {}
