//! The registry of a cluster, from which a client gets the id of the cluster, the server of
//! `hbase:meta` and the active master.

mod answer;
mod ask_hosts;
mod rpc;
mod zookeeper;

use std::sync::Arc;

use self::rpc::RpcRegistry;
use self::zookeeper::ZooKeeperRegistry;
use crate::Config;
use crate::backend::hbase::location::Location;
use crate::backend::hbase::rpc::{CallError, Connections};
use crate::config::address::HBaseUrl;

/// The exceptions of a server that is too old for a call: the first if the server does not know the
/// service, the second if it does not know the method.
const UNKNOWN_CALL: [&str; 2] = ["UnknownServiceException", "UnsupportedOperationException"];

/// The registry of a cluster, which is read from ZooKeeper or from the servers themselves.
///
/// Each lookup takes at most the connect timeout, however many hosts are silent. A caller that has
/// less time stops waiting earlier.
pub(crate) enum Registry {
    ZooKeeper(ZooKeeperRegistry),
    Rpc(RpcRegistry),
}

impl Registry {
    /// Makes the registry for the address of a cluster.
    pub(crate) fn new(url: HBaseUrl, config: &Config) -> Self {
        let timeout = config.connect_timeout;
        match url {
            HBaseUrl::ZooKeeper { quorum, znode } => {
                let connector = config.host_overrides.wrap(config.connector.clone());
                let times = (timeout, config.failed_server_expiry);
                Self::ZooKeeper(ZooKeeperRegistry::new(quorum, znode, times, connector))
            }
            HBaseUrl::Rpc { servers } => Self::Rpc(RpcRegistry::new(servers, timeout)),
        }
    }

    /// Returns advice for the user when reading the registry failed with `error`.
    pub(crate) fn advice(&self, error: &CallError) -> &'static str {
        let text = error.to_string();
        let is_unknown = |class: &&str| text.contains(*class);
        if UNKNOWN_CALL.iter().any(is_unknown) {
            return "a server answered, and does not know this call of the registry, which masters have since HBase 2.3 and \
                    region servers since 2.5: name its masters, or its ZooKeeper as hbase+zk://host:port/znode; in files, \
                    hbase.client.registry.impl chooses it, as ZKConnectionRegistry";
        }
        if text.contains("\"HTTP") {
            return "this is a web server: the usual ports are 2181 for hbase+zk://, and 16000 or 16020 for hbase+rpc://";
        }
        let answered = matches!(error, CallError::Protocol(_) | CallError::Broken { .. });
        match (answered, matches!(self, Self::ZooKeeper(_))) {
            (true, true) => {
                "hbase+zk:// expects ZooKeeper; if this is a master or a region server, write hbase+rpc://"
            }
            (true, false) => {
                "hbase+rpc:// expects masters or region servers; if this is ZooKeeper, write hbase+zk://"
            }
            (false, true) => {
                "check that ZooKeeper runs there; `Config::connect_timeout` limits how long to wait"
            }
            (false, false) => {
                "check that a master or region server runs there; `Config::connect_timeout` limits how long to wait"
            }
        }
    }

    /// The kind of the registry: `zookeeper` or `rpc`.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::ZooKeeper(_) => "zookeeper",
            Self::Rpc(_) => "rpc",
        }
    }

    /// The hosts that the registry asks, as text: `host:port,host:port`.
    pub(crate) fn host_list(&self) -> Arc<str> {
        match self {
            Self::ZooKeeper(registry) => registry.host_list(),
            Self::Rpc(registry) => registry.host_list(),
        }
    }

    pub(crate) async fn meta_location(
        &self,
        servers: &Arc<Connections>,
    ) -> Result<Location, CallError> {
        match self {
            Self::ZooKeeper(registry) => registry.meta_location().await,
            Self::Rpc(registry) => registry.meta_location(servers).await,
        }
    }

    /// Notes that the cluster works: now it can tell which servers it has, unless it was asked a
    /// short time ago. ZooKeeper is not asked, because its members do not change.
    pub(crate) fn note_success(&self, servers: &Arc<Connections>) {
        if let Self::Rpc(registry) = self {
            registry.learn(servers);
        }
    }

    /// Asks for the id of the cluster, which stays the same as long as the data of the cluster is
    /// kept.
    pub(crate) async fn cluster_id(&self, servers: &Arc<Connections>) -> Result<String, CallError> {
        match self {
            Self::ZooKeeper(registry) => registry.cluster_id().await,
            Self::Rpc(registry) => registry.cluster_id(servers).await,
        }
    }

    /// Asks for the address of the active master.
    pub(crate) async fn active_master(
        &self,
        servers: &Arc<Connections>,
    ) -> Result<Arc<str>, CallError> {
        match self {
            Self::ZooKeeper(registry) => registry.active_master().await,
            Self::Rpc(registry) => registry.active_master(servers).await,
        }
    }
}
