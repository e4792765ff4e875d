//! Reads that any replica may answer: the primary replica is asked first, the secondary replicas
//! are asked when the primary is late or has failed, and the first answer is used.

use std::pin::pin;
use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::time::{Instant, sleep_until};

use super::cluster::Cluster;
use super::location::Location;
use super::lower::{OperationContext, ReplicaSelection};
use super::operation_progress::{OperationProgress, Verdict};
use super::region::LookupTarget;
use super::retry::{Attempts, CacheInvalidation, RetryDecision, Wait, classify};
use super::rpc::{CallError, InFlight, Op, OpReply};
use crate::observe::{Observer, RegionCacheEvent, ReplicaEvent};
use crate::{Error, ErrorKind, Result, TableName};

/// Why the client asks secondary replicas: the state of the primary replica.
enum Primary {
    /// It has not answered yet.
    Late,
    /// It failed, so that no answer is expected from it.
    Failed(CallError),
}

impl Cluster {
    /// Returns the location of a region for a read that its secondary replicas may answer. This is
    /// the known location even if the server of the primary replica is gone, so that the read does
    /// not wait until another server holds the primary replica.
    pub(crate) async fn locate_for_replica_read_or_pause(
        &self,
        table: &TableName,
        wanted: LookupTarget<'_>,
        failed: Option<&Location>,
        attempts: &mut Attempts,
    ) -> Result<Option<Arc<Location>>> {
        let known = match wanted {
            LookupTarget::Containing(row) => self.locator.cache().get_even_if_gone(table, row),
            LookupTarget::Preceding(_) => None,
        };
        match known.filter(|known| !known.replicas().is_empty() && failed != Some(&**known)) {
            Some(location) => {
                self.observers.region_cache_used(table, RegionCacheEvent::Hit);
                if location.server().is_gone() {
                    self.refresh(table, &location);
                }
                Ok(Some(location))
            }
            None => self.locate_or_pause(table, wanted, failed, attempts).await,
        }
    }

    /// Makes one attempt of a read that secondary replicas may answer; returns `None` if another
    /// attempt is to be made.
    pub(super) async fn try_replicas_or_pause(
        &self,
        table: &TableName,
        about: &OperationContext,
        ticket: &Arc<InFlight<Op>>,
        progress: &mut OperationProgress,
    ) -> Result<Option<OpReply>> {
        let failed = progress.failed.as_deref();
        let wanted = LookupTarget::Containing(&about.row);
        let located = self
            .locate_for_replica_read_or_pause(table, wanted, failed, &mut progress.attempts)
            .await;
        let Some(primary) = located? else { return Ok(None) };
        let (location, answer) = match about.replicas {
            ReplicaSelection::Only(id) => {
                let Some(replica) = primary.replica(id) else {
                    self.refresh(table, &primary);
                    progress
                        .attempts
                        .wait_for_retry(no_replica(&primary, id), Wait::Backoff)
                        .await?;
                    return Ok(None);
                };
                progress.attempts.record_server(replica.server_address());
                let answer = self
                    .attempt(about, &replica, (&progress.attempts, Instant::now()), ticket)
                    .await;
                (Arc::new(replica), answer)
            }
            ReplicaSelection::Primary | ReplicaSelection::Any => {
                progress.attempts.record_server(primary.server_address());
                let attempts = &progress.attempts;
                let answer =
                    self.attempt_on_any_replica(table, about, &primary, attempts, ticket).await;
                let answer = answer.map(|(reply, server)| {
                    progress.attempts.record_server(&server);
                    reply
                });
                (primary.clone(), answer)
            }
        };
        match progress.judge(about, &location, answer) {
            Verdict::Done(reply) => {
                if reply.stale {
                    self.observers.replica_considered(table, ReplicaEvent::Stale);
                }
                Ok(Some(reply))
            }
            Verdict::Failed(error) => Err(error),
            Verdict::Again(error, wait, stale) => {
                match Arc::ptr_eq(&location, &primary) {
                    true => self.apply_invalidation(table, &location, &stale),
                    false => self.handle_replica_failure(table, &primary, (&location, &stale)),
                }
                progress.attempts.wait_for_retry(error, wait).await.map(|()| None)
            }
        }
    }

    /// Looks up a region in the background, because the location of one of its replicas failed;
    /// does nothing if that was done within the last second.
    pub(crate) fn refresh(&self, table: &TableName, location: &Location) {
        if self.hedges.try_start_refresh(location) {
            self.locator.refresh(table, location.start());
        }
    }

    /// Updates the cache with what a failed call to a primary replica reports. If the location is
    /// wrong, also looks up the region in the background, because the read itself does not look it
    /// up again.
    pub(crate) fn handle_primary_failure(
        &self,
        table: &TableName,
        location: &Location,
        stale: &CacheInvalidation,
    ) {
        self.apply_invalidation(table, location, stale);
        if matches!(stale, CacheInvalidation::Region | CacheInvalidation::Server) {
            self.refresh(table, location);
        }
    }

    /// Updates the cache with what a failed call to a secondary replica reports, and looks up the
    /// region in the background if the location of the replica is wrong.
    pub(crate) fn handle_replica_failure(
        &self,
        table: &TableName,
        primary: &Location,
        (replica, stale): (&Location, &CacheInvalidation),
    ) {
        match stale {
            CacheInvalidation::Nothing => {}
            CacheInvalidation::Server => {
                self.apply_invalidation(table, replica, stale);
                self.refresh(table, primary);
            }
            CacheInvalidation::Region | CacheInvalidation::Moved { .. } => {
                self.refresh(table, primary);
            }
        }
    }

    /// Sends a read to the primary replica, and to the secondary replicas if the primary is late or
    /// has failed. Returns the reply and the server that sent it; fails with the error of the
    /// primary replica.
    pub(super) async fn attempt_on_any_replica(
        &self,
        table: &TableName,
        about: &OperationContext,
        location: &Arc<Location>,
        attempts: &Attempts,
        ticket: &Arc<InFlight<Op>>,
    ) -> Result<(OpReply, Arc<str>), CallError> {
        self.hedges.count_read();
        let begun = Instant::now();
        let times = (begun, attempts.attempt_deadline(begun, self.attempt_timeout_of(about)));
        let late_at = begun + self.config.primary_get_timeout;
        let mut primary = pin!(self.attempt_until(about, location, attempts, times, ticket));
        let mut state = None;
        // If the server is gone, the cache has forgotten it already, and may know another location
        // of the region by now. This failure must then not change the cache again.
        let was_gone = location.server().is_gone();
        if was_gone {
            let why = format!("{} is gone", location.server_address());
            state = Some(Primary::Failed(CallError::Unreachable { why, refused: false }));
        }
        let mut asked = FuturesUnordered::new();
        let mut is_asked = false;
        loop {
            if let Some(state) = &state
                && !is_asked
            {
                is_asked = true;
                for replica in self.to_ask(table, location, state) {
                    let ticket = Arc::new(ticket.duplicate());
                    asked.push(async move {
                        let answer =
                            self.attempt_until(about, &replica, attempts, times, &ticket).await;
                        (replica, answer)
                    });
                }
            }
            if let Some(Primary::Failed(error)) = &state
                && asked.is_empty()
            {
                return Err(error.clone());
            }
            tokio::select! {
                biased;
                answer = &mut primary, if !matches!(state, Some(Primary::Failed(_))) => match answer {
                    Ok(reply) => return Ok((reply, location.server_address().clone())),
                    Err(error) => match classify(error.clone(), location.server_address()) {
                        RetryDecision::Fail(_) => return Err(error),
                        // If the limit prevented calls to the secondary replicas before, these are
                        // made now.
                        RetryDecision::Again(..) => {
                            is_asked = !asked.is_empty();
                            state = Some(Primary::Failed(error));
                        }
                    },
                },
                Some((replica, answer)) = asked.next() => match answer {
                    Ok(reply) => {
                        self.observers.replica_considered(table, ReplicaEvent::Won);
                        if let Some(Primary::Failed(error)) = state
                            && !was_gone
                            && let RetryDecision::Again(_, _, stale) =
                                classify(error, location.server_address())
                        {
                            self.handle_primary_failure(table, location, &stale);
                        }
                        return Ok((reply, replica.server_address().clone()));
                    }
                    Err(error) => {
                        let decision = classify(error, replica.server_address());
                        if let RetryDecision::Again(_, _, stale) = decision {
                            self.handle_replica_failure(table, location, (&replica, &stale));
                        }
                    }
                },
                () = sleep_until(late_at), if state.is_none() => state = Some(Primary::Late),
            }
        }
    }

    /// Returns the locations of the secondary replicas to ask now, in random order.
    fn to_ask(&self, table: &TableName, location: &Location, primary: &Primary) -> Vec<Location> {
        let mut replicas: Vec<_> = location.replicas().iter().collect();
        fastrand::shuffle(&mut replicas);
        let event = match primary {
            Primary::Late => ReplicaEvent::Hedged,
            Primary::Failed(_) => ReplicaEvent::FailedOver,
        };
        let mut asked = Vec::with_capacity(replicas.len());
        for replica in replicas {
            if replica.server.is_gone() {
                self.refresh(table, location);
                continue;
            }
            if matches!(primary, Primary::Late) && !self.hedges.try_take() {
                self.observers.replica_considered(table, ReplicaEvent::Limited);
                break;
            }
            self.observers.replica_considered(table, event);
            asked.extend(location.of_replica(replica));
        }
        asked
    }
}

/// Returns the error of a read of replica `id`, for which `hbase:meta` has no server.
pub(crate) fn no_replica(region: &Location, id: u16) -> Error {
    let text = format!(
        "hbase:meta has no server for replica {id} of the region, only for {} secondary ones; REGION_REPLICATION of the \
         table says how many there are",
        region.replicas().len()
    );
    Error::new(ErrorKind::Unreachable, text).in_region(&region.name_bytes())
}
