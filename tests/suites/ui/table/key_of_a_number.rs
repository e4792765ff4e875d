use tallrow::Table;

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct T {
    #[key]
    id: u32,
    #[cell("d:a")]
    a: u32,
}

fn main() {
    let _ = |row: T| row.a;
}
