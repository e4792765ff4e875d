use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(compat = "bigtable")]
struct Keys {
    #[key(desc)]
    down: i64,
    small: i32,
    unsigned: u64,
    float: f64,
    missing: Option<String>,
}

#[derive(RowKey)]
#[row_key(compat = "bigtable", salt(buckets = 16))]
struct Salted {
    user: String,
}

#[derive(RowKey)]
#[row_key(compat = "bigtable", text_sep = '#', allow(unsorted_text))]
struct NumberBetween {
    user: String,
    at: i64,
}

fn main() {}
