//! Parts of the state that are in the log of a cluster besides its catalog and its regions.

use std::fmt::Debug;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use crate::base::lock;
use crate::journal::{Journal, Record};

/// A part of the state that knows its records.
pub(crate) trait Recorded: Debug {
    /// Returns what was changed since the last call; `None` if nothing was.
    fn take_record(&mut self) -> Option<Record>;

    /// Forgets what was changed, as in a cluster without a log.
    fn forget_changes(&mut self) {}
}

/// A part of the state behind a lock. When the lock is released, what was changed meanwhile is
/// written to the log of the cluster, if it has one, as one record.
#[derive(Debug, Default)]
pub(crate) struct Kept<T> {
    value: Mutex<T>,
    journal: OnceLock<Arc<Journal>>,
}

impl<T: Recorded> Kept<T> {
    /// Makes a part with this value.
    pub(crate) fn new(value: T) -> Self {
        Self { value: Mutex::new(value), journal: OnceLock::new() }
    }

    /// Locks the part.
    pub(crate) fn lock(&self) -> KeptGuard<'_, T> {
        KeptGuard { value: lock(&self.value), journal: self.journal.get(), is_changed: false }
    }

    /// Writes what was changed before there was a log.
    pub(crate) fn record(&self) {
        self.lock().is_changed = true;
    }

    /// Writes changes to a log from now on.
    pub(crate) fn keep_changes(&self, journal: &Arc<Journal>) {
        // A cluster has one log.
        let _ = self.journal.set(Arc::clone(journal));
    }
}

/// A part of the state, locked.
#[derive(Debug)]
pub(crate) struct KeptGuard<'k, T: Recorded> {
    value: MutexGuard<'k, T>,
    journal: Option<&'k Arc<Journal>>,
    is_changed: bool,
}

impl<T: Recorded> Deref for KeptGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Recorded> DerefMut for KeptGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.is_changed = true;
        &mut self.value
    }
}

impl<T: Recorded> Drop for KeptGuard<'_, T> {
    fn drop(&mut self) {
        match self.journal {
            _ if !self.is_changed => {}
            None => self.value.forget_changes(),
            Some(journal) => {
                if let Some(record) = self.value.take_record() {
                    journal.append(&record);
                }
            }
        }
    }
}
