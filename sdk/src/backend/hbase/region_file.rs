//! The export of the known regions as the contents of a file, and the import of such a file.

use std::sync::Arc;

use bytes::Bytes;
use rustc_hash::FxHashMap;
use tokio::time::timeout_at;

use super::cluster::Cluster;
use super::location::{Location, Server};
use super::retry::classify_read_only_call;
use super::table_name::{is_meta, to_message};
use crate::backend::region_map::{
    MappedRegion, MappedServer, MappedTable, RegionMap, RegionMapError,
};
use crate::wire::proto::{self, RegionInfo};
use crate::wire::region;
use crate::{Error, Result, TableName};

/// How many regions are handled before other tasks may run.
const REGIONS_A_TURN: usize = 1000;
const WARM: &str = "import regions";

/// Returns the contents of a file with all known regions.
pub(crate) async fn export_regions(cluster: &Cluster) -> Result<Vec<u8>> {
    let cluster_id = cluster_id(cluster, "export regions").await?;
    let mut tables = cluster.locator.cache().tables();
    tables.retain(|table| !is_meta(table));
    tables.sort_unstable_by(|a, b| a.as_str().cmp(b.as_str()));
    let mut servers = Servers::default();
    let mut mapped = Vec::with_capacity(tables.len());
    for table in tables {
        let regions = regions_of(cluster, &table, &mut servers).await;
        if !regions.is_empty() {
            mapped.push(MappedTable { name: table.as_str().to_owned(), regions });
        }
    }
    Ok(RegionMap { cluster_id, servers: servers.list, tables: mapped }.to_bytes())
}

async fn regions_of(
    cluster: &Cluster,
    table: &TableName,
    servers: &mut Servers,
) -> Vec<MappedRegion> {
    let name = to_message(table);
    let mut regions = Vec::new();
    let mut end = Bytes::new();
    for (at, location) in cluster.locator.cached_regions(table).into_iter().enumerate() {
        let start = location.start_key_bytes();
        // An import could not restore a name that does not follow from the table, the start key and
        // the id.
        if let Some(id) = id_of(&location, table)
            && name_of(&name, &start, id) == location.name()
        {
            regions.push(MappedRegion {
                start: (start != end).then_some(start),
                end: location.end_key_bytes(),
                id,
                server: servers.position(&location),
                sequence: location.sequence,
            });
            end = location.end_key_bytes();
        }
        if at % REGIONS_A_TURN == REGIONS_A_TURN - 1 {
            tokio::task::yield_now().await;
        }
    }
    regions
}

/// The servers of the exported regions; the list contains each server once.
#[derive(Default)]
struct Servers {
    list: Vec<MappedServer>,
    positions: FxHashMap<(Arc<str>, u64), u32>,
}

impl Servers {
    fn position(&mut self, of: &Location) -> u32 {
        let key = (of.server_address().clone(), of.start_code());
        *self.positions.entry(key).or_insert_with_key(|(address, start_code)| {
            let address = address.to_string();
            self.list.push(MappedServer { address, start_code: *start_code });
            u32::try_from(self.list.len() - 1).unwrap_or(u32::MAX)
        })
    }
}

/// The id in the name of a region: `table,start,id.hash.`
fn id_of(location: &Location, table: &TableName) -> Option<u64> {
    let before = table.as_str().len() + 1 + location.start().len() + 1;
    let id = location.name().get(before..)?.split(|byte| *byte == b'.').next()?;
    std::str::from_utf8(id).ok()?.parse().ok()
}

fn name_of(table: &proto::TableName, start: &Bytes, id: u64) -> Vec<u8> {
    region::name(&RegionInfo {
        region_id: id,
        table_name: table.clone(),
        start_key: Some(start.clone()),
        ..Default::default()
    })
}

/// Adds the regions of a file to the known regions; returns how many were added.
pub(crate) async fn import_regions(cluster: &Cluster, exported: &[u8]) -> Result<usize> {
    let map =
        RegionMap::from_bytes(exported).map_err(|e| refused(e).with_operation_if_unset(WARM))?;
    let tables = checked(cluster, &map).map_err(|e| e.with_operation_if_unset(WARM))?;
    let id = cluster_id(cluster, WARM).await?;
    if map.cluster_id != id {
        let text = format!(
            "these are regions of the cluster {:?}, and this is the cluster {id:?}; export them from a client of this one",
            map.cluster_id
        );
        return Err(Error::invalid(text).with_operation_if_unset(WARM));
    }
    let (mut seen, mut added) = (0, 0);
    for (table, locations) in tables {
        for location in locations {
            added +=
                usize::from(cluster.locator.cache().insert_unless_overlapping(&table, location));
            seen += 1;
            if seen % REGIONS_A_TURN == 0 {
                tokio::task::yield_now().await;
            }
        }
    }
    Ok(added)
}

/// Returns the locations in a map; fails if the map contains a location that cannot exist.
fn checked(cluster: &Cluster, map: &RegionMap) -> Result<Vec<(TableName, Vec<Location>)>> {
    let server = |s: &MappedServer| Server::new(s.address.as_str().into(), s.start_code);
    let servers: Vec<Arc<Server>> = map.servers.iter().map(server).collect();
    let mut tables = Vec::with_capacity(map.tables.len());
    for MappedTable { name, regions } in &map.tables {
        let damaged =
            |what: &str| refused(RegionMapError::Corrupt(format!("table {name:?}: {what}")));
        let table: TableName = name.parse().map_err(|e: Error| damaged(&e.to_string()))?;
        if is_meta(&table) {
            return Err(damaged("its region is never exported"));
        }
        let message = to_message(&table);
        let mut locations = Vec::with_capacity(regions.len());
        let mut next: Option<Bytes> = Some(Bytes::new());
        for region in regions {
            let start = region.start.clone().or(next.clone());
            let in_order = next.as_ref().is_some_and(|next| start.as_ref() >= Some(next));
            let Some(start) = start.filter(|_| in_order) else {
                return Err(damaged("its regions are not in the order of their keys"));
            };
            if !region.end.is_empty() && region.end <= start {
                return Err(damaged("a region ends where it starts, or before"));
            }
            let server = servers.get(region.server as usize);
            let server =
                server.ok_or_else(|| damaged("a region is on a server that is not listed"))?;
            let name = name_of(&message, &start, region.id);
            let keys = (&start[..], &region.end[..]);
            locations.push(Location::new(&name, keys, server.clone(), region.sequence));
            next = Some(region.end.clone()).filter(|end| !end.is_empty());
        }
        tables.push((table.with_row_key_display(cluster.config.observation.row_keys), locations));
    }
    Ok(tables)
}

fn refused(error: RegionMapError) -> Error {
    Error::invalid(match error {
        RegionMapError::BadMagic(head) => format!(
            "these bytes are no regions: expected \"tallrow regions 1\", as Client::export_regions writes it, found \
             \"{head}\""
        ),
        RegionMapError::UnsupportedVersion(version) => format!(
            "these regions are of version \"{version}\", and this client reads version 1; export them with the same \
             version of tallrow"
        ),
        RegionMapError::Corrupt(what) => format!(
            "these regions are cut off or damaged: {what}; start without them, and export them again"
        ),
    })
}

/// Asks the registry for the id of the cluster.
async fn cluster_id(cluster: &Cluster, operation: &'static str) -> Result<String> {
    let registry = cluster.locator.registry();
    let mut attempts = cluster.attempts_on(operation, None, cluster.config.operation_timeout);
    let id = async {
        loop {
            attempts.begin_attempt();
            let asked = registry.cluster_id(&cluster.servers);
            let again = match timeout_at(attempts.deadline(), asked).await {
                Ok(Ok(id)) => return Ok(id),
                Ok(Err(error)) => classify_read_only_call(
                    "the registry does not tell the id of the cluster",
                    &registry.host_list(),
                    error,
                ),
                Err(_) => Err(attempts.timeout_error(
                    &registry.host_list(),
                    "the registry, asked for the id of the cluster,",
                )),
            };
            let (error, wait) = again?;
            attempts.wait_for_retry(error, wait).await?;
        }
    };
    let id = id.await;
    attempts.end(id)
}
