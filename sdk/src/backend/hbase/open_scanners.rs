//! The list of the scanners that a client has open on servers, which is part of the report of the
//! client's state.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use tokio::time::Instant;

use crate::TableName;

/// The scanners that a client has open on servers.
#[derive(Default)]
pub(crate) struct OpenScanners(Mutex<Listed>);

#[derive(Default)]
struct Listed {
    next: u64,
    scanners: FxHashMap<u64, ListedScanner>,
}

/// A scanner that is open on a server.
#[derive(Clone)]
pub(crate) struct ListedScanner {
    pub(crate) table: TableName,
    pub(crate) server: Arc<str>,
    pub(crate) id: u64,
    pub(crate) since: Instant,
}

impl OpenScanners {
    /// Lists a scanner until the returned value is dropped.
    pub(crate) fn register(self: &Arc<Self>, scanner: ListedScanner) -> ScannerRegistration {
        let mut listed = self.lock();
        listed.next += 1;
        let number = listed.next;
        listed.scanners.insert(number, scanner);
        ScannerRegistration { open_scanners: self.clone(), number }
    }

    /// Returns all open scanners, the oldest first.
    pub(crate) fn all(&self) -> Vec<ListedScanner> {
        let mut all: Vec<_> = self.lock().scanners.values().cloned().collect();
        all.sort_by_key(|scanner| scanner.since);
        all
    }

    fn lock(&self) -> MutexGuard<'_, Listed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An entry of the list of open scanners; the entry is removed from the list when this value is
/// dropped.
pub(crate) struct ScannerRegistration {
    open_scanners: Arc<OpenScanners>,
    number: u64,
}

impl Drop for ScannerRegistration {
    fn drop(&mut self) {
        self.open_scanners.lock().scanners.remove(&self.number);
    }
}
