//! Where a scan reads: the location of a replica of a region, with the location of the primary
//! replica.

use std::sync::Arc;

use crate::backend::hbase::location::Location;

/// The replica of a region from which rows are requested.
#[derive(Clone)]
pub(super) struct ReplicaTarget {
    pub(super) location: Arc<Location>,
    /// The location of the primary replica.
    primary: Arc<Location>,
}

impl ReplicaTarget {
    pub(super) fn primary(primary: Arc<Location>) -> Self {
        Self { location: primary.clone(), primary }
    }

    /// The target at a secondary replica of the same region.
    pub(super) fn secondary(&self, replica: Location) -> Self {
        Self { location: Arc::new(replica), primary: self.primary.clone() }
    }

    pub(super) fn is_secondary(&self) -> bool {
        !Arc::ptr_eq(&self.location, &self.primary)
    }

    /// The location of the primary replica.
    pub(super) fn primary_location(&self) -> &Location {
        &self.primary
    }
}
