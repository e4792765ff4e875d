use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Long {
    a: [u8; 64],
    b: [u8; 64],
}

#[derive(RowKey)]
#[row_key(max_fixed_len = 16, salt(buckets = 4))]
struct Max {
    a: u64,
    b: u64,
    c: String,
}

#[derive(RowKey)]
#[row_key(allow(long_key))]
struct Allowed {
    a: [u8; 128],
}

fn main() {}
