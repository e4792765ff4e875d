use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(compat = "hbase")]
struct Keys {
    #[key(escaped)]
    escaped: String,
    #[key(desc)]
    down: i64,
    #[key(width = 4, pad = ' ')]
    padded: String,
    char: char,
    missing: Option<i64>,
    text: String,
    wide: i128,
}

fn main() {}
