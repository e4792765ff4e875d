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
    title: String,
}

fn main() {}
