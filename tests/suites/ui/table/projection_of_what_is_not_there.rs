//! A projection consists of cells of its table's type.

use tallrow::{RowKey, Table};

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
    #[cell("d:t")]
    title: String,
    #[cell("d:p")]
    price: f64,
}

#[derive(Table)]
#[table(projection_of = Row)]
struct Misspelt {
    titel: String,
}

#[derive(Table)]
#[table(projection_of = Row)]
struct OtherType {
    title: String,
    price: f32,
}

#[derive(Table)]
#[table(projection_of = Row)]
#[family("d")]
struct Defines {
    #[cell(source_field = 7)]
    title: String,
}

fn main() {}
