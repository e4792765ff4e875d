//! Calls for rows that any replica may answer: if the primary replica is late or has failed, a
//! scanner that starts after the last row is opened on a secondary replica. The first answer is
//! used, and the rest of the region is read from the replica that sent this answer.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use tokio::time::{Instant, sleep_until};

use super::open::OpenScanner;
use super::replica_target::ReplicaTarget;
use super::scanner::Scanner;
use super::sending::{ScanCallOptions, ScanResult};
use crate::TableName;
use crate::backend::hbase::cluster::Cluster;
use crate::backend::hbase::location::Replica;
use crate::backend::hbase::retry::{RetryDecision, classify};
use crate::backend::hbase::rpc::CallError;
use crate::observe::{Observer, ReplicaEvent};
use crate::wire::proto::ScanRequest;

/// A call that is under way, and that can be abandoned before it is answered.
struct Pending {
    cluster: Arc<Cluster>,
    table: TableName,
    at: ReplicaTarget,
    /// Whether the call opens a scanner.
    opens: bool,
    answer: BoxFuture<'static, ScanResult>,
}

impl Pending {
    fn start(
        scanner: &Scanner,
        at: ReplicaTarget,
        request: ScanRequest,
        sending: ScanCallOptions,
    ) -> Self {
        let (cluster, table) = (&scanner.cluster, scanner.table.clone());
        let opens = request.scanner_id.is_none();
        let (of_call, to) = (cluster.clone(), at.clone());
        let answer = Box::pin(async move { sending.call(&of_call, &to, &request).await });
        Self { cluster: cluster.clone(), table, at, opens, answer }
    }

    /// Abandons the call; if the call opens a scanner, the scanner is closed in the background.
    fn leave(self) {
        let Self { cluster, table, at, opens, answer } = self;
        if opens {
            tokio::spawn(async move {
                if let Ok((response, _)) = answer.await {
                    OpenScanner::new(at, &response, (&table, &cluster.scanners)).close(&cluster);
                }
            });
        }
    }
}

impl Scanner {
    /// Requests rows from the primary replica `at`, and from a secondary replica if the primary is
    /// late or has failed; sets `at` to the replica that answered. Fails with the error of the
    /// primary replica.
    pub(super) async fn call_any_replica(
        &mut self,
        at: &mut ReplicaTarget,
        request: ScanRequest,
        sending: ScanCallOptions,
    ) -> ScanResult {
        let cluster = self.cluster.clone();
        cluster.hedges.count_read();
        let late_at = Instant::now() + cluster.config.primary_scan_timeout;
        let opens = request.scanner_id.is_none();
        let mut primary = Pending::start(self, at.clone(), request, sending);
        let mut failed = None;
        // If the server is gone, the cache has forgotten it already, and may know another location
        // of the region by now. This failure must then not change the cache again.
        let was_gone = opens && at.location.server().is_gone();
        if was_gone {
            let why = format!("{} is gone", at.location.server_address());
            failed = Some(CallError::Unreachable { why, refused: false });
        }
        let mut replicas: Vec<_> = at.primary_location().replicas().to_vec();
        fastrand::shuffle(&mut replicas);
        let mut asked: Option<Pending> = None;
        let mut is_late = false;
        loop {
            if asked.is_none() && (is_late || failed.is_some()) {
                let next = self.next_replica(at, &mut replicas, failed.is_some());
                asked = next.map(|place| {
                    let request = self.open_request(&place, None);
                    Pending::start(self, place, request, sending)
                });
                if let (None, Some(error)) = (&asked, &failed) {
                    return Err(error.clone());
                }
            }
            let answer_of_replica = async {
                match &mut asked {
                    Some(asked) => (&mut asked.answer).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                answer = &mut primary.answer, if failed.is_none() => {
                    let error = match answer {
                        Ok(answer) => {
                            asked.into_iter().for_each(Pending::leave);
                            return Ok(answer);
                        }
                        Err(error) => error,
                    };
                    let decision = classify(error.clone(), at.location.server_address());
                    if let RetryDecision::Fail(_) = decision {
                        asked.into_iter().for_each(Pending::leave);
                        return Err(error);
                    }
                    failed = Some(error);
                }
                answer = answer_of_replica => {
                    let Some(place) = asked.take().map(|asked| asked.at) else { continue };
                    match answer {
                        Ok(answer) => {
                            cluster.observers.replica_considered(&self.table, ReplicaEvent::Won);
                            let server = at.location.server_address();
                            match failed.map(|error| classify(error, server)) {
                                Some(_) if was_gone => {}
                                Some(RetryDecision::Again(_, _, stale)) => {
                                    let primary = &at.location;
                                    cluster.handle_primary_failure(&self.table, primary, &stale);
                                }
                                _ => primary.leave(),
                            }
                            self.close_and_forget_read_point();
                            *at = place;
                            return Ok(answer);
                        }
                        Err(error) => {
                            let decision = classify(error, place.location.server_address());
                            if let RetryDecision::Again(_, _, stale) = decision {
                                let primary = at.primary_location();
                                let replica = (&*place.location, &stale);
                                cluster.handle_replica_failure(&self.table, primary, replica);
                            }
                        }
                    }
                }
                () = sleep_until(late_at), if !is_late => is_late = true,
            }
        }
    }

    /// Returns the next secondary replica to ask, if there is one: `failed` is true if the primary
    /// replica has failed, and false if it is late.
    fn next_replica(
        &self,
        at: &ReplicaTarget,
        replicas: &mut Vec<Replica>,
        failed: bool,
    ) -> Option<ReplicaTarget> {
        let cluster = &self.cluster;
        while let Some(replica) = replicas.pop() {
            if replica.server.is_gone() {
                cluster.refresh(&self.table, at.primary_location());
                continue;
            }
            if !failed && !cluster.hedges.try_take() {
                cluster.observers.replica_considered(&self.table, ReplicaEvent::Limited);
                // This replica is still asked if the primary replica fails.
                replicas.push(replica);
                return None;
            }
            let event = if failed { ReplicaEvent::FailedOver } else { ReplicaEvent::Hedged };
            cluster.observers.replica_considered(&self.table, event);
            if let Some(replica) = at.primary_location().of_replica(&replica) {
                return Some(at.secondary(replica));
            }
        }
        None
    }
}
