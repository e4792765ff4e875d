//! A scan takes ranges of rows, not a key.
use tallrow::{RowKey, Table, TypedTable};

#[derive(RowKey)]
struct Id {
    id: u32,
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct T {
    #[key]
    id: Id,
    #[cell("d:a")]
    a: u32,
}

#[derive(RowKey)]
#[row_key(hash_prefix(md5, hex = 4, fields = (a, b)))]
struct Hashed {
    a: u32,
    b: u32,
    at: i64,
}

#[derive(Table)]
#[table(name = "h")]
#[family("d")]
struct H {
    #[key]
    id: Hashed,
    #[cell("d:a")]
    a: u32,
}

fn scans(t: &TypedTable<T>, h: &TypedTable<H>) {
    let _ = t.scan(Id { id: 3 });
    let _ = h.scan(Hashed::scan().a(1));
}

fn main() {}
