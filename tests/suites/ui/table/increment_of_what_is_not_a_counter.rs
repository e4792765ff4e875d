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
    #[cell("d:n")]
    number: i64,
}

async fn add(table: tallrow::TypedTable<Row>) -> tallrow::Result<Option<i64>> {
    table.increment(&Id { id: 1 }, Row::NUMBER, 1).await
}

fn main() {}
