//! Columns, values and conditions of another type.

use tallrow::{Counter, Result, RowKey, Table, TypedTable, Update};

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

fn updates(n: u64) {
    let _: Update<Row> = Update::new().set("d:n", "x");
    let _: Update<Row> = Update::new().set(Row::NAME, 5);
    let _: Update<Row> = Update::new().set(Row::AGE, n);
    let _: Update<Row> = Update::new().set(Row::NAME, None);
    let _: Update<Row> = Update::new().unset("age");
    let _ = Update::new().set(Row::NAME, "x").set(Other::NAME, "x");
    let _: Update<Row> = Update::new().set(Row::name, "x");
}

fn conditions() {
    let _ = Row::NAME == "x";
    let _ = Row::NAME.lt(5);
    let _ = Row::AGE.starts_with("5");
    let _ = Row::NAME.eq("x") & Other::NAME.eq("x");
}

async fn checks(rows: TypedTable<Row>, id: Id) -> Result<()> {
    let update = || Update::new().set(Row::NAME, "x");
    rows.check_and_update(&id, true, update()).await?;
    rows.check_and_update(&id, Other::NAME.eq("x"), update()).await?;
    rows.update(&id, Update::new().set(Other::NAME, "x")).await?;
    if rows.check_and_update(&id, Row::NAME.eq("x"), update()).await? {}
    Ok(())
}

fn main() {}
