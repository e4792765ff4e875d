use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(salt(buckets = 8, hash = modulo))]
struct Whole {
    a: u32,
    b: u32,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 8, fields = (a), hash = modulo))]
struct Signed {
    a: i32,
}

fn main() {}
