use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key {
    id: usize,
    offset: isize,
}

fn main() {}
