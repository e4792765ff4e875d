//! What the connections of a server share.

use std::sync::Arc;

use super::call_counts::CallCounts;
use crate::faults::FaultInjector;
use crate::state::{Cluster, Server};

/// The RPC server of one server of the cluster.
#[derive(Clone, Debug)]
pub(crate) struct RpcServer {
    /// The cluster.
    pub(crate) cluster: Arc<Cluster>,
    /// The server.
    pub(crate) server: Arc<Server>,
    /// The faults of the cluster.
    pub(crate) faults: Arc<FaultInjector>,
    /// The calls of the cluster.
    pub(crate) calls: Arc<CallCounts>,
}
