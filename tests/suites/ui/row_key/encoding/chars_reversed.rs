use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    #[key(width = 4, chars = "z-a")]
    user: String,
    #[key(width = 4, chars = "")]
    item: String,
    #[key(width = 4, chars = "aé")]
    name: String,
}

fn main() {}
