use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(salt(buckets = 16))]
struct User {
    id: u64,
}

#[derive(RowKey)]
struct Login {
    user: User,
    at: u64,
}

fn main() {}
