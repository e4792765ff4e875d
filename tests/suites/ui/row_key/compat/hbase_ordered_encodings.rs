use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(compat = "hbase_ordered")]
struct Keys {
    #[key(width = 4)]
    fixed: String,
    unsigned: u32,
    flag: bool,
    array: [u8; 4],
    missing: Option<i64>,
    #[key(rev_ts)]
    at: i64,
}

#[derive(RowKey)]
#[row_key(compat = "hbase_ordered")]
struct MissingTail {
    id: i64,
    user: Option<String>,
    name: Option<String>,
}

#[derive(RowKey)]
#[row_key(compat = "hbase_ordered")]
struct DescendingTail {
    id: i64,
    #[key(desc)]
    name: Option<String>,
}

fn main() {}
