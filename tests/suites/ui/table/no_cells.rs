#[derive(tallrow::RowKey)]
struct Id {
    id: u64,
}

#[derive(tallrow::Table)]
#[table(name = "t", nmae = "u")]
#[family("d")]
struct Row {
    #[key]
    id: Id,
}

fn main() {}
