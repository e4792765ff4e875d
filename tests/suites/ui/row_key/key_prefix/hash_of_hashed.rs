use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(hash_prefix(md5, hex = 4, fields = (user)))]
struct Key {
    #[key(md5)]
    user: String,
}

fn main() {}
