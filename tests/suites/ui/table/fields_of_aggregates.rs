#[derive(tallrow::RowKey)]
struct Id {
    id: u64,
}

#[derive(tallrow::Table)]
#[table(name = "t")]
#[family("s", aggregate = "sum")]
#[family("m", aggregate = "max")]
#[family("h", aggregate = "hll")]
struct Row {
    #[key]
    id: Id,
    #[cell("s:n")]
    number: i64,
    #[cell("m:n")]
    counter: tallrow::Counter,
    #[cell("h:n")]
    estimate: tallrow::Aggregated<i64>,
}

fn main() {}
