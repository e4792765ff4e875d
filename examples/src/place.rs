//! Helpers of the programs: a cluster, new tables, and cells in the notation of HBase's shell.

use std::time::Duration;

use tallrow::key::show::shell;
use tallrow::{Client, Config, RawTable, Result, Scan, Table, TableDescriptor, TypedTable};

/// Connects to the cluster that the variable TALLROW_URL names, or to a mock inside the program.
pub async fn connect() -> Result<Client> {
    let url = std::env::var("TALLROW_URL").unwrap_or("mock:".into());
    // The timeouts are long enough for clusters on a busy machine.
    let minute = Duration::from_secs(60);
    let config = Config::new().operation_timeout(minute).attempt_timeout(minute / 2);
    Client::connect_with(&url, config.connect_timeout(minute).page_timeout(minute)).await
}

/// Creates a new table for a row type.
pub async fn empty<T: Table>(client: &Client) -> Result<TypedTable<T>> {
    create(client, &TableDescriptor::of::<T>()?).await?;
    Ok(client.table())
}

/// Creates a new table, in place of a table that an earlier run left.
pub async fn create(client: &Client, table: &TableDescriptor) -> Result<RawTable> {
    let (admin, name) = (client.admin(), table.name().as_str());
    if admin.table_exists(name).await? {
        // Bigtable's tables are always enabled.
        if let Ok(hbase) = admin.hbase()
            && hbase.is_table_enabled(name).await?
        {
            hbase.disable_table(name).await?;
        }
        admin.delete_table(name).await?;
    }
    admin.create_table(table).await?;
    client.raw_table(name)
}

/// Prints the newest version of every cell of a table.
pub async fn print_cells(client: &Client, table: &str) -> Result<()> {
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
