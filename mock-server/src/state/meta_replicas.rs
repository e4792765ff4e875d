//! The replicas of `hbase:meta`. The primary replica is [`Cluster::meta`]; the catalog has the
//! secondary ones, beside those of other tables. No row of `hbase:meta` tells where they are: the
//! registry and ZooKeeper do.

use std::sync::Arc;

use tallrow_wire::proto::ServerName;

use super::Cluster;
use crate::base::lock;
use crate::regions::Region;

impl Cluster {
    /// The replicas of `hbase:meta`, the primary replica first.
    pub(crate) fn meta_replicas(&self) -> Vec<Arc<Region>> {
        let mut replicas = vec![Arc::clone(&self.meta)];
        replicas.extend(self.catalog().replicas_of(&self.meta));
        replicas
    }

    /// The replicas of `hbase:meta` that have been open, with their servers.
    pub(crate) fn meta_locations(&self) -> Vec<(Arc<Region>, ServerName)> {
        let replicas = self.meta_replicas();
        let servers = lock(&self.meta_servers);
        let located = replicas.into_iter().filter_map(|replica| {
            let server = servers.get(&replica.replica_id())?.clone();
            Some((replica, server))
        });
        located.collect()
    }

    /// Tells the registry and ZooKeeper that a replica of `hbase:meta` was opened on a server.
    pub(crate) fn note_meta_server(&self, replica: &Region, server: &ServerName) {
        lock(&self.meta_servers).insert(replica.replica_id(), server.clone());
        self.note_registry_change();
    }

    /// Returns the primary replica of a region, if it exists.
    pub(crate) fn primary_of(&self, region: &Region) -> Option<Arc<Region>> {
        match region.is_meta() {
            true => Some(Arc::clone(&self.meta)),
            false => self.catalog().regions.get(&region.primary_name()).cloned(),
        }
    }

    /// Returns regions of a table, which are primary replicas, with their secondary replicas.
    pub(crate) fn with_replicas(&self, primaries: Vec<Arc<Region>>) -> Vec<Arc<Region>> {
        let catalog = self.catalog();
        let with_replicas = primaries.into_iter().flat_map(|primary| {
            let replicas = catalog.replicas_of(&primary);
            std::iter::once(primary).chain(replicas)
        });
        with_replicas.collect()
    }
}
