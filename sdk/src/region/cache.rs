//! What is known of region locations: sorted by start key, never with a hole that hides a region behind an older one.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::{Arc, PoisonError, RwLock};

use bytes::Bytes;

use super::Location;
use crate::TableName;

type Regions = BTreeMap<Bytes, Arc<Location>>;

/// The known region locations of all tables.
#[derive(Default)]
pub(crate) struct Cache {
    tables: RwLock<HashMap<TableName, Regions>>,
}

impl Cache {
    /// The region that holds `row`.
    pub(crate) fn get(&self, table: &TableName, row: &[u8]) -> Option<Arc<Location>> {
        self.find(table, |regions| {
            regions.range::<[u8], _>((Bound::Unbounded, Bound::Included(row))).next_back()
        })
        .filter(|location| location.contains(row))
    }

    /// The region that ends where `row` starts, or holds the rows right before it; the last one for an empty `row`.
    pub(crate) fn get_before(&self, table: &TableName, row: &[u8]) -> Option<Arc<Location>> {
        let before = |location: &Arc<Location>| match row.is_empty() {
            true => location.end.is_empty(),
            false => *location.start < *row && (location.end.is_empty() || *row <= *location.end),
        };
        self.find(table, |regions| match row.is_empty() {
            true => regions.iter().next_back(),
            false => regions.range::<[u8], _>((Bound::Unbounded, Bound::Excluded(row))).next_back(),
        })
        .filter(before)
    }

    fn find(
        &self,
        table: &TableName,
        find: impl FnOnce(&Regions) -> Option<(&Bytes, &Arc<Location>)>,
    ) -> Option<Arc<Location>> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        tables.get(table).and_then(|regions| find(regions).map(|(_, location)| location.clone()))
    }

    /// Remembers a location, unless a newer one of the same region is known; whatever overlaps it is forgotten.
    ///
    /// After a merge the new region covers old ones, and after a split it is covered by one: neither may stay, or a
    /// lookup would go on finding the region that is gone.
    pub(crate) fn insert(&self, table: &TableName, location: Location) -> Arc<Location> {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        let regions = tables.entry(table.clone()).or_default();
        if let Some(known) = regions.get(&location.start)
            && known.region == location.region
            && known.sequence > location.sequence
        {
            return known.clone();
        }
        let overlaps = |other: &Location| {
            (other.end.is_empty() || location.start < other.end)
                && (location.end.is_empty() || other.start < location.end)
        };
        regions.retain(|_, other| !overlaps(other));
        let location = Arc::new(location);
        regions.insert(location.start.clone(), location.clone());
        location
    }

    /// Forgets a location that failed, if it is still the one that is known.
    pub(crate) fn evict(&self, table: &TableName, failed: &Location) {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        let Some(regions) = tables.get_mut(table) else { return };
        if regions.get(&failed.start).is_some_and(|known| **known == *failed) {
            regions.remove(&failed.start);
        }
    }

    /// Forgets every location on a server that is gone.
    pub(crate) fn evict_server(&self, server: &str, start_code: u64) {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        for regions in tables.values_mut() {
            regions.retain(|_, location| !location.is_on(server, start_code));
        }
    }

    /// Forgets a table, because it was dropped, or looks different from what is known.
    pub(crate) fn evict_table(&self, table: &TableName) {
        self.tables.write().unwrap_or_else(PoisonError::into_inner).remove(table);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(start: &str, end: &str, sequence: u64) -> Location {
        Location {
            region: format!("t,{start},{sequence}").into(),
            start: start.to_owned().into(),
            end: end.to_owned().into(),
            server: "s:1".into(),
            start_code: 1,
            sequence,
        }
    }

    fn table() -> TableName {
        "t".parse().unwrap()
    }

    #[test]
    fn a_row_is_found_in_the_region_that_holds_it_or_not_at_all() {
        let cache = Cache::default();
        cache.insert(&table(), location("", "g", 1));
        cache.insert(&table(), location("p", "", 1));
        let start = |row: &str| cache.get(&table(), row.as_bytes()).map(|l| l.start.clone());
        assert_eq!(start("a"), Some("".into()));
        assert_eq!(start("g"), None, "the end key belongs to the next region");
        assert_eq!(start("h"), None, "a hole is not filled by its neighbour");
        assert_eq!(start("p"), Some("p".into()));
        assert_eq!(start("z"), Some("p".into()));
    }

    #[test]
    fn the_region_before_a_row_ends_there_or_holds_what_is_before_it() {
        let cache = Cache::default();
        cache.insert(&table(), location("", "g", 1));
        cache.insert(&table(), location("g", "", 1));
        let start = |row: &str| cache.get_before(&table(), row.as_bytes()).map(|l| l.start.clone());
        assert_eq!(start("g"), Some("".into()));
        assert_eq!(start("h"), Some("g".into()));
        assert_eq!(start(""), Some("g".into()));
    }

    #[test]
    fn daughters_replace_their_parent_and_a_merged_region_its_parents() {
        let cache = Cache::default();
        cache.insert(&table(), location("", "", 1));
        cache.insert(&table(), location("m", "", 2));
        assert!(cache.get(&table(), b"a").is_none(), "the parent is gone with its first daughter");
        cache.insert(&table(), location("", "m", 2));
        cache.insert(&table(), location("", "", 3));
        assert_eq!(cache.get(&table(), b"z").unwrap().sequence, 3);
    }

    #[test]
    fn only_the_location_that_failed_is_forgotten() {
        let cache = Cache::default();
        let old = cache.insert(&table(), location("", "", 1));
        let new = Location {
            sequence: 2,
            region: old.region.clone(),
            server: "s:2".into(),
            ..location("", "", 2)
        };
        cache.insert(&table(), new.clone());
        cache.evict(&table(), &old);
        assert_eq!(cache.get(&table(), b"a").as_deref(), Some(&new));
        cache.insert(&table(), (*old).clone());
        assert_eq!(
            cache.get(&table(), b"a").as_deref(),
            Some(&new),
            "older news of a region is dropped"
        );
        cache.evict_server("s:2", 1);
        assert!(cache.get(&table(), b"a").is_none());
    }
}
