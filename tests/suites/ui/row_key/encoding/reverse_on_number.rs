use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    #[key(reverse)]
    id: u64,
}

fn main() {}
