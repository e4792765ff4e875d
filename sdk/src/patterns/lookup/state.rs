//! What the clones of a `Lookup` share: its table, its cache, the names that are being created, and
//! ids that are still free.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::cache::Cache;
use super::mappings::Mappings;
use super::stats::Counts;
use crate::patterns::ids::IdBlocks;
use crate::runtime::tasks::SharedTask;
use crate::{Result, Row};

/// The state that all clones of a lookup share.
pub(super) struct State {
    pub(super) mappings: Mappings,
    pub(super) ids: IdBlocks,
    pub(super) cache: Cache,
    pub(super) counts: Counts,
    pub(super) read_only: bool,
    creating: Mutex<Creating>,
    unused: Mutex<Vec<Unused>>,
}

/// An id that was taken from the counter, and that no name has.
pub(super) struct Unused {
    pub(super) id: u64,
    /// The name of the id in the table, if the id was taken for a name that another writer then
    /// created.
    pub(super) name: Option<Bytes>,
}

/// The names that are being created.
pub(super) type Creating = HashMap<Bytes, SharedTask<u64>>;

impl State {
    pub(super) fn new(
        mappings: Mappings,
        ids: IdBlocks,
        cache_bytes: usize,
        read_only: bool,
    ) -> Self {
        let (cache, counts) = (Cache::new(cache_bytes), Counts::default());
        let (creating, unused) = (Mutex::default(), Mutex::default());
        Self { mappings, ids, cache, counts, read_only, creating, unused }
    }

    pub(super) fn creating(&self) -> MutexGuard<'_, Creating> {
        self.creating.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps an id for the next name.
    pub(super) fn keep_unused(&self, unused: Unused) {
        self.all_unused().push(unused);
    }

    /// Returns an id for a new name without a call; `None` if no id is in memory.
    pub(super) fn take_unused(&self) -> Option<Unused> {
        let kept = self.all_unused().pop();
        kept.or_else(|| Some(Unused { id: self.ids.take_held()?, name: None }))
    }

    /// Returns how many unused ids are kept.
    pub(super) fn unused_count(&self) -> u64 {
        self.all_unused().len() as u64
    }

    fn all_unused(&self) -> MutexGuard<'_, Vec<Unused>> {
        self.unused.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the id of a name, if it is in the cache.
    pub(super) fn cached_id(&self, name: &[u8]) -> Option<u64> {
        self.count_hit_or_miss(self.cache.id(name))
    }

    /// Returns the name of an id, if it is in the cache.
    pub(super) fn cached_name(&self, id: u64) -> Option<Bytes> {
        self.count_hit_or_miss(self.cache.name(id))
    }

    /// Returns the id in a row that was read for a name, and puts it into the cache.
    pub(super) fn cache_id_in_row(&self, name: &Bytes, row: Option<&Row>) -> Result<Option<u64>> {
        let id = self.mappings.id_in_row(row)?;
        id.iter().for_each(|id| self.cache.insert_id(name, *id));
        Ok(id)
    }

    /// Returns the name in a row that was read for an id, and puts it into the cache.
    pub(super) fn cache_name_in_row(&self, id: u64, row: Option<&Row>) -> Option<Bytes> {
        let name = self.mappings.name_in_row(row);
        name.iter().for_each(|name| self.cache.insert_name(id, name));
        name
    }

    fn count_hit_or_miss<T>(&self, found: Option<T>) -> Option<T> {
        if found.is_some() {
            self.counts.hits.increment()
        } else {
            self.counts.misses.increment()
        }
        found
    }
}
