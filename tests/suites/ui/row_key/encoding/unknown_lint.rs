use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(allow(hot_spot, everything))]
struct Key {
    id: u64,
}

fn main() {}
