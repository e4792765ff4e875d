//! The work of the master when a cluster starts with the tables of an earlier process.

use std::sync::Arc;

use tallrow_wire::proto::{NamespaceDescriptor, TableStateKind};

use super::assignment::open_regions;
use super::meta::MetaUpdate;
use super::namespaces::write_namespace_row;
use crate::regions::Region;
use crate::state::{AdminGuard, SYSTEM_NAMESPACE, Table};

/// Adds namespaces and tables with their regions, and opens the regions of the enabled ones. From
/// then on, changes are written to the log of the cluster, if it has one.
pub(crate) fn reopen_tables(
    cluster: &AdminGuard<'_>,
    namespaces: impl Iterator<Item = NamespaceDescriptor>,
    tables: impl Iterator<Item = Table>,
) {
    for namespace in namespaces.filter(|namespace| namespace.name != SYSTEM_NAMESPACE) {
        let name = String::from_utf8_lossy(&namespace.name).into_owned();
        cluster.catalog_mut().set_namespace(name, namespace.clone());
        write_namespace_row(cluster, &namespace, false);
    }
    let mut enabled: Vec<Arc<Region>> = Vec::new();
    for mut table in tables {
        let (name, state) = (table.name.clone(), table.state);
        let regions = std::mem::take(&mut table.regions);
        {
            let mut catalog = cluster.catalog_mut();
            catalog.set_table(table);
            catalog.add_regions(&name, &regions);
        }
        MetaUpdate::new(cluster).table_state(&name, state).write();
        for region in &regions {
            MetaUpdate::new(cluster).new_region(region).write();
        }
        if state == TableStateKind::Enabled {
            enabled.extend(regions);
        }
    }
    if let Some(journal) = &cluster.journal {
        cluster.catalog_mut().keep_changes(journal);
    }
    open_regions(cluster, &enabled);
}
