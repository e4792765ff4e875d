use tallrow_codec::RowKey;

#[derive(RowKey)]
struct Key<T> {
    id: T,
    at: i64,
}

struct Foreign;

fn get<K: RowKey>(_: &K) {}

fn main() {
    // The parameter stands for a type without a form.
    get(&Key { id: Foreign, at: 1 });
    let _ = Key { id: Foreign, at: 1 }.encode();
}
