use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    #[key(md5, display_time)]
    host: u64,
    #[key(display_time = "hours")]
    at: u64,
    #[key(display_time = 3600)]
    from: u64,
    #[key(display_time)]
    user: String,
    #[key(display_time)]
    number: u128,
}

fn main() {}
