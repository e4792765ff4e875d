use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(text_sep = 'é')]
struct Key {
    user: String,
    at: u64,
}

fn main() {}
