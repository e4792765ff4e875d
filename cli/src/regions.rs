//! The regions of live tables.

use tallrow::Client;

use crate::failure::Result;
use crate::tables;

/// Returns the split keys of a live table.
pub(crate) async fn live_splits(client: &Client, table: &str) -> Result<Vec<Vec<u8>>> {
    let regions = client.admin().hbase()?.regions(table).await;
    let regions = tables::found(client, table, regions).await?;
    let starts = regions.iter().map(|region| region.start_key().to_vec());
    Ok(starts.filter(|start| !start.is_empty()).collect())
}
