use tallrow::{RowKey, Table};

#[derive(RowKey)]
struct At(#[key(monotonic)] u64);

#[derive(Table)]
#[table(name = "log")]
#[family("d")]
struct Line {
    #[key]
    at: At,
    #[cell("d:t")]
    text: String,
}

#[derive(RowKey)]
#[row_key(allow(hotspot))]
struct Allowed(#[key(monotonic)] u64);

#[derive(Table)]
#[table(name = "small")]
#[family("d")]
struct Small {
    #[key]
    at: Allowed,
    #[cell("d:t")]
    text: String,
}

fn main() {}
