use tallrow_codec::RowKey;

#[derive(RowKey)]
struct First {
    id: u64,
}

#[derive(RowKey)]
#[row_key(versions, salt(buckets = 4), compat = "hbase")]
enum Salted {
    First(First),
}

#[derive(RowKey)]
#[row_key(versions)]
enum Named {
    First { id: u64 },
    #[key(tag = 2)]
    Second(First),
}

#[derive(RowKey)]
#[row_key(versions)]
struct Struct {
    id: u64,
}

#[derive(RowKey)]
#[row_key(versions)]
enum Empty {}

fn main() {}
