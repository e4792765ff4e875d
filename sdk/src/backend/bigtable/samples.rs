//! The known parts of tables, which are kept so that the service need not be asked again.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::TableName;
use crate::model::region_location::RegionLocation;

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
