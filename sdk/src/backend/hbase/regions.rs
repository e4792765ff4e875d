//! Looks up, lists and forgets the locations of regions for the program that uses the client.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::timeout_at;

use super::admin::look_up_and_cache_regions;
use super::cluster::Cluster;
use super::location::{Location, address, parse_server_name};
use super::region::LookupTarget;
use super::retry::{Attempts, classify_lookup};
use super::table_name::is_meta;
use crate::key::RowRange;
use crate::model::hosts::{join, parse_host};
use crate::model::region_location::RegionLocation;
use crate::wire::region::encoded_name;
use crate::{Error, Result, TableName};

/// Returns the location of the region that holds a row: the known location if there is one, or with
/// `reload` the location that `hbase:meta` reports now.
pub(crate) async fn locate(
    cluster: &Cluster,
    operation: &'static str,
    table: &TableName,
    row: &[u8],
    timeout: Option<Duration>,
    reload: bool,
) -> Result<RegionLocation> {
    let row = Bytes::copy_from_slice(row);
    let wanted = LookupTarget::Containing(&row);
    let old = cluster.locator.cached(table, wanted).filter(|_| reload);
    let timeout = timeout.unwrap_or(cluster.config.operation_timeout);
    let mut attempts = cluster.budgeted_attempts(operation, table, timeout).on_row(&row);
    let located = async {
        loop {
            attempts.begin_attempt();
            let found = match &old {
                None => cluster.locate_or_pause(table, wanted, None, &mut attempts).await?,
                Some(old) => look_again(cluster, table, wanted, old, &mut attempts).await?,
            };
            if let Some(location) = found {
                return Ok(location);
            }
        }
    };
    let located = located.await;
    let location = attempts.end(located.map_err(|e: Error| e.on_table(table).on_row(&row)))?;
    Ok(region_location(table, &location))
}

/// Looks up a known region again; returns `None` after a pause if the region has no location now.
async fn look_again(
    cluster: &Cluster,
    table: &TableName,
    wanted: LookupTarget<'_>,
    old: &Location,
    attempts: &mut Attempts,
) -> Result<Option<Arc<Location>>> {
    let lookup = cluster.locator.locate(table, wanted, Some(old));
    match timeout_at(attempts.deadline(), lookup).await {
        Ok(Ok(location)) => Ok(Some(location)),
        Ok(Err(error)) => {
            let (error, wait) = classify_lookup(error)?;
            attempts.wait_for_retry(error, wait).await.map(|()| None)
        }
        Err(_) => Err(cluster.lookup_timeout_error(attempts)),
    }
}

/// Returns the regions that contain the rows of a range, in the order of their keys. Each lookup
/// has the timeout of an operation.
pub(crate) async fn regions_in(
    cluster: &Cluster,
    operation: &'static str,
    table: &TableName,
    range: &RowRange,
    timeout: Option<Duration>,
) -> Result<Vec<RegionLocation>> {
    let mut regions: Vec<RegionLocation> = Vec::new();
    let mut start = Bytes::copy_from_slice(range.start());
    while !range.is_empty() {
        let region = locate(cluster, operation, table, &start, timeout, false).await?;
        let end = region.end.clone();
        regions.push(region);
        if end.is_empty() || range.stop().is_some_and(|stop| *stop <= *end) {
            break;
        }
        start = end;
    }
    Ok(regions)
}

/// Returns all regions of a table as `hbase:meta` reports them now, in the order of their keys.
/// Waits for the regions that have no server.
pub(crate) async fn all_regions(
    cluster: &Cluster,
    table: &TableName,
    timeout: Option<Duration>,
) -> Result<Vec<RegionLocation>> {
    const NAME: &str = "locate regions";
    if is_meta(table) {
        return Ok(vec![locate(cluster, NAME, table, b"", timeout, true).await?]);
    }
    let mut regions = Vec::new();
    for found in look_up_and_cache_regions(cluster, NAME, table, timeout).await? {
        match found {
            Ok(location) => regions.push(region_location(table, &location)),
            Err(range) => regions.extend(regions_in(cluster, NAME, table, &range, timeout).await?),
        }
    }
    Ok(regions)
}

/// Returns the known regions of a table, in the order of their keys.
pub(crate) fn known_regions(cluster: &Cluster, table: &TableName) -> Vec<RegionLocation> {
    cluster
        .locator
        .cached_regions(table)
        .iter()
        .map(|location| region_location(table, location))
        .collect()
}

/// Forgets the region that holds `row`, or all regions of the table if no row is given.
pub(crate) fn forget_regions(cluster: &Cluster, table: &TableName, row: Option<&[u8]>) {
    let cache = cluster.locator.cache();
    match row {
        Some(row) => cache.forget_region_of(table, row),
        None => cache.evict_table(table),
    }
}

/// Forgets all regions.
pub(crate) fn forget_all_regions(cluster: &Cluster) {
    cluster.locator.cache().clear();
}

/// Forgets the regions on a server, which is given by its address or its server name.
pub(crate) fn forget_server(cluster: &Cluster, server: &str) -> Result<()> {
    let (at, start_code) = match (parse_server_name(server), as_address(server)) {
        (Some(name), _) => (address(&name), name.start_code),
        (None, Some(address)) => (address.into(), None),
        (None, None) => {
            let text = format!(
                "{server:?} is not a server; write \"host:port\", or \"host,port,start code\" as HBase names it"
            );
            return Err(Error::invalid(text).with_operation_if_unset("clear regions"));
        }
    };
    cluster.locator.cache().forget_server(&at, start_code);
    Ok(())
}

/// Returns the address as `host:port`, if it has a port.
fn as_address(text: &str) -> Option<String> {
    let (host, port) = parse_host(text).ok()?;
    port.map(|port| join(host, port))
}

fn region_location(table: &TableName, location: &Location) -> RegionLocation {
    let name = location.name_bytes();
    // HBase makes no region names without a hash; such a name is shown whole.
    let encoded = encoded_name(&name).unwrap_or_else(|_| name.escape_ascii().to_string());
    RegionLocation {
        table: table.clone(),
        name,
        encoded_name: encoded,
        start: location.start_key_bytes(),
        end: location.end_key_bytes(),
        server: location.server_address().clone(),
        start_code: location.start_code(),
        sequence: location.sequence,
    }
}
