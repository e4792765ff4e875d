//! What is not a scan of a table, and options of a scan of another type.

use tallrow::{Counter, PageToken, RowKey, Scan, Table, TypedTable};

#[derive(RowKey)]
struct Id {
    id: u64,
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct Row {
    #[key]
    id: Id,
    #[cell("d:n")]
    name: String,
    #[cell("d:a")]
    age: Option<u32>,
    #[cell("d:h")]
    hits: Counter,
}

#[derive(Table)]
#[table(name = "other")]
#[family("d")]
struct Other {
    #[key]
    id: Id,
    #[cell("d:n")]
    name: String,
}

#[derive(RowKey)]
struct OtherId {
    id: u64,
}

fn scans(rows: TypedTable<Row>, token: PageToken, other: OtherId) {
    let _ = rows.scan("abc");
    let _ = rows.scan(Id { id: 1 }..Id { id: 5 });
    let _ = rows.scan(Scan::all());
    let _ = rows.scan(..);
    let _ = rows.scan(Id::scan()).filter("name = 'x'");
    let _ = rows.scan(Id::scan()).after(&other);
    let _ = rows.scan(Id::scan()).resume(token);
    let _ = rows.scan(Id::scan()).limit(-1);
    let _ = rows.with_hook(|_: &Row| Ok(()));
}

fn main() {}
