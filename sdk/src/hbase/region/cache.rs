//! The known region locations, sorted by start key. No entry ever hides a newer one.
//!
//! One lock holds it all, because a lookup is then one lock, one hash and one search. No time spent under it grows with
//! the number of regions: an insertion touches the regions that it overlaps, a server is removed by setting its flag,
//! and a removed table is freed after the lock is released.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use bytes::Bytes;

use crate::TableName;
use crate::hbase::location::Location;

/// The known region locations of all tables.
#[derive(Default)]
pub(crate) struct Cache {
    known: RwLock<Known>,
}

#[derive(Default)]
struct Known {
    tables: HashMap<TableName, Regions>,
    /// The servers of the valid locations, by address; a second one at an address is the restarted one.
    servers: HashMap<Arc<str>, Vec<Arc<Server>>>,
}

/// Regions by start key; no two of them overlap.
type Regions = BTreeMap<Bytes, Entry>;

struct Entry {
    location: Arc<Location>,
    server: Arc<Server>,
}

/// A server, shared by all locations on it: once it is gone, none of them is valid.
struct Server {
    address: Arc<str>,
    start_code: u64,
    is_gone: AtomicBool,
}

impl Entry {
    fn location(&self) -> Option<&Arc<Location>> {
        // It is read and written under the cache's lock.
        (!self.server.is_gone.load(Ordering::Relaxed)).then_some(&self.location)
    }
}

impl Cache {
    /// The region that holds `row`.
    pub(crate) fn get(&self, table: &TableName, row: &[u8]) -> Option<Arc<Location>> {
        self.find(
            table,
            |regions| {
                regions.range::<[u8], _>((Bound::Unbounded, Bound::Included(row))).next_back()
            },
            |location| location.contains(row),
        )
    }

    /// The region that ends where `row` starts, or holds the rows right before it; the last one for an empty `row`.
    pub(crate) fn get_before(&self, table: &TableName, row: &[u8]) -> Option<Arc<Location>> {
        self.find(
            table,
            |regions| match row.is_empty() {
                true => regions.iter().next_back(),
                false => {
                    regions.range::<[u8], _>((Bound::Unbounded, Bound::Excluded(row))).next_back()
                }
            },
            |location| match row.is_empty() {
                true => location.end.is_empty(),
                false => {
                    *location.start < *row && (location.end.is_empty() || *row <= *location.end)
                }
            },
        )
    }

    fn find(
        &self,
        table: &TableName,
        find: impl FnOnce(&Regions) -> Option<(&Bytes, &Entry)>,
        is_wanted: impl FnOnce(&Location) -> bool,
    ) -> Option<Arc<Location>> {
        let known = self.read();
        let (_, entry) = find(known.tables.get(table)?)?;
        entry.location().filter(|location| is_wanted(location)).cloned()
    }

    /// Adds a location, unless a newer one of the same region is known; removes all that overlap it.
    ///
    /// After a merge the new region covers old ones, and after a split it is covered by one: neither may stay, or a
    /// lookup would still find the region that is gone.
    pub(crate) fn insert(&self, table: &TableName, mut location: Location) -> Arc<Location> {
        let mut known = self.write();
        let Known { tables, servers } = &mut *known;
        let regions = tables.entry(table.clone()).or_default();
        if let Some(newer) = regions.get(&location.start).and_then(Entry::location)
            && newer.region == location.region
            && newer.sequence > location.sequence
        {
            return newer.clone();
        }
        let server = server_of(servers, &location);
        location.server = server.address.clone();
        remove_overlaps(regions, &location);
        let location = Arc::new(location);
        let entry = Entry { location: location.clone(), server };
        regions.insert(location.start.clone(), entry);
        location
    }

    /// Forgets a location that failed, if it is still the one that is known.
    pub(crate) fn evict(&self, table: &TableName, failed: &Location) {
        self.remove(table, failed);
    }

    /// Returns whether the location was still the one that is known.
    fn remove(&self, table: &TableName, failed: &Location) -> bool {
        let mut known = self.write();
        let Some(regions) = known.tables.get_mut(table) else { return false };
        let known = regions.get(&failed.start).is_some_and(|entry| *entry.location == *failed);
        if known {
            regions.remove(&failed.start);
        }
        known
    }

    /// Replaces a location that failed by where its server says that the region moved to, if that is later.
    ///
    /// Servers remember moves for minutes. After a region moved away and back and was split, each of its two servers says
    /// that it is on the other one, and only `hbase:meta` knows its daughters.
    pub(crate) fn follow(&self, table: &TableName, failed: &Location, moved: Location) {
        if self.remove(table, failed) && failed.sequence < moved.sequence {
            self.insert(table, moved);
        }
    }

    /// Forgets every location on a server that is gone.
    pub(crate) fn evict_server(&self, address: &str, start_code: u64) {
        // Every call that fails with the server reports it; the first one is enough.
        let at = |known: &Known| {
            let servers = known.servers.get(address)?;
            servers.iter().position(|server| server.start_code == start_code)
        };
        if at(&self.read()).is_none() {
            return;
        }
        let mut known = self.write();
        if let Some(at) = at(&known)
            && let Some(servers) = known.servers.get_mut(address)
        {
            servers.swap_remove(at).is_gone.store(true, Ordering::Relaxed);
        }
    }

    /// Forgets a table, because it was dropped, or its regions are not the known ones.
    pub(crate) fn evict_table(&self, table: &TableName) {
        let regions = self.write().tables.remove(table);
        drop(regions);
    }

    fn read(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Known> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The server of a location, which it shares with all others on it.
fn server_of(
    servers: &mut HashMap<Arc<str>, Vec<Arc<Server>>>,
    location: &Location,
) -> Arc<Server> {
    let known = servers.get(&location.server).into_iter().flatten();
    if let Some(server) = known.into_iter().find(|s| s.start_code == location.start_code) {
        return server.clone();
    }
    // Servers come and go; those without a location are removed.
    servers.retain(|_, servers| {
        servers.retain(|server| Arc::strong_count(server) > 1);
        !servers.is_empty()
    });
    let server = Arc::new(Server {
        address: location.server.clone(),
        start_code: location.start_code,
        is_gone: AtomicBool::new(false),
    });
    servers.entry(location.server.clone()).or_default().push(server.clone());
    server
}

/// Removes the region that starts before this one and overlaps it, and those that start in it.
fn remove_overlaps(regions: &mut Regions, location: &Location) {
    let mut before =
        regions.range::<[u8], _>((Bound::Unbounded, Bound::Excluded(&location.start[..])));
    if let Some((start, entry)) = before.next_back()
        && (entry.location.end.is_empty() || location.start < entry.location.end)
    {
        let start = start.clone();
        regions.remove(&start);
    }
    let end = match location.end.is_empty() {
        true => Bound::Unbounded,
        false => Bound::Excluded(&location.end[..]),
    };
    loop {
        let mut within = regions.range::<[u8], _>((Bound::Included(&location.start[..]), end));
        let Some(start) = within.next().map(|(start, _)| start.clone()) else { break };
        regions.remove(&start);
    }
}

#[cfg(test)]
mod tests;
