use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    #[key(md5, time)]
    host: u64,
    #[key(time = "hours")]
    at: u64,
    #[key(time = 3600)]
    from: u64,
    #[key(time)]
    user: String,
    #[key(time)]
    number: u128,
}

fn main() {}
