//! Writes the whole state of a cluster to its file.

use crate::journal::{CatalogChange, DataError, RegionRecord, StateChange, TableRecord};
use crate::regions::Region;
use crate::state::{Cluster, is_kept};

/// Replaces the file of a cluster by one with the present state, if the cluster has a file. Nothing
/// is changed meanwhile.
pub(crate) fn write_checkpoint(cluster: &Cluster) -> Result<(), DataError> {
    let Some(journal) = &cluster.journal else { return Ok(()) };
    // Whoever changes backups locks the catalog after them.
    #[cfg(feature = "bigtable")]
    let backups = cluster.backups.lock();
    // As long as the catalog is locked, no region is made or removed; as long as the regions are,
    // no cell and no nonce.
    let catalog = cluster.catalog();
    let tables: Vec<_> = catalog.tables.values().filter(|table| is_kept(&table.name)).collect();
    let regions: Vec<&Region> =
        tables.iter().flat_map(|table| &table.regions).map(AsRef::as_ref).collect();
    let states: Vec<_> = regions.iter().map(|region| region.lock()).collect();
    let snapshots = cluster.snapshots.lock();
    let identity = cluster.identity.lock();
    let (switches, peers) = (cluster.switches.lock(), cluster.peers.lock());
    let (grants, quotas) = (cluster.grants.lock(), cluster.quotas.lock());
    let procedures = cluster.procedures.lock();
    let now = cluster.clock.now();
    let mut nonces: Vec<_> = Vec::new();
    for server in cluster.servers() {
        nonces.extend(server.nonces().records(now));
    }
    nonces.sort_by_key(|nonce| (nonce.group, nonce.nonce));
    nonces.dedup_by_key(|nonce| (nonce.group, nonce.nonce));
    journal.replace(|checkpoint| {
        let first = CatalogChange {
            namespaces: catalog.namespaces.values().cloned().collect(),
            tables: tables.iter().map(|table| TableRecord::from(*table)).collect(),
            regions: regions.iter().map(|r| RegionRecord::of(&r.info, false)).collect(),
            nonces,
            last_stream: last_stream(cluster),
            ..Default::default()
        };
        checkpoint.write(&first.into())?;
        for (region, state) in regions.iter().zip(&states) {
            for change in state.store.to_changes(&region.name) {
                checkpoint.write(&change.into())?;
            }
        }
        let parts: [StateChange; 6] = [
            (&*identity).into(),
            (&*switches).into(),
            (&*peers).into(),
            (&*grants).into(),
            (&*quotas).into(),
            StateChange { procedures: procedures.records(), ..Default::default() },
        ];
        for part in parts {
            checkpoint.write(&part.into())?;
        }
        #[cfg(feature = "bigtable")]
        {
            cluster.change_logs.write_records(|stream| {
                let streams = vec![stream];
                checkpoint.write(&CatalogChange { streams, ..Default::default() }.into())
            })?;
            for change in backups.records() {
                checkpoint.write(&StateChange::from(change).into())?;
            }
        }
        for snapshot in snapshots.values() {
            let snapshots = vec![snapshot.into()];
            checkpoint.write(&CatalogChange { snapshots, ..Default::default() }.into())?;
        }
        Ok(())
    })
}

#[cfg(feature = "bigtable")]
fn last_stream(cluster: &Cluster) -> u64 {
    cluster.change_logs.last_id()
}

#[cfg(not(feature = "bigtable"))]
fn last_stream(_: &Cluster) -> u64 {
    0
}
