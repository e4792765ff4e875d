//! The contents of the cache as a whole, and what is forgotten because the program requests it.

use std::ops::Bound;
use std::sync::Arc;

use super::{Cache, Entry, Known, Regions, insert};
use crate::TableName;
use crate::backend::hbase::location::Location;

impl Cache {
    /// The tables of which regions are known.
    pub(crate) fn tables(&self) -> Vec<TableName> {
        self.read().tables.keys().cloned().collect()
    }

    /// The known regions of a table, in the order of their keys.
    pub(crate) fn of_table(&self, table: &TableName) -> Vec<Arc<Location>> {
        let known = self.read();
        known.tables.get(table).into_iter().flatten().filter_map(Entry::valid).cloned().collect()
    }

    /// Adds a location that comes from an exported file and may be old, unless a region with some
    /// of the same rows is known. Returns whether the location was added.
    pub(crate) fn offer(&self, table: &TableName, location: Location) -> bool {
        let mut known = self.write();
        let is_new = !known.tables.get(table).is_some_and(|regions| overlaps(regions, &location));
        if is_new {
            insert(&mut known, table, location);
        }
        is_new
    }

    /// Forgets the region that holds a row.
    pub(crate) fn forget_row(&self, table: &TableName, row: &[u8]) {
        if let Some(location) = self.get(table, row) {
            self.evict(table, &location);
        }
    }

    /// Forgets every location on the server at an address; if a start code is given, only those on
    /// the server with this start code.
    pub(crate) fn forget_server(&self, address: &str, start_code: Option<u64>) {
        let known = self.read();
        let servers = known.servers.get(address).into_iter().flatten();
        let codes: Vec<u64> = servers.map(|server| server.start_code).collect();
        drop(known);
        for code in codes.into_iter().filter(|code| start_code.is_none_or(|only| only == *code)) {
            self.evict_server(address, code);
        }
    }

    /// Forgets everything.
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
    // Of the regions that start before the end of the location, the last one ends last, because
    // known regions do not overlap.
    let mut starting = regions.range::<[u8], _>((Bound::Unbounded, before)).rev();
    let last = starting.find_map(Entry::valid);
    last.is_some_and(|last| last.end().is_empty() || location.start() < last.end())
}
