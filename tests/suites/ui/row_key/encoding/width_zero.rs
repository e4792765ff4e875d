use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(allow(long_key))]
struct Key {
    #[key(width = 0)]
    user: String,
    #[key(width = 40000)]
    name: String,
}

fn main() {}
