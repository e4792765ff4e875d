#[derive(tallrow::RowKey)]
struct Id {
    id: u64,
}

#[derive(tallrow::Table)]
#[table(name = "t")]
#[family("d", version = 3)]
#[family("e", versions = 0)]
#[family("g", aggregate = "average")]
#[family("f", ttl = "1 week", bloom = "yes", in_memory = 1)]
struct Row {
    #[key]
    id: Id,
    #[cell("d:t")]
    title: String,
}

fn main() {}
