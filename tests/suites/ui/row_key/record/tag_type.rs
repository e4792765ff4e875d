use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(tag_type = u16)]
struct Key {
    id: u64,
}

#[derive(RowKey)]
#[row_key(tag_type = usize)]
enum Rows {
    #[key(tag = 1)]
    One { id: u64 },
}

#[derive(RowKey)]
#[row_key(tag_type = u16)]
enum More {
    #[key(tag = 65536)]
    One { id: u64 },
}

fn main() {}
