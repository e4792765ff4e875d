//! A counter can be added to but not written.

use tallrow::{Counter, RowKey, Table, Update};

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
    seen: Counter,
    #[cell("d:m")]
    number: i64,
}

fn main() {
    let _ = Update::new().set(Row::SEEN, Counter(1));
    let _ = Update::new().add(Row::NUMBER, 1);
}
