use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Newest {
    #[key(rev_ts)]
    at: i64,
    user: u32,
}

#[derive(RowKey)]
struct Counter {
    #[key(monotonic)]
    id: u64,
}

fn main() {}
