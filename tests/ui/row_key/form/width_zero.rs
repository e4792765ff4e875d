use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    #[key(width = 0)]
    user: String,
    #[key(width = 40000)]
    name: String,
}

fn main() {}
