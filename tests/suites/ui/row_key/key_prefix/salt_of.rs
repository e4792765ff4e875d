use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(salt(buckets = 4, fields = (usr)))]
struct Missing {
    user: u64,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 4, fields = (user, user)))]
struct Twice {
    user: u64,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 4, fields = ()))]
struct Empty {
    user: u64,
}

fn main() {}
