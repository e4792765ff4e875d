use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(hash_prefix(md5, hex = 4, fields = (at)))]
struct Key {
    #[key(floor = 3600)]
    at: u32,
}

fn main() {}
