use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key<T> {
    id: T,
}

fn main() {}
