use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(salt(random, buckets = 4, fields = (id)))]
struct Key {
    id: u64,
}

#[derive(RowKey)]
#[row_key(salt(random, buckets = 4, hash = crc32))]
struct Hashed {
    id: u64,
}

#[derive(RowKey)]
#[row_key(salt(random = true))]
struct Bare {
    id: u64,
}

fn main() {}
