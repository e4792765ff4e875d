use tallrow_codec::RowKey;

type Seconds = u32;

#[derive(RowKey)]
struct Key {
    host: u32,
    #[key(rev_ts)]
    at: Seconds,
}

fn main() {}
