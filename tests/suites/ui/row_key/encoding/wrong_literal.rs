use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    #[key(width = "8")]
    user: String,
    #[key(escaped = true)]
    item: String,
    #[key(sep = "||")]
    shop: String,
    #[key(chars = 9)]
    name: String,
}

fn main() {}
