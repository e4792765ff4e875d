//! The lock of administration: tables and regions are changed by one at a time.
//!
//! # Invariants
//!
//! - A change of tables finds them as it leaves them: between what it looks at and what it changes,
//!   in the catalog, in the regions and in `hbase:meta`, there is no other change. Tests:
//!   `mock-server/tests/suite/concurrency.rs`.

use std::ops::Deref;
use std::sync::MutexGuard;

use super::{CatalogGuard, Cluster};
use crate::base::lock;

/// The cluster, locked for changes of tables: whoever creates, alters, moves or deletes tables and
/// regions has this. Reads and writes of rows do not need it and do not wait for it; they find each
/// region as it is before a step of the change or after it.
///
/// It is locked before the backups, the catalog and the regions. It cannot be held over a wait:
/// whatever takes time, as a region that opens slowly or an operation that is polled, is two
/// changes.
#[derive(Debug)]
pub(crate) struct AdminGuard<'c> {
    cluster: &'c Cluster,
    _lock: MutexGuard<'c, ()>,
}

impl AdminGuard<'_> {
    /// Locks the catalog for writing. A caller that has locked the catalog may lock the state of a
    /// region, but not the other way round.
    pub(crate) fn catalog_mut(&self) -> CatalogGuard<'_> {
        self.cluster.catalog_mut()
    }
}

impl Deref for AdminGuard<'_> {
    type Target = Cluster;

    fn deref(&self) -> &Cluster {
        self.cluster
    }
}

impl Cluster {
    /// Locks the cluster for changes of tables. Whoever has locked the catalog, the backups or a
    /// region, or has locked this already, must not call this.
    pub(crate) fn lock_admin(&self) -> AdminGuard<'_> {
        AdminGuard { cluster: self, _lock: lock(&self.administration) }
    }
}
