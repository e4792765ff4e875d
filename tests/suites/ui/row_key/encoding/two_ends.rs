use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    #[key(escaped, width = 4)]
    user: String,
}

fn main() {}
