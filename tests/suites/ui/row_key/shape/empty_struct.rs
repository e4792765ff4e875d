use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {}

fn main() {}
