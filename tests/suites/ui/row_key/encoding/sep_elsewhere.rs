use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(sep = '|')]
struct OnType {
    user: String,
}

#[derive(RowKey)]
struct OnOthers {
    #[key(sep = '|')]
    raw: Vec<u8>,
    #[key(sep = '|')]
    id: u32,
}

#[derive(RowKey)]
#[row_key(text_sep = "")]
struct Empty {
    user: String,
}

#[derive(RowKey)]
#[row_key(text_sep)]
struct Bare {
    user: String,
}

fn main() {}
