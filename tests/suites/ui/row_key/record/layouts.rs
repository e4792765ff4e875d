use tallrow_codec::RowKey;

#[derive(RowKey)]
struct First {
    id: u64,
}

#[derive(RowKey)]
struct Second {
    #[key(desc)]
    id: u64,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 4))]
struct Salted {
    id: u32,
}

#[derive(RowKey)]
#[row_key(salt(buckets = 4, bucket_offset = 3))]
struct SaltedAgain {
    id: u32,
}

#[derive(RowKey)]
#[row_key(layouts)]
enum SameLength {
    First(First),
    Second(Second),
}

#[derive(RowKey)]
#[row_key(layouts)]
enum SharedBucket {
    RandomSalted(RandomSalted),
    SaltedAgain(SaltedAgain),
}

fn main() {}
