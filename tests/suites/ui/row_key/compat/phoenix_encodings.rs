use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(compat = "phoenix")]
struct Keys {
    #[key(escaped)]
    escaped: String,
    #[key(width = 4, pad = '_')]
    padded: String,
    #[key(reverse, width = 4)]
    reversed: String,
    bytes: Vec<u8>,
    char: char,
    wide: u128,
    missing: Option<i64>,
    list: Vec<u32>,
}

#[derive(RowKey)]
#[row_key(compat = "phoenix")]
struct MissingBehindText {
    user: String,
    name: Option<String>,
}

#[derive(RowKey)]
#[row_key(compat = "phoenix")]
struct Bytes {
    id: i64,
    #[key(desc)]
    rest: Vec<u8>,
}

fn main() {}
