//! Shared by the programs in this folder: a cluster, new tables, and cells in the notation of HBase's shell.

use tallrow::key::show::shell;
use tallrow::{Client, Result, Scan, Table, TableDescriptor, TypedTable};

/// The cluster of the variable TALLROW_URL, or a mock inside the program.
pub(crate) async fn connect() -> Result<Client> {
    let url = std::env::var("TALLROW_URL").unwrap_or("mock:".into());
    Client::connect(&url).await
}

/// A new table for a row type.
pub(crate) async fn empty<T: Table>(client: &Client) -> Result<TypedTable<T>> {
    let admin = client.admin();
    if admin.table_exists(T::TABLE).await? {
        admin.hbase()?.disable_table(T::TABLE).await?;
        admin.delete_table(T::TABLE).await?;
    }
    admin.create_table(&TableDescriptor::of::<T>()?).await?;
    Ok(client.table())
}

/// Prints the newest version of every cell of a table.
pub(crate) async fn print_cells(client: &Client, table: &str) -> Result<()> {
    println!("{table}");
    let mut rows = client.raw_table(table)?.scan(Scan::all())?;
    while let Some(row) = rows.next_row().await? {
        for cell in row.cells() {
            let (family, qualifier) = (shell(cell.family()), shell(cell.qualifier()));
            println!("  {}  {family}:{qualifier} = {}", shell(cell.row()), shell(cell.value()));
        }
    }
    Ok(())
}
