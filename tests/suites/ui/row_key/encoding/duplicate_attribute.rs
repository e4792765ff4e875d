use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    #[key(width = 4, width = 5)]
    user: String,
    #[key(desc)]
    #[key(desc)]
    at: u64,
}

fn main() {}
