use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(sallt(buckets = 4))]
struct Key {
    #[key(rev_tss)]
    at: i64,
    #[key(colour)]
    user: u32,
}

fn main() {}
