use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    #[key(md5(bytes = 17))]
    a: String,
    #[key(md5(hex = 33))]
    b: String,
    #[key(md5(hex = 0))]
    c: String,
    #[key(md5(bytes = 4, hex = 8))]
    d: String,
}

fn main() {}
