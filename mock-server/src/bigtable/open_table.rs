//! A table that a call reads or writes, and the lookup of its regions.

use std::sync::Arc;

use tallrow_wire::bigtable::Status;
use tallrow_wire::proto::TableStateKind;

use super::names;
use super::status::{StatusCode, StatusResult, invalid, not_found};
use super::views::{self, ViewSubset};
use crate::regions::{Region, RegionState};
use crate::state::Cluster;

/// How often a region is looked up before a call gives up. The lookup is repeated if the region
/// splits or moves before it is locked.
const LOOKUPS: usize = 4;

/// A table that a call names.
#[derive(Clone, Debug)]
pub(super) struct OpenTable {
    /// The name of the table in Bigtable.
    table_name: String,
    /// The start of the id in the name.
    id_at: usize,
    /// The regions in which the call has changed rows, in the order of their keys. They may have
    /// split or moved since.
    known_regions: Vec<Arc<Region>>,
    /// What the call may read and write, if it names a view and not the table.
    view: Option<Arc<ViewSubset>>,
}

impl OpenTable {
    /// Finds the table with this name.
    pub(super) fn find(cluster: &Cluster, table_name: &str) -> StatusResult<Self> {
        let id = names::table_id(cluster, table_name)?;
        let state = cluster.catalog().tables.get(id.as_bytes()).map(|t| t.state);
        match state {
            None => Err(no_table(table_name)),
            Some(TableStateKind::Enabled) => Ok(Self {
                table_name: table_name.to_owned(),
                id_at: table_name.len() - id.len(),
                known_regions: Vec::new(),
                view: None,
            }),
            Some(_) => Err(StatusCode::FailedPrecondition
                .status(format!("Table is disabled: {table_name}. Enable it through HBase"))),
        }
    }

    /// Finds the table of a request, which names it or a view of it. A request that names a view
    /// may name its table too.
    pub(super) fn of_request(
        cluster: &Cluster,
        table_name: &str,
        authorized_view: &str,
        materialized_view: &str,
    ) -> StatusResult<Self> {
        if !authorized_view.is_empty() {
            let (of, id) = names::authorized_view(cluster, authorized_view)?;
            if !table_name.is_empty() && table_name != of {
                return Err(invalid(format!(
                    "The request names the table {table_name}, and a view of another table, \
                     {authorized_view}"
                )));
            }
            let schema = cluster.schema_of(&names::table_name(cluster, of)?);
            let stored = schema.and_then(|schema| views::find(&schema, id));
            let stored = stored.ok_or_else(|| no_authorized_view(authorized_view))?;
            let view = Some(Arc::new(ViewSubset::new(authorized_view, stored.subset)));
            return Ok(Self { view, ..Self::find(cluster, of)? });
        }
        if !materialized_view.is_empty() {
            names::check_materialized_view(cluster, materialized_view)?;
            return Err(not_found(format!("Materialized view not found: {materialized_view}")));
        }
        Self::find(cluster, table_name)
    }

    /// Returns what the call may read and write; `None` if that is the whole table.
    pub(super) fn view(&self) -> Option<&Arc<ViewSubset>> {
        self.view.as_ref()
    }

    /// The key of the table in the catalog.
    fn id(&self) -> &[u8] {
        self.table_name.as_bytes().get(self.id_at..).unwrap_or_default()
    }

    /// Returns the region that holds a row.
    pub(super) fn region(&self, cluster: &Cluster, row: &[u8]) -> StatusResult<Arc<Region>> {
        let catalog = cluster.catalog();
        let table = catalog.tables.get(self.id()).ok_or_else(|| no_table(&self.table_name))?;
        table.region_of(row).cloned().ok_or_else(|| self.unavailable())
    }

    /// Returns the regions of the table, in the order of their keys.
    pub(super) fn regions(&self, cluster: &Cluster) -> Vec<Arc<Region>> {
        cluster.catalog().tables.get(self.id()).map(|t| t.regions.clone()).unwrap_or_default()
    }

    /// Returns the last region that starts before `end`. If `end` is `None`, returns the last
    /// region of the table.
    pub(super) fn last_region_starting_before(
        &self,
        cluster: &Cluster,
        end: Option<&[u8]>,
    ) -> StatusResult<Arc<Region>> {
        let catalog = cluster.catalog();
        let regions = catalog.tables.get(self.id()).map(|table| &table.regions[..]);
        let regions = regions.unwrap_or_default();
        let before = match end {
            Some(end) => regions.partition_point(|region| region.start_key() < end),
            None => regions.len(),
        };
        let last = before.checked_sub(1).and_then(|at| regions.get(at));
        last.cloned().ok_or_else(|| no_table(&self.table_name))
    }

    /// Looks up a region, and calls `act` with it while it is locked.
    pub(super) fn with_locked_region<R>(
        &self,
        lookup: impl Fn(&Self) -> StatusResult<Arc<Region>>,
        mut act: impl FnMut(&Region, &mut RegionState) -> StatusResult<R>,
    ) -> StatusResult<R> {
        for _ in 0..LOOKUPS {
            let region = lookup(self)?;
            let mut state = region.lock();
            if state.server.is_some() {
                return act(&region, &mut state);
            }
        }
        Err(self.unavailable())
    }

    /// Changes a row. `change` gets the name of the table, for error texts, and the time in ms. The
    /// time is read while the region is locked, so a later write never has an earlier time.
    pub(super) fn change_row<R>(
        &mut self,
        cluster: &Cluster,
        row: &[u8],
        change: impl FnOnce(&str, &mut RegionState, u64) -> StatusResult<R>,
    ) -> StatusResult<R> {
        let mut at = self.known_regions.partition_point(|region| region.start_key() <= row);
        if let Some(known) = at.checked_sub(1)
            && let Some(region) =
                self.known_regions.get(known).filter(|region| region.contains(row))
        {
            let mut state = region.lock();
            if state.server.is_some() {
                let changed = change(&self.table_name, &mut state, cluster.clock.now());
                cluster.note_growth(region, &mut state);
                return changed;
            }
            drop(state);
            self.known_regions.remove(known);
            at = known;
        }
        for _ in 0..LOOKUPS {
            let region = self.region(cluster, row)?;
            let mut state = region.lock();
            if state.server.is_some() {
                let changed = change(&self.table_name, &mut state, cluster.clock.now());
                cluster.note_growth(&region, &mut state);
                drop(state);
                self.known_regions.insert(at, region);
                return changed;
            }
        }
        Err(self.unavailable())
    }

    fn unavailable(&self) -> Status {
        StatusCode::Unavailable.status(format!(
            "Table is not served at the moment: {}. Try again later",
            self.table_name
        ))
    }
}

/// The status for a table that does not exist.
pub(super) fn no_table(table_name: &str) -> Status {
    not_found(format!("Table not found: {table_name}"))
}

/// The status for an authorized view that does not exist.
pub(super) fn no_authorized_view(name: &str) -> Status {
    not_found(format!("Authorized view not found: {name}"))
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use super::*;
    use crate::MockCluster;
    use crate::procedures;
    use crate::schema::sample_table;

    #[tokio::test]
    async fn a_change_that_waits_for_its_region_has_the_time_at_which_it_is_made() {
        let mock = MockCluster::start().await.unwrap();
        let cluster = mock.cluster();
        let schema = sample_table(&[]);
        procedures::create_table_without_schema_check(&cluster.lock_admin(), schema, &[]).unwrap();
        let mut table = OpenTable::find(cluster, "projects/p/instances/i/tables/t").unwrap();
        // The second change is made to a region that the call knows.
        for _ in 0..2 {
            let region = table.region(cluster, b"r").unwrap();
            let begun = Barrier::new(2);
            thread::scope(|threads| {
                let locked = region.lock();
                let change = threads.spawn(|| {
                    begun.wait();
                    table.change_row(cluster, b"r", |_, _, now| Ok(now))
                });
                begun.wait();
                let free = cluster.clock.now() + 20;
                while cluster.clock.now() < free {
                    thread::yield_now();
                }
                drop(locked);
                assert!(change.join().unwrap().unwrap() >= free);
            });
        }
    }
}
