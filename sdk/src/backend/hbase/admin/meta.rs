//! Queries of `hbase:meta`.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout_at;

use crate::backend::hbase::cluster::Cluster;
use crate::backend::hbase::location::Location;
use crate::backend::hbase::region::LocateError;
use crate::backend::hbase::retry::{
    CacheInvalidation, RetryDecision, answer_or_pause, classify_lookup,
};
use crate::key::{RowBuf, RowRange};
use crate::wire::meta::RegionRow;
use crate::wire::proto::TableStateKind;
use crate::{Error, Result, TableName};

/// The number of regions that are cached before other tasks may run.
const REGIONS_A_TURN: usize = 1000;

pub(crate) async fn table_exists(cluster: &Cluster, table: &TableName) -> Result<bool> {
    Ok(table_state(cluster, "table exists", table).await?.is_some())
}

/// Returns the state of a table; `None` if there is no such table.
pub(super) async fn table_state(
    cluster: &Cluster,
    operation: &'static str,
    table: &TableName,
) -> Result<Option<TableStateKind>> {
    ask(cluster, operation, table, None, || cluster.locator.table_state(table)).await
}

/// Returns the regions of a table in key order.
pub(super) async fn region_rows(
    cluster: &Cluster,
    operation: &'static str,
    table: &TableName,
) -> Result<Vec<RegionRow>> {
    ask(cluster, operation, table, None, || cluster.locator.regions(table)).await
}

/// Returns the regions of a table in key order; fails if the table is disabled.
pub(super) async fn region_rows_if_enabled(
    cluster: &Cluster,
    operation: &'static str,
    table: &TableName,
) -> Result<Vec<RegionRow>> {
    let locator = &cluster.locator;
    let rows = ask(cluster, operation, table, None, || async {
        locator.check_enabled(table).await?;
        locator.regions(table).await
    });
    rows.await
}

/// Looks up all regions of a table and caches them.
pub(crate) async fn prefetch_regions(cluster: &Cluster, table: &TableName) -> Result<()> {
    look_up_and_cache_regions(cluster, "prefetch the regions of", table, None).await.map(drop)
}

/// Looks up all regions of a table, and caches them. Returns, in key order, the location of each
/// region, or the key range of a region without a server.
pub(in crate::backend::hbase) async fn look_up_and_cache_regions(
    cluster: &Cluster,
    operation: &'static str,
    table: &TableName,
    timeout: Option<Duration>,
) -> Result<Vec<Result<Arc<Location>, RowRange>>> {
    let regions =
        ask(cluster, operation, table, timeout, || cluster.locator.regions(table)).await?;
    let mut cached = Vec::with_capacity(regions.len());
    for (at, row) in regions.iter().enumerate() {
        cached.push(match Location::from_row(row) {
            Some(location) => Ok(cluster.locator.cache().insert(table, location)),
            None => Err(range_of(row)),
        });
        // Caching a large table takes tens of ms, so other tasks of this thread may run in between.
        if at % REGIONS_A_TURN == REGIONS_A_TURN - 1 {
            tokio::task::yield_now().await;
        }
    }
    Ok(cached)
}

fn range_of(row: &RegionRow) -> RowRange {
    let start = row.info.start_key.as_deref().unwrap_or_default();
    let end = row.info.end_key.as_deref().filter(|end| !end.is_empty());
    RowRange::new(RowBuf::from_slice(start), end.map(RowBuf::from_slice))
}

/// Repeats a query until it is answered or the deadline passes.
///
/// `ask` is not an `AsyncFn`: the future of an `AsyncFn` could not be required to be `Send`, and
/// callers could not be spawned.
async fn ask<T, F>(
    cluster: &Cluster,
    operation: &'static str,
    table: &TableName,
    timeout: Option<Duration>,
    ask: impl Fn() -> F,
) -> Result<T>
where
    F: Future<Output = Result<T, LocateError>>,
{
    let timeout = timeout.unwrap_or(cluster.config.operation_timeout);
    let mut attempts = cluster.attempts_on(operation, Some(table), timeout);
    let answer = async {
        loop {
            attempts.begin_attempt();
            let attempt = match timeout_at(attempts.deadline(), ask()).await {
                Ok(answer) => answer.map_err(|error| match classify_lookup(error) {
                    Ok((error, wait)) => {
                        RetryDecision::Again(error, wait, CacheInvalidation::Nothing)
                    }
                    Err(error) => error.into(),
                }),
                Err(_) => {
                    Err(attempts.timeout_error(&cluster.locator.meta_server(), "hbase:meta").into())
                }
            };
            if let Some(answer) = answer_or_pause(attempt, &mut attempts).await? {
                return Ok(answer);
            }
        }
    };
    let answer = answer.await;
    attempts.end(answer.map_err(|e: Error| e.on_table(table)))
}
