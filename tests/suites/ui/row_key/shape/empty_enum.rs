use tallrow_codec::RowKey;

#[derive(RowKey)]
enum Key {}

#[derive(RowKey)]
struct Unnamed();

fn main() {}
