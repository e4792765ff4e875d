//! Handles, builders and rows that are moved, borrowed or not `Send`.

use std::future::Future;
use std::rc::Rc;

use tallrow::{Counter, Result, RowKey, Table, TypedTable};

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

fn spawn(_: impl Future + Send + 'static) {}

fn in_a_loop(rows: TypedTable<Row>) {
    for id in 0..3 {
        spawn(async move { rows.get(&Id { id }).await });
    }
}

fn borrowed(rows: TypedTable<Row>) {
    spawn(async { rows.get(&Id { id: 1 }).await });
}

fn not_send(rows: TypedTable<Row>) {
    let count = Rc::new(1);
    spawn(async move {
        let _ = rows.get(&Id { id: 1 }).await;
        drop(count);
    });
}

fn builder(rows: TypedTable<Row>) {
    let scan = rows.scan(Id::scan());
    scan.limit(5);
    let _ = scan.rows();
}

async fn not_mutable(rows: TypedTable<Row>) -> Result<()> {
    let rows = rows.scan(Id::scan()).rows();
    while let Some(_) = rows.next_row().await? {}
    Ok(())
}

fn main() {}
