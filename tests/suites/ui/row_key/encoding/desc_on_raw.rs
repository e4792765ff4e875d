use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    #[key(desc)]
    user: String,
}

fn main() {}
