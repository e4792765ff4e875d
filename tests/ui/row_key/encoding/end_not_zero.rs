use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    #[key(end = 1)]
    user: String,
}

fn main() {}
