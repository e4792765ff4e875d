//! The regions of live tables.

use crate::connection::Connection;
use crate::failure::Result;

/// Returns the split keys of a live table.
pub(crate) async fn live_splits(connection: &Connection, table: &str) -> Result<Vec<Vec<u8>>> {
    let client = connection.connect().await?;
    let regions = client.admin().hbase()?.regions(table).await?;
    let starts = regions.iter().map(|region| region.start_key().to_vec());
    Ok(starts.filter(|start| !start.is_empty()).collect())
}
