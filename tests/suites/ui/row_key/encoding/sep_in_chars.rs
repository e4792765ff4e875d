use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(text_sep = '-')]
struct Key {
    #[key(chars = "a-z-")]
    user: String,
    at: u64,
}

fn main() {}
