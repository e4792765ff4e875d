//! Lists the contents of the region cache, adds locations from an exported file, and forgets
//! locations when the program requests it.

use std::ops::Bound;
use std::sync::Arc;

use super::{Cache, Entry, Known, Regions, insert};
use crate::TableName;
use crate::backend::hbase::location::Location;

impl Cache {
    /// The tables of which the cache contains regions.
    pub(crate) fn tables(&self) -> Vec<TableName> {
        self.read().tables.keys().cloned().collect()
    }

    /// The known regions of a table, in the order of their keys.
    pub(crate) fn of_table(&self, table: &TableName) -> Vec<Arc<Location>> {
        let known = self.read();
        known.tables.get(table).into_iter().flatten().filter_map(Entry::valid).cloned().collect()
    }

    /// Adds a location from an exported file, which may be outdated, unless a known region overlaps
    /// it. Returns whether the location was added.
    pub(crate) fn insert_unless_overlapping(&self, table: &TableName, location: Location) -> bool {
        let mut known = self.write();
        let is_new = !known.tables.get(table).is_some_and(|regions| overlaps(regions, &location));
        if is_new {
            insert(&mut known, table, location);
        }
        is_new
    }

    /// Forgets the location of the region that holds a row.
    pub(crate) fn forget_region_of(&self, table: &TableName, row: &[u8]) {
        if let Some(location) = self.get(table, row) {
            self.evict(table, &location);
        }
    }

    /// Forgets every location on a server at `address`. If a start code is given, forgets only the
    /// locations on the server with this start code.
    pub(crate) fn forget_server(&self, address: &str, start_code: Option<u64>) {
        let known = self.read();
        let servers = known.servers.get(address).into_iter().flatten();
        let codes: Vec<u64> = servers.map(|server| server.start_code).collect();
        drop(known);
        for code in codes.into_iter().filter(|code| start_code.is_none_or(|only| only == *code)) {
            self.evict_server(address, code);
        }
    }

    /// Forgets all locations of all tables.
    pub(crate) fn clear(&self) {
        let known = std::mem::take(&mut *self.write());
        drop::<Known>(known);
    }
}

fn overlaps(regions: &Regions, location: &Location) -> bool {
    let before = match location.end().is_empty() {
        true => Bound::Unbounded,
        false => Bound::Excluded(location.end()),
    };
    // Known regions do not overlap, so the last region that starts before the end of `location` is
    // also the one that ends last.
    let mut starting = regions.range::<[u8], _>((Bound::Unbounded, before)).rev();
    let last = starting.find_map(Entry::valid);
    last.is_some_and(|last| last.end().is_empty() || location.start() < last.end())
}
