use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key<T> {
    id: T,
    at: i64,
}

fn main() {
    // The parameter stands for a type without an end, and another field follows.
    let _ = Key { id: String::new(), at: 1 }.encode();
}
