#[derive(tallrow::RowKey)]
struct Id {
    id: u64,
}

#[derive(tallrow::Table)]
#[table(name = "t")]
#[family("d")]
enum Row {
    A,
}

#[derive(tallrow::Table)]
#[table(name = "u")]
#[family("d")]
struct Tuple(Id, String);

#[derive(tallrow::Table)]
#[table(name = "v")]
#[family("d")]
struct Generic<V> {
    #[key]
    id: Id,
    #[cell("d:t")]
    title: V,
}

fn main() {}
