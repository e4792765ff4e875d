//! What may have failed for some rows, or not have been applied, is not ignored by accident.

#![deny(unused_must_use)]

use tallrow::{Batch, Client, Delete, Put, RowKey, Table, Update, op::Check};

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
    name: Option<String>,
}

async fn run(client: Client, row: Row) -> tallrow::Result<()> {
    let rows = client.table::<Row>();
    rows.put_all([&row]).await;
    rows.get_all([&row.id]).await;
    rows.delete_all([&row.id]).await;
    rows.batch(Batch::new().put(&row)).await;
    rows.check_and_put(Row::NAME, None, &row).await?;
    rows.check_and_delete(&row.id, Row::NAME, None).await?;
    rows.check_and_update(&row.id, Row::NAME.is_absent(), Update::new()).await?;

    let raw = rows.raw()?;
    let put = || Put::new("r").cell("d", "n", "x");
    raw.put_all([put()]).await;
    raw.get_all(["r"]).await;
    raw.delete_all(["r"]).await;
    raw.batch([put()]).await;
    raw.check_and_mutate(Check::new("r", "d", "n").if_not_exists().then(put())).await?;
    Delete::new("r");
    Ok(())
}

fn main() {}
