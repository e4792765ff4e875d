//! Arguments of the methods of a table that are of another type.

use tallrow::{Client, Counter, Put, RawTable, Result, RowKey, Table, TypedTable};

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

#[derive(RowKey)]
struct OtherId {
    id: u64,
}

async fn typed(rows: TypedTable<Row>, row: Row, id: Id, other: OtherId) -> Result<()> {
    rows.put(row).await?;
    rows.get(id).await?;
    rows.get(&7_u64).await?;
    rows.get("7").await?;
    rows.get(&other).await?;
    rows.put(&Put::new("r")).await?;
    rows.batch(vec![&row]).await.into_result()?;
    rows.increment(&id, "hits", 1).await?;
    rows.delete(&row).await?;
    let _: i64 = rows.increment(&id, Row::HITS, 1).await?;
    Ok(())
}

async fn raw(rows: RawTable, row: Row) -> Result<()> {
    rows.put(row).await?;
    Ok(())
}

async fn tables(client: Client, address: String) -> Result<()> {
    Client::connect(address).await?;
    let _ = client.table::<Id>();
    let _ = client.table::<Row>("t");
    client.admin().create("t").await
}

fn main() {}
