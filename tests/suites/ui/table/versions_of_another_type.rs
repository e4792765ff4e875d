use tallrow::{RowKey, Table};

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
    #[cell("d:a", versions)]
    a: Vec<f64>,
}

fn main() {}
