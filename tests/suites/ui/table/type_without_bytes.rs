#[derive(tallrow::RowKey)]
struct Id {
    id: u64,
}

#[derive(tallrow::Table)]
#[table(name = "t")]
#[family("d")]
struct Row {
    #[key]
    id: Id,
    #[cell("d:t")]
    titles: Vec<String>,
}

fn main() {}
