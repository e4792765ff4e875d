//! Rows of Phoenix tables, written and read by this client; `run` compares them with what Phoenix
//! reads by SQL.
//!
//! `phoenix fill` writes rows, and prints them as they were before; `phoenix print` prints the rows
//! that it reads.

mod keys;
mod shown;
mod tables;

use tallrow::key::RowRanges;
use tallrow::table::WriteRow;
use tallrow::{Client, Table, TableDescriptor, TypedTable, Update};

use keys::Keys;
use tables::{Four, Mine, MineNamed, Named, One, Three, Two, WideKey};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// A row type of these tests.
trait Sample: WriteRow {
    /// How many rows are written.
    const ROWS: usize = 16;

    /// A row; others for other numbers.
    fn sample(number: usize) -> Self;

    /// Its fields, as the Java program prints them.
    fn shown(&self) -> String;

    /// All keys.
    fn all() -> impl RowRanges<Key = Self::Key>;
}

#[tokio::main]
async fn main() -> Result<()> {
    let url = std::env::var("TALLROW_URL")?;
    let client = Client::connect_with(&url, tallrow_tests::patient()).await?;
    match std::env::args().nth(1).as_deref() {
        Some("fill") => fill_all(&client).await,
        Some("print") => print_all(&client).await,
        _ => Err("usage: phoenix fill|print, with TALLROW_URL".into()),
    }
}

async fn fill_all(client: &Client) -> Result<()> {
    // Phoenix adopts these later.
    for descriptor in [TableDescriptor::of::<Mine>()?, TableDescriptor::of::<MineNamed>()?] {
        let name = descriptor.name().to_string();
        if client.admin().table_exists(&name).await? {
            client.admin().hbase()?.disable_table(&name).await?;
            client.admin().delete_table(&name).await?;
        }
        client.admin().create_table(&descriptor).await?;
    }
    fill::<One>(client).await?;
    fill::<Two>(client).await?;
    fill::<Three>(client).await?;
    fill::<Four>(client).await?;
    fill::<Named>(client).await?;
    fill::<Keys>(client).await?;
    fill::<Mine>(client).await?;
    fill::<MineNamed>(client).await?;

    // A row of Phoenix is changed, and another one made by an update.
    let two = client.open::<Two>().await?;
    let change = Update::new().set(Two::I, 77).unset(Two::VC);
    two.update(&WideKey { id: 1 }, change).await?;
    two.update(&WideKey { id: 500 }, Update::new().set(Two::SI, -5)).await?;
    two.delete(&WideKey { id: 2 }).await?;
    Ok(())
}

async fn fill<T: Sample>(client: &Client) -> Result<()> {
    let table = client.open::<T>().await?;
    for number in 0..T::ROWS {
        let row = T::sample(number);
        table.put(&row).await?;
        println!("{} {}", T::TABLE, row.shown());
    }
    Ok(())
}

async fn print_all(client: &Client) -> Result<()> {
    print::<One>(client).await?;
    print::<Two>(client).await?;
    print::<Three>(client).await?;
    print::<Four>(client).await?;
    print::<Named>(client).await?;
    print::<Keys>(client).await?;
    print::<Mine>(client).await?;
    print::<MineNamed>(client).await?;

    let two = client.open::<Two>().await?;
    println!("{} I >= 0: {}", Two::TABLE, count(&two, Two::I.ge(0)).await?);
    println!("{} UL < 5: {}", Two::TABLE, count(&two, Two::UL.lt(5)).await?);
    println!("{} VC = 'ab': {}", Two::TABLE, count(&two, Two::VC.eq("ab")).await?);
    Ok(())
}

async fn print<T: Sample>(client: &Client) -> Result<()> {
    let table = client.open::<T>().await?;
    let mut rows = table.scan(T::all()).rows();
    let mut count = 0;
    while let Some(row) = rows.next_row().await? {
        println!("{} {}", T::TABLE, row.shown());
        count += 1;
    }
    println!("{} rows: {count}", T::TABLE);
    Ok(())
}

async fn count<T: Sample>(
    table: &TypedTable<T>,
    condition: tallrow::column::Condition<T>,
) -> Result<usize> {
    let mut rows = table.scan(T::all()).filter(condition).rows();
    let mut count = 0;
    while rows.next_row().await?.is_some() {
        count += 1;
    }
    Ok(count)
}
