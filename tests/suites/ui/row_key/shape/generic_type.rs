use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key<T> {
    id: T,
    at: i64,
}

struct Foreign;

fn get<K: RowKey>(_: &K) {}

fn main() {
    // The parameter may be a type without an encoding.
    get(&Key { id: Foreign, at: 1 });
    let _ = Key { id: Foreign, at: 1 }.encode();
}
