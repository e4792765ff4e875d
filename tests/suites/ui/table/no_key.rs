#[derive(tallrow::RowKey)]
struct Id {
    id: u64,
}

#[derive(tallrow::Table)]
#[table(name = "t")]
#[family("d")]
struct Row {
    #[cell("d:t")]
    title: String,
}

fn main() {}
