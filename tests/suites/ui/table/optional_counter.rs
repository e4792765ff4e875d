use tallrow::{Counter, RowKey, Table};

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
    a: Option<Counter>,
}

fn main() {}
