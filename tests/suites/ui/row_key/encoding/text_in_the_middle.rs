use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    user: String,
    raw: Vec<u8>,
    name: Option<String>,
    at: u64,
}

fn main() {}
