//! Puts the state of a file in place when a cluster starts.

use std::collections::BTreeMap;
use std::sync::Arc;

#[cfg(feature = "bigtable")]
use bytes::Bytes;
#[cfg(feature = "bigtable")]
use tallrow_wire::proto::RegionInfo;
use tallrow_wire::proto::TableStateKind;
use tallrow_wire::region;

use super::image::{Image, TableImage};
#[cfg(feature = "bigtable")]
use crate::journal::CatalogChange;
use crate::journal::StateChange;
use crate::procedures;
use crate::regions::Region;
#[cfg(feature = "bigtable")]
use crate::regions::RegionStore;
#[cfg(feature = "bigtable")]
use crate::schema;
use crate::schema::RegionSchema;
#[cfg(feature = "bigtable")]
use crate::state::KeySpan;
use crate::state::{Cluster, Grant, Quotas, Snapshots, Table};

/// Gives a cluster, which has only the tables of HBase itself, the state of a file, and opens the
/// regions. From now on, changes are written to the log of the cluster.
pub(crate) fn install(cluster: &Cluster, image: Image) {
    let last_id = image.regions.values().map(|(info, _)| info.region_id).max().unwrap_or(0);
    cluster.continue_after(last_id);
    let mut procedures = image.procedures;
    procedures.continue_after(cluster.clock.now());
    *cluster.procedures.lock() = procedures;
    *cluster.snapshots.lock() = Snapshots::of_file(image.snapshots);
    install_parts(cluster, image.parts);
    #[cfg(feature = "bigtable")]
    {
        *cluster.backups.lock() = image.backups;
        let streams = stream_tables(&image.tables, &image.regions);
        cluster.change_logs.restore(image.change_logs, streams);
    }
    // An operation may be repeated at any server, because each may have its region now.
    for server in cluster.servers() {
        server.nonces().restore(&image.nonces);
    }
    let mut tables: BTreeMap<Vec<u8>, Table> = BTreeMap::new();
    for (name, table) in image.tables {
        let TableImage { name: parts, schema, is_disabled } = table;
        let state = match is_disabled {
            true => TableStateKind::Disabled,
            false => TableStateKind::Enabled,
        };
        tables.insert(name, Table { name: parts, schema, state, regions: Vec::new() });
    }
    for (info, mut store) in image.regions.into_values() {
        store.measure_cells();
        if let Some(table) = tables.get_mut(&region::format_table_name(&info.table_name)) {
            let schema = match table.regions.first() {
                Some(other) => Arc::clone(&other.lock().schema),
                None => RegionSchema::of(&table.schema),
            };
            table.regions.push(Arc::new(Region::with_store(info, schema, Some(store))));
        }
    }
    let (namespaces, tables) = (image.namespaces.into_values(), tables.into_values());
    procedures::reopen_tables(&cluster.lock_admin(), namespaces, tables);
    if let Some(journal) = &cluster.journal {
        cluster.keep_changes(journal);
        // The servers may have other ports now, of which the file does not know yet.
        cluster.identity.record();
        #[cfg(feature = "bigtable")]
        {
            // The streams continue at positions that nobody had before, and one may be new, of a
            // table in an older file.
            let streams = cluster.change_logs.positions();
            if !streams.is_empty() {
                journal.append(&CatalogChange { streams, ..CatalogChange::default() }.into());
            }
        }
    }
}

/// Returns the retention and the regions of the tables that have a change stream.
#[cfg(feature = "bigtable")]
fn stream_tables(
    tables: &BTreeMap<Vec<u8>, TableImage>,
    regions: &BTreeMap<Bytes, (RegionInfo, RegionStore)>,
) -> BTreeMap<Vec<u8>, (u64, Vec<KeySpan>)> {
    let with_stream = |(name, table): (&Vec<u8>, &TableImage)| {
        let retention_ms = schema::stream_retention_ms(&table.schema)?;
        let of_table = regions.values().filter(|(info, _)| info.table_name == table.name);
        let mut spans: Vec<_> = of_table.map(|(info, _)| KeySpan::of(info)).collect();
        spans.sort();
        Some((name.clone(), (retention_ms, spans)))
    };
    tables.iter().filter_map(with_stream).collect()
}

/// Puts the parts in place that a record has as a whole.
fn install_parts(cluster: &Cluster, parts: StateChange) {
    if let Some(switches) = parts.switches {
        *cluster.switches.lock() = switches.into();
    }
    if let Some(peers) = parts.peers {
        *cluster.peers.lock() = peers.into();
    }
    if let Some(grants) = parts.grants {
        *cluster.grants.lock() = grants.grants.into_iter().map(Grant::from).collect();
    }
    if let Some(quotas) = parts.quotas {
        let quotas = Quotas::from(quotas);
        for ((row, qualifier), of) in &quotas {
            // The cell is small and its table is there, so no limit can be exceeded.
            let _ =
                procedures::write_quota_cell(&cluster.lock_admin(), (row, qualifier), of, false);
        }
        *cluster.quotas.lock() = quotas;
    }
}
