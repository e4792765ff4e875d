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
    #[cell]
    a: String,
    #[cell("d")]
    b: String,
    #[cell(d)]
    c: String,
    #[key]
    #[cell("d:d")]
    d: String,
    #[key(reverse)]
    e: Id,
}

fn main() {}
