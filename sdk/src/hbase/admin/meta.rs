//! Queries of `hbase:meta`.

use tokio::time::timeout_at;

use crate::hbase::cluster::Cluster;
use crate::hbase::location::Location;
use crate::hbase::region::LocateError;
use crate::hbase::retry::classify_lookup;
use crate::wire::meta::RegionRow;
use crate::wire::proto::TableStateKind;
use crate::{Result, TableName};

/// How many regions are cached before other tasks may run.
const REGIONS_A_TURN: usize = 1000;

pub(crate) async fn table_exists(cluster: &Cluster, table: &TableName) -> Result<bool> {
    Ok(table_state(cluster, "table exists", table).await?.is_some())
}

/// The state of a table; `None` if there is no such table.
pub(super) async fn table_state(
    cluster: &Cluster,
    operation: &'static str,
    table: &TableName,
) -> Result<Option<TableStateKind>> {
    ask(cluster, operation, table, || cluster.locator.table_state(table)).await
}

/// The regions of a table in the order of their keys.
pub(super) async fn region_rows(
    cluster: &Cluster,
    operation: &'static str,
    table: &TableName,
) -> Result<Vec<RegionRow>> {
    ask(cluster, operation, table, || cluster.locator.regions(table)).await
}

/// The regions of an enabled table.
pub(super) async fn enabled_region_rows(
    cluster: &Cluster,
    operation: &'static str,
    table: &TableName,
) -> Result<Vec<RegionRow>> {
    let locator = &cluster.locator;
    let rows = ask(cluster, operation, table, || async {
        locator.check_enabled(table).await?;
        locator.regions(table).await
    });
    rows.await
}

/// Looks up all regions of a table and caches them.
pub(crate) async fn prefetch_regions(cluster: &Cluster, table: &TableName) -> Result<()> {
    let regions = region_rows(cluster, "prefetch the regions of", table).await?;
    for (at, row) in regions.iter().enumerate() {
        if let Some(location) = Location::from_row(row) {
            cluster.locator.cache().insert(table, location);
        }
        // A large table takes tens of ms: other tasks of this thread may run in between.
        if at % REGIONS_A_TURN == REGIONS_A_TURN - 1 {
            tokio::task::yield_now().await;
        }
    }
    Ok(())
}

/// Repeats a query until it is answered or the deadline passes.
///
/// `ask` is not an `AsyncFn`, because its future could not be required to be `Send`, and callers could not be spawned.
async fn ask<T, F>(
    cluster: &Cluster,
    operation: &'static str,
    table: &TableName,
    ask: impl Fn() -> F,
) -> Result<T>
where
    F: Future<Output = Result<T, LocateError>>,
{
    let mut attempts = cluster.attempts(operation, cluster.config.operation_timeout);
    loop {
        attempts.begin();
        let again = match timeout_at(attempts.deadline(), ask()).await {
            Ok(Ok(answer)) => return Ok(answer),
            Ok(Err(error)) => classify_lookup(error),
            Err(_) => Err(attempts.late(&cluster.locator.asked(), "hbase:meta")),
        };
        let failed = match again {
            Ok((error, wait)) => attempts.again(error, wait).await,
            Err(error) => Err(attempts.finish(error)),
        };
        failed.map_err(|e| e.on_table(table))?;
    }
}
