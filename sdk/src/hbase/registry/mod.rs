//! The registry of a cluster: which server holds `hbase:meta`, and which master is the active one.

mod answer;
mod hosts;
mod rpc;
mod zookeeper;

use std::sync::Arc;

use self::rpc::RpcRegistry;
use self::zookeeper::ZooKeeperRegistry;
use crate::Config;
use crate::hbase::location::Location;
use crate::hbase::rpc::{CallError, Servers};
use crate::url::HBaseUrl;

/// Asks ZooKeeper, or the servers themselves.
///
/// Each lookup takes no longer than the timeout, however many hosts are silent; callers with less time cut it short.
pub(crate) enum Registry {
    ZooKeeper(ZooKeeperRegistry),
    Rpc(RpcRegistry),
}

impl Registry {
    /// The registry at an address.
    pub(crate) fn new(url: HBaseUrl, config: &Config) -> Self {
        let timeout = config.connect_timeout;
        match url {
            HBaseUrl::ZooKeeper { quorum, znode } => {
                let connector = config.connector.clone();
                Self::ZooKeeper(ZooKeeperRegistry::new(quorum, znode, timeout, connector))
            }
            HBaseUrl::Rpc { servers } => Self::Rpc(RpcRegistry::new(servers, timeout)),
        }
    }

    /// The hosts it asks, as text: `host:port,host:port`.
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
