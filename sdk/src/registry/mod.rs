//! Where a cluster starts: which server holds `hbase:meta`, and which master is the active one.

mod hosts;
mod rpc;
mod zookeeper;

use std::sync::Arc;
use std::time::Duration;

use self::rpc::RpcRegistry;
use self::zookeeper::ZooKeeperRegistry;
use crate::region::Location;
use crate::rpc::{CallError, Servers};
use crate::url::Url;
use crate::wire::proto::{RegionInfo, ServerName};
use crate::wire::{meta::RegionRow, region};

/// Asks ZooKeeper, or the servers themselves.
///
/// Each lookup takes no longer than the timeout, however many hosts are silent; callers with less time cut it short.
pub(crate) enum Registry {
    ZooKeeper(ZooKeeperRegistry),
    Rpc(RpcRegistry),
}

impl Registry {
    pub(crate) fn zookeeper(quorum: Vec<String>, znode: String, timeout: Duration) -> Self {
        Self::ZooKeeper(ZooKeeperRegistry::new(quorum, znode, timeout))
    }

    pub(crate) fn rpc(servers: Vec<String>, timeout: Duration) -> Self {
        Self::Rpc(RpcRegistry::new(servers, timeout))
    }

    /// The registry an address names; none for `mock:`.
    pub(crate) fn from_url(url: Url, timeout: Duration) -> Option<Self> {
        match url {
            Url::ZooKeeper { quorum, znode } => Some(Self::zookeeper(quorum, znode, timeout)),
            Url::Rpc { servers } => Some(Self::rpc(servers, timeout)),
            Url::Mock => None,
        }
    }

    /// Whom it asks, for people: `host:port,host:port`.
    pub(crate) fn hosts(&self) -> Arc<str> {
        match self {
            Self::ZooKeeper(registry) => registry.names(),
            Self::Rpc(registry) => registry.names(),
        }
    }

    pub(crate) async fn meta_location(
        &self,
        servers: &Arc<Servers>,
    ) -> Result<Location, CallError> {
        match self {
            Self::ZooKeeper(registry) => registry.meta_location().await,
            Self::Rpc(registry) => registry.meta_location(servers).await,
        }
    }

    /// The address of the active master.
    pub(crate) async fn active_master(&self, servers: &Servers) -> Result<Arc<str>, CallError> {
        match self {
            Self::ZooKeeper(registry) => registry.active_master().await,
            Self::Rpc(registry) => registry.active_master(servers).await,
        }
    }
}

/// The location of `hbase:meta`, of which only the server ever differs.
fn meta_on(server: ServerName) -> Option<Location> {
    let info = RegionInfo {
        region_id: 1,
        table_name: region::table_name(b"hbase:meta"),
        ..Default::default()
    };
    Location::from_row(&RegionRow { info, server: Some(server), sequence: 0 })
}

fn not_told(who: &str, what: &str) -> CallError {
    CallError::Unreachable {
        why: format!("{who} knows no {what}; is the cluster still starting?"),
        refused: false,
    }
}
