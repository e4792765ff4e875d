//! A scanner that is open on a server: the requests for its pages, the renewal of its lease, and
//! how it is closed.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::replica_target::ReplicaTarget;
use crate::TableName;
use crate::backend::hbase::cluster::Cluster;
use crate::backend::hbase::open_scanners::{ListedScanner, OpenScanners, ScannerRegistration};
use crate::backend::hbase::rpc::{Call, CallError, Service};
use crate::wire::proto::{ScanRequest, ScanResponse};

/// How long closing a scanner may take; the server closes it by itself when its lease ends.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// The lease that is assumed if a server does not report it: the default of
/// `hbase.client.scanner.timeout.period`.
const LEASE: Duration = Duration::from_secs(60);

/// A scanner that is open on a server.
pub(super) struct OpenScanner {
    pub(super) at: ReplicaTarget,
    id: u64,
    next_seq: u64,
    lease: Duration,
    _listing: ScannerRegistration,
}

impl OpenScanner {
    /// Makes the scanner that a call has opened on a region of `table`, and adds it to the list of
    /// open scanners.
    pub(super) fn new(
        at: ReplicaTarget,
        response: &ScanResponse,
        (table, open_scanners): (&TableName, &Arc<OpenScanners>),
    ) -> Self {
        let lease = response.ttl.filter(|ttl| *ttl > 0);
        let id = response.scanner_id.unwrap_or(0);
        let (table, server) = (table.clone(), at.location.server_address().clone());
        let since = Instant::now();
        Self {
            at,
            id,
            _listing: open_scanners.register(ListedScanner { table, server, id, since }),
            next_seq: 0,
            lease: lease.map_or(LEASE, |ttl| Duration::from_millis(ttl.into())),
        }
    }

    /// How long the scanner may be left without a call: a call right after that time still arrives
    /// well before the lease ends.
    pub(super) fn idle_limit(&self) -> Duration {
        self.lease / 3
    }

    /// Adds the id of the scanner and the sequence number of the call to a request for the next
    /// page.
    pub(super) fn next_request(&self, request: ScanRequest) -> ScanRequest {
        ScanRequest { scanner_id: Some(self.id), next_call_seq: Some(self.next_seq), ..request }
    }

    /// Notes that a call was answered, so that the next call has the next sequence number.
    pub(super) fn record_answer(&mut self) {
        self.next_seq += 1;
    }

    /// Renews the lease of the scanner. If that fails, it is not known which sequence number the
    /// next call must have.
    pub(super) async fn renew(
        &mut self,
        cluster: &Cluster,
        timeout: Duration,
    ) -> Result<(), CallError> {
        let renew =
            ScanRequest { renew: Some(true), number_of_rows: Some(0), ..Default::default() };
        let request = self.next_request(renew);
        let call = Call { method: "Scan", param: &request, high_priority: true, timeout };
        let server = self.at.location.server_address();
        let _: (ScanResponse, _) = cluster.servers.call(server, Service::Client, call).await?;
        self.record_answer();
        Ok(())
    }

    /// Closes the scanner in the background.
    pub(super) fn close(self, cluster: &Arc<Cluster>) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let cluster = cluster.clone();
        runtime.spawn(async move {
            let request = ScanRequest {
                scanner_id: Some(self.id),
                close_scanner: Some(true),
                number_of_rows: Some(0),
                ..Default::default()
            };
            let call = Call {
                method: "Scan",
                param: &request,
                high_priority: true,
                timeout: CLOSE_TIMEOUT,
            };
            // An error is ignored: a scanner that the server no longer has is closed too.
            let _ = cluster
                .servers
                .call::<_, ScanResponse>(self.at.location.server_address(), Service::Client, call)
                .await;
        });
    }
}
