use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(salt(buckets = 4, of = (usr)))]
struct Missing {
    user: u64,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 4, of = (user, user)))]
struct Twice {
    user: u64,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 4, of = ()))]
struct Empty {
    user: u64,
}

fn main() {}
