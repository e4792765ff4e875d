//! Sends a call of a scan with its priority and timeout.

use std::time::Duration;

use super::replica_target::Place;
use crate::backend::hbase::cluster::Cluster;
use crate::backend::hbase::rpc::{Call, CallError, Service};
use crate::wire::cell_block::CellBlock;
use crate::wire::proto::{ScanRequest, ScanResponse};

/// The answer to a call for rows.
pub(super) type Response = Result<(ScanResponse, CellBlock), CallError>;

/// How a call for rows is sent.
#[derive(Clone, Copy)]
pub(super) struct Sending {
    pub(super) high_priority: bool,
    pub(super) priority: u32,
    pub(super) timeout: Duration,
}

impl Sending {
    pub(super) async fn call(self, cluster: &Cluster, at: &Place, param: &ScanRequest) -> Response {
        let Self { high_priority, priority, timeout } = self;
        let call = Call { method: "Scan", param, high_priority, timeout };
        let server = at.location.server();
        cluster.servers.call_at(server, Service::Client, call, priority).await
    }
}
