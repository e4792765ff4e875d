#[derive(tallrow::RowKey)]
struct Id {
    id: u64,
}

#[derive(tallrow::Table)]
#[table(name = "a b")]
#[family("d:x")]
struct Row {
    #[key]
    id: Id,
    #[cell("d:t")]
    title: String,
}

fn main() {}
