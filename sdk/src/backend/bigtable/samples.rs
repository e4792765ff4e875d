//! Samples of row keys, and the known parts of tables, which are kept so that the service need not
//! be asked again.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use rustc_hash::FxHashMap;

use crate::TableName;
use crate::model::region_location::RegionLocation;

/// A row key at which a table, or a range of it, can be divided.
///
/// [`BigtableAdmin::sample_row_keys`](crate::admin::BigtableAdmin::sample_row_keys) returns it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeySample {
    /// The key. There need not be a row with this key. An empty key is the end of the table.
    pub key: Bytes,
    /// About how many bytes the rows before the key take, counted from the start of the samples:
    /// the difference of two samples is the size of what is between them.
    pub bytes_before: u64,
}

/// The parts of a table, in the order of their keys.
pub(super) type TableParts = Arc<Vec<RegionLocation>>;

/// The known parts of each table.
#[derive(Default)]
pub(super) struct TablePartsCache(Mutex<FxHashMap<TableName, TableParts>>);

impl TablePartsCache {
    pub(super) fn get(&self, table: &TableName) -> Option<TableParts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(table).cloned()
    }

    pub(super) fn put(&self, table: &TableName, parts: TableParts) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(table.clone(), parts);
    }

    pub(super) fn forget(&self, table: Option<&TableName>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match table {
            Some(table) => drop(known.remove(table)),
            None => known.clear(),
        }
    }
}
