use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(text_sep = '|')]
struct Key {
    #[key(chars = "a-z0-9")]
    user: String,
    item: String,
    at: u64,
}

fn main() {}
