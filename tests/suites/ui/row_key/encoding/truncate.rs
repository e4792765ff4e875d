use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Number {
    id: u8,
    #[key(truncate)]
    at: i64,
}

#[derive(RowKey)]
struct Newest {
    id: u8,
    #[key(rev_ts, truncate)]
    at: i64,
}

#[derive(RowKey)]
struct Hours {
    id: u8,
    #[key(unit = "h", truncate)]
    at: Time,
}

struct Time;

#[derive(RowKey)]
#[row_key(truncate)]
struct OnType {
    id: u8,
}

#[derive(RowKey)]
#[row_key(unit = "ms")]
struct UnitOnType {
    id: u8,
}

fn main() {}
