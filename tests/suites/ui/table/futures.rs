//! A forgotten `.await`, one too many, and `?` in the wrong place.

use tallrow::{Client, Counter, Result, RowKey, Table, TypedTable};

#[derive(RowKey)]
struct Id {
    id: u64,
}

#[derive(Table)]
#[table(name = "t")]
#[family("d")]
struct Row {
    #[key]
    id: Id,
    #[cell("d:n")]
    name: String,
    #[cell("d:a")]
    age: Option<u32>,
    #[cell("d:h")]
    hits: Counter,
}

#[derive(Table)]
#[table(name = "other")]
#[family("d")]
struct Other {
    #[key]
    id: Id,
    #[cell("d:n")]
    name: String,
}

async fn forgotten(rows: TypedTable<Row>, id: Id) -> Result<()> {
    let _ = rows.get(&id)?;
    let row = rows.get(&id).await?;
    println!("{}", row.name);
    Ok(())
}

async fn too_many(client: Client) -> Result<()> {
    let _ = client.table::<Row>().await?;
    let _ = client.table::<Row>().scan(Id::scan()).await?;
    Ok(())
}

async fn outcomes(rows: TypedTable<Row>, some: Vec<Row>) -> Result<()> {
    rows.put_all(&some).await?;
    Ok(())
}

async fn loops(rows: TypedTable<Row>) {
    for _ in rows.scan(Id::scan()).rows() {}
}

fn not_async(rows: TypedTable<Row>, id: Id) -> Result<()> {
    rows.get(&id).await?;
    Ok(())
}

fn main() {
    let client = Client::connect("mock:");
    let _ = client.table::<Row>();
}
