use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    #[key(width = 3)]
    id: u64,
    #[key(escaped)]
    at: i32,
}

fn main() {}
