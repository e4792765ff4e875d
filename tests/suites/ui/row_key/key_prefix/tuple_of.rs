use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(salt(buckets = 4, fields = (0, 2)))]
struct Behind(u64, u32);

#[derive(RowKey)]
#[row_key(salt(buckets = 4, fields = (first)))]
struct ByName(u64, u32);

#[derive(RowKey)]
#[row_key(salt(buckets = 4, fields = (1, 0)))]
struct Good(u64, u32);

#[derive(RowKey)]
#[row_key(hash_prefix(md5, hex = 4, fields = (0, 0)))]
struct Twice(u64, u32);

fn main() {}
