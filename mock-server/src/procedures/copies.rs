//! Copies of tables with their cells: how a table is copied, and how a copy becomes a table.

use std::sync::Arc;

use tallrow_wire::proto::{RegionInfo, TableName, TableSchema, TableStateKind};

use super::assignment::open_regions;
use super::meta::MetaUpdate;
use super::tables::check_region_name;
use crate::base::RemoteResult;
use crate::journal::OperationRecord;
use crate::regions::{Region, RegionStore};
use crate::schema::RegionSchema;
use crate::state::{AdminGuard, Table, TableCopy};

/// Copies a table. Unless `only_flushed`, the memory of its regions is flushed first, so that the
/// copy has all cells.
pub(crate) fn copy_table(cluster: &AdminGuard<'_>, table: Table, only_flushed: bool) -> TableCopy {
    let now = cluster.clock.now();
    let copy = |region: &Arc<Region>| {
        let mut state = region.lock();
        let schema = Arc::clone(&state.schema);
        if !only_flushed {
            state.store.flush(&schema, &[], now);
        }
        (region.info.clone(), state.store.flushed_copy())
    };
    TableCopy { regions: table.regions.iter().map(copy).collect(), schema: table.schema }
}

/// Gives a table the schema, regions and cells of a copy. The table is created if it does not
/// exist; otherwise it is disabled, and stays so. `operation` is the operation of Bigtable that has
/// ended then, if this is the work of one.
pub(crate) fn restore_copy(
    cluster: &AdminGuard<'_>,
    copy: TableCopy,
    to: &TableName,
    operation: Option<OperationRecord>,
) -> RemoteResult<()> {
    let schema = TableSchema { table_name: Some(to.clone()), ..copy.schema };
    let old = cluster.catalog().table(to).map(|t| (t.state, t.regions.clone()));
    let highest = old.iter().flat_map(|(_, regions)| regions);
    let highest = highest.map(|r| r.lock().store.sequence_id()).max().unwrap_or(0);
    let region_of = |(info, store): (RegionInfo, RegionStore)| {
        let info = RegionInfo { table_name: to.clone(), ..info };
        let store = store.with_min_sequence_id(highest);
        Arc::new(Region::with_store(info, RegionSchema::of(&schema), Some(store)))
    };
    let regions: Vec<Arc<Region>> = copy.regions.into_iter().map(region_of).collect();
    regions.iter().try_for_each(|region| check_region_name(&region.name))?;
    let state = match &old {
        Some((state, _)) => *state,
        None => TableStateKind::Enabled,
    };
    let old = old.map(|(_, regions)| regions).unwrap_or_default();
    {
        let mut catalog = cluster.catalog_mut();
        catalog.remove_regions(to, &old);
        let table = Table { name: to.clone(), schema, state, regions: Vec::new() };
        catalog.set_table(table);
        catalog.add_regions(to, &regions);
        catalog.note_operation(operation);
    }
    MetaUpdate::new(cluster).delete_regions_of(to).table_state(to, state).write();
    for region in &regions {
        MetaUpdate::new(cluster).new_region(region).write();
    }
    if state == TableStateKind::Enabled {
        open_regions(cluster, &regions);
    }
    Ok(())
}
