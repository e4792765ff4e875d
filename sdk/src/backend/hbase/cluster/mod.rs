//! A connected cluster: the path of every operation from a table to a server and back.

use std::future::ready;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::Either;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::hedges::HedgeLimits;
use super::location::{Location, Server};
use super::lower::{
    self, EncodedRowOperation, Encoder, MissingTimestamps, OperationContext, ReplicaSelection,
};
use super::nonce::nonce;
use super::open_scanners::OpenScanners;
use super::operation_progress::{LostAttempt, OperationProgress, Verdict, into_outcome_unknown};
use super::reaction;
use super::recent_deletes::RecentDeletes;
use super::region::{LocateError, Locator, LookupTarget};
use super::registry::Registry;
use super::retry::{Attempts, CacheInvalidation, Wait, classify_lookup};
use super::rpc::{CallError, CellCompression, Connections, InFlight, Op, OpReply, Service, Share};
use crate::backend::core::{Core, UnansweredBytes};
use crate::backend::repeat::Idempotency;
use crate::config::address::HBaseUrl;
use crate::config::dialing::ReopenNotifier;
use crate::model::hosts::join;
use crate::observe::{Backpressure, Observer, Observers, RegionCacheEvent};
use crate::request::op::{BatchOutcome, CallTarget, RowOperation};
use crate::runtime::in_flight_limit::OP_OVERHEAD_BYTES;
use crate::wire::compression::{CLASSES_WITH_FEATURES, Codec};
use crate::{Compression, Config, Error, ErrorKind, Result, TableName};

pub(crate) struct Cluster {
    pub(crate) core: Core,
    pub(crate) servers: Arc<Connections>,
    pub(crate) locator: Locator,
    pub(crate) nonce_group: u64,
    pub(super) deletes: RecentDeletes,
    pub(super) hedges: HedgeLimits,
    /// The scanners that are open on servers.
    pub(crate) scanners: Arc<OpenScanners>,
}

/// A cluster has everything that connected stores have in common, and regions and servers in
/// addition.
impl Deref for Cluster {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}

impl Cluster {
    fn new(registry: Registry, config: Config, compression: Option<CellCompression>) -> Self {
        let nonce_group = nonce();
        let observers = Arc::new(Observers::new(config.observation.clone(), "hbase"));
        let reopened = Arc::<ReopenNotifier>::default();
        let servers = Connections::new(
            &config,
            nonce_group,
            compression,
            observers.clone(),
            reopened.clone(),
        );
        let servers = Arc::new(servers);
        Self {
            locator: Locator::new(
                registry,
                servers.clone(),
                config.meta_attempt_timeout.unwrap_or(config.attempt_timeout),
                observers.clone(),
            ),
            servers,
            nonce_group,
            deletes: RecentDeletes::new(),
            hedges: HedgeLimits::new(config.hedged_reads),
            scanners: Arc::default(),
            core: Core::new(config, observers, &reopened),
        }
    }

    /// Connects to the cluster at this address. If no cluster answers, the error contains the
    /// answer of each host.
    pub(crate) async fn connect(address: &str, url: HBaseUrl, config: Config) -> Result<Self> {
        let registry = Registry::new(url, &config);
        let codec = |class: &str| {
            let refused = |_| {
                Error::invalid(Compression::why_unusable(class, CLASSES_WITH_FEATURES))
                    .with_operation_if_unset("connect")
            };
            Codec::of_class(class).map_err(refused)
        };
        let compression = config.compression.as_deref().map(codec).transpose()?;
        let cluster = Self::new(registry, config, compression.map(CellCompression::new));
        let registry = cluster.locator.registry();
        let error = match registry.meta_location(&cluster.servers).await {
            // A cluster has answered; operations wait for `hbase:meta` as they do for any other
            // region.
            Ok(_) | Err(CallError::MetaNotOpen { .. }) => return Ok(cluster),
            Err(error) => error,
        };
        if let CallError::Unauthenticated { why } = error {
            let error = Error::new(ErrorKind::PermissionDenied, why);
            return Err(error.with_operation_if_unset("connect").on_server(registry.host_list()));
        }
        if let CallError::Exception(exception) = &error
            && error.refuses_client()
        {
            let error = reaction::error(ErrorKind::PermissionDenied, exception);
            return Err(error.with_operation_if_unset("connect").on_server(registry.host_list()));
        }
        let kind = match error {
            CallError::Protocol(_) => ErrorKind::Protocol,
            _ => ErrorKind::Unreachable,
        };
        let advice = registry.advice(&error);
        let text = format!("{address} does not answer as HBase does: {error}; {advice}");
        let error = Error::new(kind, text).caused_by(error);
        Err(error.with_operation_if_unset("connect").on_server(registry.host_list()))
    }

    /// Stops accepting new operations, waits until the deadline for those that are under way, and
    /// closes all connections. Returns the size in bytes of the operations that were not answered.
    pub(crate) async fn close(&self, deadline: Instant) -> UnansweredBytes {
        let left = self.core.drain(deadline).await;
        self.servers.abort_connections();
        left
    }

    /// Checks an operation without sending it; fails with the error that `run` would return for it
    /// before sending it.
    pub(crate) fn validate(&self, operation: RowOperation, to: &CallTarget<'_>) -> Result<()> {
        let mut encoder = Encoder::new(self.config.max_cell_bytes);
        lower::encode_operation(operation, to, &mut encoder).map(drop)
    }

    /// Executes one operation: locates its region, sends the operation, and tries again until it is
    /// answered or its deadline passes.
    ///
    /// This is not an async function, so that the future holds only what is sent, and not the
    /// operation as well.
    pub(crate) fn run(
        &self,
        operation: RowOperation,
        to: &CallTarget<'_>,
    ) -> impl Future<Output = Result<BatchOutcome>> + use<'_> {
        let mut encoder = Encoder::new(self.config.max_cell_bytes);
        let op = match lower::encode_operation(operation, to, &mut encoder) {
            Ok(op) => op,
            Err(error) => return Either::Left(ready(Err(error))),
        };
        Either::Right(self.run_encoded(op, to.table.clone(), to.timeout))
    }

    /// Executes one operation that is encoded already.
    pub(super) async fn run_encoded(
        &self,
        op: EncodedRowOperation,
        table: TableName,
        timeout: Duration,
    ) -> Result<BatchOutcome> {
        let EncodedRowOperation { about, op, undated } = op;
        let attempts = self.budgeted_attempts(about.name, &table, timeout).on_row(&about.row);
        let mut progress = OperationProgress::new(attempts);
        if about.idempotency != Idempotency::Read
            && let Some(until) = self.deletes.blocked_until(&about.row)
        {
            Box::pin(sleep_until(until.min(progress.attempts.deadline()))).await;
            progress.attempts.restart_first_attempt();
        }
        let answer = match undated {
            Some(undated) => {
                self.run_dated(&table, &about, op, undated, &mut progress).boxed().await
            }
            None => self.run_undated(&table, &about, op, &mut progress).await,
        };
        if answer.is_ok() {
            self.record_acknowledged(&about);
        }
        progress.finish(answer.map(lower::outcome), &table, &about, &self.servers)
    }

    /// Notes that an operation was acknowledged. If it deleted cells up to the server's time, later
    /// writes of its row may have to wait, so that the delete does not hide them.
    pub(super) fn record_acknowledged(&self, about: &OperationContext) {
        if about.deletes_until_server_time {
            self.deletes.record(&about.row);
        }
    }

    async fn run_undated(
        &self,
        table: &TableName,
        about: &OperationContext,
        op: Op,
        progress: &mut OperationProgress,
    ) -> Result<OpReply> {
        let bytes = OP_OVERHEAD_BYTES + op.size();
        let on = (table, &about.row);
        let permit =
            self.reserve_in_flight_bytes(bytes, about.waits, on, &mut progress.attempts).await?;
        let ticket = Arc::new(InFlight::new(op, Share::Own { _permit: permit }));
        // The future is on the heap: a waiting operation then has a small future. It has no named
        // type: otherwise the compiler would reach its recursion limit where callers nest their own
        // futures.
        self.run_attempts(table, about, &ticket, progress).boxed().await
    }

    /// Executes an operation with a timestamp from the client. No other write of the row gets the
    /// same timestamp while this operation may be sent.
    async fn run_dated(
        &self,
        table: &TableName,
        about: &OperationContext,
        mut op: Op,
        undated: MissingTimestamps,
        progress: &mut OperationProgress,
    ) -> Result<OpReply> {
        let is_conditional = op.condition.is_some();
        let mut timestamp =
            self.await_write_timestamp(&about.row, is_conditional, &mut progress.attempts).await?;
        undated.set_timestamp(&mut op, timestamp.time());
        let answer = self.run_undated(table, about, op, progress).await;
        match progress.attempts.count() {
            0 => timestamp.mark_unsent(),
            1 if answer.is_ok() && !undated.deletes => timestamp.mark_answered(),
            _ => {}
        }
        answer
    }

    /// Reserves `bytes` of the bytes that may be in flight, for an operation on `row` of `table`.
    /// If too few are free, waits until the deadline if `waits` is true, and fails at once
    /// otherwise.
    pub(super) async fn reserve_in_flight_bytes(
        &self,
        bytes: usize,
        waits: bool,
        (table, row): (&TableName, &Bytes),
        attempts: &mut Attempts,
    ) -> Result<OwnedSemaphorePermit> {
        if let Some(permit) = self.reserve(bytes, attempts)? {
            return Ok(permit);
        }
        let on = self.cached_server_address(table, row);
        // On the heap, so that operations that find enough free bytes have small futures.
        let on = (on.as_slice(), self.servers.region_server_count());
        Box::pin(self.await_in_flight_bytes(bytes, waits, on, attempts)).await
    }

    /// Sends an operation, and sends it again after failed attempts, until it is answered, fails
    /// with an error that is final, or its deadline passes.
    pub(super) async fn run_attempts(
        &self,
        table: &TableName,
        about: &OperationContext,
        ticket: &Arc<InFlight<Op>>,
        progress: &mut OperationProgress,
    ) -> Result<OpReply> {
        loop {
            progress.attempts.begin_attempt_keeping_first_start();
            if about.replicas != ReplicaSelection::Primary {
                match self.try_replicas_or_pause(table, about, ticket, progress).boxed().await? {
                    Some(reply) => return Ok(reply),
                    None => continue,
                }
            }
            let wanted = LookupTarget::Containing(&about.row);
            let failed = progress.failed.as_deref();
            let (location, mut begun) = match self.known(table, wanted, failed) {
                Some(location) => (location, progress.attempts.attempt_started_at()),
                // On the heap, so that operations on known regions have small futures.
                None => {
                    let attempts = &mut progress.attempts;
                    match Box::pin(self.look_up(table, wanted, failed, attempts)).await {
                        Ok(Some(location)) => (location, Instant::now()),
                        Ok(None) => continue,
                        Err(error) => return Err(progress.failure(error)),
                    }
                }
            };
            if about.idempotency == Idempotency::WithNonce
                && let Some(lost) = &progress.lost
                && !location.is_on(lost.at.server_address(), lost.at.start_code())
            {
                if !self.knows_nonce(lost, &location, &mut progress.attempts).boxed().await? {
                    continue;
                }
                progress.lost =
                    Some(LostAttempt { at: location.clone(), knows_nonce_from_log: true });
                begun = Instant::now();
            }
            progress.attempts.record_server(location.server_address());
            let answer = self.attempt(about, &location, (&progress.attempts, begun), ticket).await;
            match progress.judge(about, &location, answer) {
                Verdict::Done(reply) => return Ok(reply),
                Verdict::Failed(error) => return Err(error),
                Verdict::Again(error, wait, stale) => {
                    self.apply_invalidation(table, &location, &stale);
                    if let Err(error) = progress.attempts.wait_for_retry(error, wait).await {
                        return Err(progress.failure(error));
                    }
                }
            }
        }
    }

    /// How long an attempt of this operation may take.
    pub(super) fn attempt_timeout_of(&self, about: &OperationContext) -> Duration {
        self.attempt_timeout(about.idempotency, about.attempt_timeout)
    }

    /// Sends the operation once, in an attempt that began at `begun`.
    pub(super) async fn attempt(
        &self,
        about: &OperationContext,
        location: &Location,
        (attempts, begun): (&Attempts, Instant),
        ticket: &Arc<InFlight<Op>>,
    ) -> Result<OpReply, CallError> {
        let times = (begun, attempts.attempt_deadline(begun, self.attempt_timeout_of(about)));
        self.attempt_until(about, location, attempts, times, ticket).await
    }

    /// Sends the operation once, and waits for its answer until the deadline.
    pub(super) async fn attempt_until(
        &self,
        about: &OperationContext,
        location: &Location,
        attempts: &Attempts,
        (begun, deadline): (Instant, Instant),
        ticket: &Arc<InFlight<Op>>,
    ) -> Result<OpReply, CallError> {
        let connection =
            self.servers.connection(location.server_address(), Service::Client, deadline);
        let connection = connection.await?;
        if connection.is_full() {
            attempts.report_backpressure(Backpressure::ConnectionQueue);
            if !about.waits {
                return Err(CallError::Full);
            }
        }
        let routed = (location.name_bytes(), about.priority, attempts.trace_context());
        connection.send_op(ticket, routed, (begun, deadline)).await
    }

    /// Determines whether the server at `now`, which holds the region now, knows the nonce of an
    /// operation that was sent to the server at `lost`. It knows the nonce only if it recovered the
    /// region from the log of the server at `lost`. Returns true if it knows the nonce; fails if it
    /// does not. If this cannot be determined, returns false after a pause.
    async fn knows_nonce(
        &self,
        lost: &LostAttempt,
        now: &Location,
        attempts: &mut Attempts,
    ) -> Result<bool> {
        let LostAttempt { at, knows_nonce_from_log } = lost;
        let moved = |how: &str| {
            let text = format!("the region {how} {} before the reply arrived", at.server_address());
            let error = Error::new(ErrorKind::OutcomeUnknown, text).on_server(at.server_address());
            Err(into_outcome_unknown(error.in_region(&at.name_bytes())))
        };
        if *knows_nonce_from_log {
            // A server does not log again what it recovers from the log of another server.
            return moved("was recovered on, and has left,");
        }
        let timeout = attempts.left(self.config.attempt_timeout);
        let (server, error) =
            match self.servers.still_runs(at.server_address(), at.start_code(), timeout).await {
                Ok(true) => return moved("moved from"),
                Ok(false) => match self.locator.is_recovered(at, now).await {
                    Ok(true) => return Ok(true),
                    Ok(false) => return moved("was not only recovered from"),
                    Err(error) => match classify_lookup(error) {
                        Ok((error, _)) => (self.locator.meta_server(), error.to_string()),
                        Err(error) => return Err(into_outcome_unknown(error)),
                    },
                },
                Err(error) => (at.server_address().clone(), error.to_string()),
            };
        let text = format!(
            "it could not be determined whether {} still runs: {error}",
            at.server_address()
        );
        let error = Error::new(ErrorKind::Unreachable, text).on_server(server);
        attempts.wait_for_retry(error, Wait::Backoff).await.map_err(into_outcome_unknown)?;
        Ok(false)
    }

    /// Returns the location of the region; `None` after a pause if the location is not known yet.
    /// `failed` is a location whose server just reported that it does not have the region.
    pub(crate) async fn locate_or_pause(
        &self,
        table: &TableName,
        wanted: LookupTarget<'_>,
        failed: Option<&Location>,
        attempts: &mut Attempts,
    ) -> Result<Option<Arc<Location>>> {
        match self.known(table, wanted, failed) {
            Some(location) => Ok(Some(location)),
            // On the heap, so that operations on known regions have small futures.
            None => self.look_up(table, wanted, failed, attempts).boxed().await,
        }
    }

    /// Returns the known location of the region, unless it equals `failed`.
    fn known(
        &self,
        table: &TableName,
        wanted: LookupTarget<'_>,
        failed: Option<&Location>,
    ) -> Option<Arc<Location>> {
        let known = self.locator.cached(table, wanted)?;
        if failed == Some(&*known) {
            return None;
        }
        self.observers.region_cache_used(table, RegionCacheEvent::Hit);
        Some(known)
    }

    async fn look_up(
        &self,
        table: &TableName,
        wanted: LookupTarget<'_>,
        failed: Option<&Location>,
        attempts: &mut Attempts,
    ) -> Result<Option<Arc<Location>>> {
        match self.look_up_once(table, wanted, failed, attempts.deadline()).await {
            Some(Ok(location)) => Ok(Some(location)),
            Some(Err(error)) => {
                let (error, wait) = classify_lookup(error)?;
                attempts.wait_for_retry(error, wait).await.map(|()| None)
            }
            None => Err(self.lookup_timeout_error(attempts)),
        }
    }

    /// Looks up the location of a region once; returns `None` if the deadline passes.
    pub(super) async fn look_up_once(
        &self,
        table: &TableName,
        wanted: LookupTarget<'_>,
        failed: Option<&Location>,
        deadline: Instant,
    ) -> Option<Result<Arc<Location>, LocateError>> {
        self.observers.region_cache_used(table, RegionCacheEvent::Miss);
        let located = timeout_at(deadline, async {
            let location = self.locator.locate(table, wanted, failed).await?;
            if failed == Some(&*location) {
                // `hbase:meta` still reports the region at the failed location: perhaps the region
                // is closed because the table is disabled.
                self.locator.check_enabled(table).await?;
            }
            Ok(location)
        });
        located.await.ok()
    }

    /// Returns the error of an operation whose deadline passed while its region was looked up.
    pub(super) fn lookup_timeout_error(&self, attempts: &mut Attempts) -> Error {
        attempts
            .timeout_error(&self.locator.meta_server(), "hbase:meta, asked where the region is,")
    }

    /// Returns the address (`host:port`) of the server that holds a row, if it is known.
    pub(crate) fn cached_server_address(&self, table: &TableName, row: &[u8]) -> Option<Arc<str>> {
        let location = self.locator.cached(table, LookupTarget::Containing(row))?;
        Some(location.server_address().clone())
    }

    /// Updates the cache with what a failed call reports about the location of regions.
    pub(crate) fn apply_invalidation(
        &self,
        table: &TableName,
        location: &Location,
        stale: &CacheInvalidation,
    ) {
        let cache = self.locator.cache();
        match stale {
            CacheInvalidation::Nothing => {}
            CacheInvalidation::Region => {
                cache.evict(table, location);
                self.observers.region_cache_used(table, RegionCacheEvent::Forgotten);
            }
            CacheInvalidation::Server => {
                cache.evict_server(location.server_address(), location.start_code());
                self.observers.region_cache_used(table, RegionCacheEvent::ServerForgotten);
            }
            CacheInvalidation::Moved { host, port, start_code, sequence } => {
                let server = Server::new(join(host, *port).into(), *start_code);
                cache.replace_moved(table, location, location.moved_to(server, *sequence));
                self.observers.region_cache_used(table, RegionCacheEvent::Moved);
            }
        }
    }
}

#[cfg(test)]
mod tests;
