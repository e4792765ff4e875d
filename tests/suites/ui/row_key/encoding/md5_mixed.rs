use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    #[key(md5, desc)]
    host: String,
    #[key(md5, escaped)]
    event: String,
}

fn main() {}
