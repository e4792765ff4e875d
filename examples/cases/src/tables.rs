//! New tables with split keys, and the number of rows in their regions.

use tallrow::key::show::shell;
use tallrow::{Client, RawTable, Result, Scan, Table, TableDescriptor, TypedTable};

use tallrow_examples::place;

/// Creates a new table that is split at these keys.
pub async fn split<K: AsRef<[u8]>>(
    client: &Client,
    table: &TableDescriptor,
    splits: &[K],
) -> Result<RawTable> {
    place::create(client, &table.clone().splits(splits)).await
}

/// Creates a new table for a row type, which is split at these keys.
pub async fn split_for<T: Table>(client: &Client, splits: &[&str]) -> Result<TypedTable<T>> {
    split(client, &TableDescriptor::of::<T>()?, splits).await?;
    Ok(client.table())
}

/// Returns the regions of a table: the start key of each, as the shell writes it, and its number of
/// rows.
pub async fn rows_by_region(client: &Client, table: &str) -> Result<Vec<(String, u64)>> {
    let raw = client.raw_table(table)?;
    let mut rows = Vec::new();
    for region in client.admin().hbase()?.regions(table).await? {
        let scan = match region.end_key() {
            [] => Scan::range(region.start_key()..),
            end => Scan::range(region.start_key()..end),
        };
        rows.push((shell(region.start_key()).to_string(), raw.count(scan).await?));
    }
    Ok(rows)
}
