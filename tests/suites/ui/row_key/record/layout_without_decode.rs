use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Hashed {
    #[key(md5)]
    id: u64,
}

#[derive(RowKey)]
#[row_key(layouts)]
enum Event {
    V1(Hashed),
}

fn main() {}
