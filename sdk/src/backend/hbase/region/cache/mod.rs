//! The cache of region locations, sorted by start key. No old location ever hides a newer location.
//!
//! One lock guards the whole cache, so that a lookup takes only one lock, one hash and one search.
//! No change of the cache holds the lock for a time that grows with the number of known regions: an
//! insertion touches the regions that it overlaps, a server is removed by setting its flag, and a
//! removed table is freed after the lock is released.
//!
//! # Invariants
//!
//! - When a call fails, only the location that it used is forgotten; no old region hides a newer
//!   region; and no move is followed back to the earlier server. Tests:
//!   `only_the_location_that_failed_is_forgotten`, `a_move_is_followed_once_and_not_back`,
//!   `the_cache_knows_what_the_model_knows`.
//! - The cost of caching a region depends only on the regions that it overlaps, and a dead server
//!   is forgotten by setting one flag, however many regions are known. Tests:
//!   `bench/src/bin/regions`.

#![allow(
    clippy::mutable_key_type,
    reason = "entries are ordered by the start key, which never changes"
)]

mod contents;

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Bound;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use rustc_hash::FxHashMap;

use crate::TableName;
use crate::backend::hbase::location::{Location, Server};

/// The known region locations of all tables.
#[derive(Default)]
pub(crate) struct Cache {
    known: RwLock<Known>,
}

#[derive(Default)]
struct Known {
    tables: FxHashMap<TableName, Regions>,
    /// The servers of the valid locations, by address. An address has a second server if the server
    /// there was restarted.
    servers: FxHashMap<Arc<str>, Vec<Arc<Server>>>,
}

/// Regions by start key; no two of them overlap.
type Regions = BTreeSet<Entry>;

struct Entry(Arc<Location>);

impl Entry {
    fn valid(&self) -> Option<&Arc<Location>> {
        (!self.0.server().is_gone()).then_some(&self.0)
    }
}

impl Borrow<[u8]> for Entry {
    fn borrow(&self) -> &[u8] {
        self.0.start()
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.0.start() == other.0.start()
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.start().cmp(other.0.start())
    }
}

impl Cache {
    /// Returns the known location of the region that holds `row`, unless the server of the region
    /// is gone.
    pub(crate) fn get(&self, table: &TableName, row: &[u8]) -> Option<Arc<Location>> {
        let up_to = (Bound::Unbounded, Bound::Included(row));
        let known = self.read();
        let entry = known.tables.get(table)?.range::<[u8], _>(up_to).next_back()?;
        entry.valid().filter(|location| location.contains(row)).cloned()
    }

    /// Returns the known location of the region that holds `row`, even if the server of its primary
    /// replica is gone.
    pub(crate) fn get_even_if_gone(&self, table: &TableName, row: &[u8]) -> Option<Arc<Location>> {
        let up_to = (Bound::Unbounded, Bound::Included(row));
        let known = self.read();
        let entry = known.tables.get(table)?.range::<[u8], _>(up_to).next_back()?;
        Some(&entry.0).filter(|location| location.contains(row)).cloned()
    }

    /// Looks up each row in the cache, and calls `found` for each row in order, with the location
    /// of the region that holds the row if that location is known.
    pub(crate) fn for_each_row<'a>(
        &self,
        table: &TableName,
        rows: impl Iterator<Item = &'a [u8]>,
        mut found: impl FnMut(Option<&Arc<Location>>),
    ) {
        let known = self.read();
        let regions = known.tables.get(table);
        let mut latest: Option<&Arc<Location>> = None;
        for row in rows {
            if !latest.is_some_and(|location| location.contains(row)) {
                latest = regions.and_then(|regions| {
                    let up_to = (Bound::Unbounded, Bound::Included(row));
                    let entry = regions.range::<[u8], _>(up_to).next_back()?;
                    entry.valid().filter(|location| location.contains(row))
                });
            }
            found(latest);
        }
    }

    /// Returns the known region that ends at `row` or holds the rows right before `row`; if `row`
    /// is empty, the last region of the table.
    pub(crate) fn get_before(&self, table: &TableName, row: &[u8]) -> Option<Arc<Location>> {
        let known = self.read();
        let regions = known.tables.get(table)?;
        let entry = match row.is_empty() {
            true => regions.last(),
            false => regions.range::<[u8], _>((Bound::Unbounded, Bound::Excluded(row))).next_back(),
        };
        entry?.valid().filter(|location| location.holds_rows_before(row)).cloned()
    }

    /// How many regions of each table are known.
    pub(crate) fn counts(&self) -> Vec<(TableName, usize)> {
        let known = self.read();
        known.tables.iter().map(|(table, regions)| (table.clone(), regions.len())).collect()
    }

    /// Whether a known region starts after `after` and at or before `up_to`. A region on a server
    /// that is gone is included.
    pub(crate) fn has_region_start_between(
        &self,
        table: &TableName,
        after: &[u8],
        up_to: &[u8],
    ) -> bool {
        let within = (Bound::Excluded(after), Bound::Included(up_to));
        let known = self.read();
        let starts_within = |regions: &Regions| regions.range::<[u8], _>(within).next().is_some();
        after < up_to && known.tables.get(table).is_some_and(starts_within)
    }

    /// Adds a location and removes all locations that overlap it, unless a newer location of the
    /// same region is known. Returns the location of the region that is known afterwards.
    ///
    /// After a merge, the new region covers old regions; after a split, an old region covers the
    /// new region. No such old region may stay in the cache, because a lookup would then find a
    /// region that no longer exists.
    pub(crate) fn insert(&self, table: &TableName, location: Location) -> Arc<Location> {
        insert(&mut self.write(), table, location)
    }

    /// Adds each location like [`insert`](Self::insert), and returns for each location what
    /// `insert` returns.
    pub(crate) fn insert_all(
        &self,
        table: &TableName,
        locations: Vec<Location>,
    ) -> Vec<Arc<Location>> {
        let mut known = self.write();
        locations.into_iter().map(|location| insert(&mut known, table, location)).collect()
    }

    /// Forgets `failed`, a location at which a call failed, if the cache still contains it.
    pub(crate) fn evict(&self, table: &TableName, failed: &Location) {
        self.remove(table, failed);
    }

    /// Forgets `failed`, a location at which a call failed; returns whether the cache still
    /// contained it.
    fn remove(&self, table: &TableName, failed: &Location) -> bool {
        let mut known = self.write();
        let Some(regions) = known.tables.get_mut(table) else { return false };
        let known = regions.get(failed.start()).is_some_and(|entry| *entry.0 == *failed);
        if known {
            regions.remove(failed.start());
        }
        known
    }

    /// Forgets `failed`, a location at which a call failed, and adds `moved`, the location to which
    /// the region moved according to the server. Does nothing if the cache no longer contains
    /// `failed`. Adds `moved` only if its sequence number is higher than that of `failed`.
    ///
    /// Servers remember moves for minutes. After a region has moved away and back and has been
    /// split, each of the two servers reports that the region is on the other server, and only
    /// `hbase:meta` lists the daughters.
    pub(crate) fn replace_moved(&self, table: &TableName, failed: &Location, moved: Location) {
        if self.remove(table, failed) && failed.sequence < moved.sequence {
            self.insert(table, moved);
        }
    }

    /// Forgets every location on a server that is gone.
    pub(crate) fn evict_server(&self, address: &str, start_code: u64) {
        // Every call that fails because the server is gone reports this; the first report is
        // enough.
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
            servers.swap_remove(at).set_gone();
        }
    }

    /// Forgets all regions of a table, because the table was dropped or the known regions are not
    /// the current regions.
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

fn insert(known: &mut Known, table: &TableName, location: Location) -> Arc<Location> {
    let Known { tables, servers } = known;
    if !tables.contains_key(table) {
        tables.insert(table.clone(), Regions::new());
    }
    let Some(regions) = tables.get_mut(table) else { return Arc::new(location) };
    if let Some(newer) = regions.get(location.start()).and_then(Entry::valid)
        && newer.name() == location.name()
        && newer.sequence > location.sequence
    {
        return newer.clone();
    }
    let location =
        location.with_shared_servers(|address, start_code| server_of(servers, address, start_code));
    let location = Arc::new(location);
    remove_overlaps(regions, &location);
    regions.insert(Entry(location.clone()));
    location
}

/// Returns the `Server` with this address and start code, which all locations on the server share.
/// Makes it if there is none yet.
fn server_of(
    servers: &mut FxHashMap<Arc<str>, Vec<Arc<Server>>>,
    address: &Arc<str>,
    start_code: u64,
) -> Arc<Server> {
    let mut known = servers.get(address).into_iter().flatten();
    if let Some(server) = known.find(|server| server.start_code == start_code) {
        return server.clone();
    }
    // Servers come and go; those without a location are removed.
    servers.retain(|_, servers| {
        servers.retain(|server| Arc::strong_count(server) > 1);
        !servers.is_empty()
    });
    let server = Server::new(address.clone(), start_code);
    servers.entry(server.address.clone()).or_default().push(server.clone());
    server
}

/// Removes all regions that overlap `location`: the region that starts before it, if this region
/// extends into it, and all regions that start within it.
fn remove_overlaps(regions: &mut Regions, location: &Location) {
    let before = (Bound::Unbounded, Bound::Excluded(location.start()));
    let before = regions.range::<[u8], _>(before).next_back().map(|entry| entry.0.clone());
    if let Some(before) = before
        && (before.end().is_empty() || location.start() < before.end())
    {
        regions.remove(before.start());
    }
    let end = match location.end().is_empty() {
        true => Bound::Unbounded,
        false => Bound::Excluded(location.end()),
    };
    let within = (Bound::Included(location.start()), end);
    while let Some(entry) = regions.range::<[u8], _>(within).next() {
        let gone = entry.0.clone();
        regions.remove(gone.start());
    }
}

#[cfg(test)]
mod tests;
