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
    #[cell("d:a", codec = bincode)]
    a: u32,
    #[cell("d:b", codec = jsom)]
    b: u32,
    #[cells("d:c/*", codec = msgpack)]
    c: Vec<(String, u32)>,
}

fn main() {}
