//! Sends a call of a scan with its priority and timeout.

use std::time::Duration;

use super::replica_target::ReplicaTarget;
use crate::backend::hbase::cluster::Cluster;
use crate::backend::hbase::rpc::{Call, CallError, Service};
use crate::wire::cell_block::CellBlock;
use crate::wire::proto::{ScanRequest, ScanResponse};

/// The answer to a call for rows.
pub(super) type ScanResult = Result<(ScanResponse, CellBlock), CallError>;

/// How a call for rows is sent.
#[derive(Clone, Copy)]
pub(super) struct ScanCallOptions {
    pub(super) high_priority: bool,
    pub(super) priority: u32,
    pub(super) timeout: Duration,
}

impl ScanCallOptions {
    pub(super) async fn call(
        self,
        cluster: &Cluster,
        at: &ReplicaTarget,
        param: &ScanRequest,
    ) -> ScanResult {
        let Self { high_priority, priority, timeout } = self;
        let call = Call { method: "Scan", param, high_priority, timeout };
        let server = at.location.server_address();
        cluster.servers.call_with_min_priority(server, Service::Client, call, priority).await
    }
}
