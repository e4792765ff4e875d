use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(salt(random, buckets = 4))]
struct Click {
    id: u64,
}

fn get<K: RowKey>(_: &K) {}

fn main() {
    let click = Click { id: 1 };
    let _ = click.encode();
    get(&click);
    get(&click.salted(1));
}
