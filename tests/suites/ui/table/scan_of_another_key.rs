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

#[derive(tallrow::RowKey)]
struct Other {
    id: u64,
}

fn scan(table: tallrow::TypedTable<Row>) {
    let _ = table.scan(Other::scan());
}

fn main() {}
