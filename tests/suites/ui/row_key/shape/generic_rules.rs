use tallrow_codec::RowKey;

#[derive(RowKey)]
#[row_key(lock_file = "key.lock")]
struct Locked<T> {
    id: T,
}

struct Of<'a, T>(&'a T);

#[derive(RowKey)]
struct Borrows<'a, T> {
    id: Of<'a, T>,
}

#[derive(RowKey)]
#[row_key(hash_prefix(md5, hex = 4, fields = (id)))]
struct Hashed<T> {
    id: T,
}

fn main() {}
