use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    #[key(md5)]
    at: f64,
}

fn main() {}
