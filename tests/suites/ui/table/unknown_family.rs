#[derive(tallrow::RowKey)]
struct Id {
    id: u64,
}

#[derive(tallrow::Table)]
#[table(name = "t")]
#[family("data")]
struct Row {
    #[key]
    id: Id,
    #[cell("dat:t")]
    title: String,
    #[cell("x:t")]
    other: String,
}

fn main() {}
