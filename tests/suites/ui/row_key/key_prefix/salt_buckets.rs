use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(salt(buckets = 0))]
struct None {
    id: u64,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 1))]
struct One {
    id: u64,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 257))]
struct TooMany {
    id: u64,
}

#[derive(RowKey)]
#[row_key(salt(fields = (id)))]
struct Missing {
    id: u64,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 4, width = 9))]
struct Wide {
    id: u64,
}

fn main() {}
