use tallrow_codec::RowKey;

#[derive(RowKey)]
struct First {
    id: u64,
}

#[derive(RowKey)]
#[row_key(layouts, salt(buckets = 4), compat = "hbase")]
enum Salted {
    First(First),
}

#[derive(RowKey)]
#[row_key(layouts)]
enum Named {
    First { id: u64 },
    #[key(tag = 2)]
    Second(First),
}

#[derive(RowKey)]
#[row_key(layouts)]
struct Struct {
    id: u64,
}

#[derive(RowKey)]
#[row_key(layouts)]
enum Empty {}

fn main() {}
