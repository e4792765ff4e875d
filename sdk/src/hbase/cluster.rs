//! A connected cluster: the path of every operation from a table to a server and back.

use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::Either;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::location::Location;
use super::lower::{self, Idempotency, MutationContext, RowOp};
use super::region::{Locator, Lookup};
use super::registry::Registry;
use super::retry::{Attempts, CacheInvalidation, RetryDecision, Wait, classify, classify_lookup};
use super::rpc::{CallError, Op, OpReply, Servers, Service, Ticket};
use super::table_name;
use crate::op::{Outcome, RowOperation, Target};
use crate::url::HBaseUrl;
use crate::write_clock::WriteClock;
use crate::{Config, Error, ErrorKind, Result, TableName};

/// What each operation counts at least towards the bytes in flight.
const OP_BYTES: usize = 512;

pub(crate) struct Cluster {
    pub(crate) config: Config,
    pub(crate) servers: Arc<Servers>,
    pub(crate) locator: Locator,
    pub(crate) nonce_group: u64,
    clock: WriteClock,
    in_flight: Arc<Semaphore>,
}

impl Cluster {
    fn new(registry: Registry, config: Config) -> Self {
        let servers = Arc::new(Servers::new(&config));
        let bytes = config.in_flight_bytes.clamp(OP_BYTES, Semaphore::MAX_PERMITS);
        Self {
            locator: Locator::new(registry, servers.clone(), config.attempt_timeout),
            servers,
            nonce_group: nonce(),
            clock: WriteClock::new(),
            in_flight: Arc::new(Semaphore::new(bytes)),
            config,
        }
    }

    /// The cluster at this address. If none answers, the error has the answer of each host.
    pub(crate) async fn connect(address: &str, url: HBaseUrl, config: Config) -> Result<Self> {
        let registry = Registry::new(url, &config);
        let cluster = Self::new(registry, config);
        let registry = cluster.locator.registry();
        let meta = registry.meta_location(&cluster.servers).await;
        meta.map_err(|error| {
            let kind = match error {
                CallError::Protocol(_) => ErrorKind::Protocol,
                _ => ErrorKind::Unreachable,
            };
            let advice = registry.advice(&error);
            Error::new(kind, format!("{address} does not answer as HBase does: {error}; {advice}"))
                .during("connect")
                .on_server(registry.hosts())
                .caused_by(error)
        })?;
        Ok(cluster)
    }

    pub(crate) fn attempts(&self, operation: &'static str, timeout: Duration) -> Attempts {
        Attempts::new(operation, self.config.pause, timeout)
    }

    /// Does one operation: locates its region, sends it, and tries again until it is answered or its deadline passes.
    ///
    /// Not an async function, and no future in a variable of another one: each would be in the future twice, and a batch
    /// copies the futures of its operations.
    pub(crate) fn run(
        &self,
        operation: RowOperation,
        to: &Target<'_>,
    ) -> impl Future<Output = Result<Outcome>> + use<'_> {
        let context =
            MutationContext { max_cell_bytes: self.config.max_cell_bytes, nonce: nonce() };
        let mut op = match lower::lower(operation, to, context) {
            Ok(op) => op,
            Err(error) => return Either::Left(ready(Err(error))),
        };
        Either::Right(async move {
            let mut attempts = self.attempts(op.name, op.timeout);
            let answer = match op.undated.is_some() {
                true => Box::pin(self.run_dated(&mut op, &mut attempts)).await,
                false => self.run_undated(&op, &mut attempts).await,
            };
            let failed = |e| attempts.finish(e).on_table(&op.table).on_row(&op.row);
            answer.map(lower::outcome).map_err(failed)
        })
    }

    async fn run_undated(&self, op: &RowOp, attempts: &mut Attempts) -> Result<OpReply> {
        let ticket = self.reserve(op, attempts).await?;
        // On the heap, so that the future of a waiting operation is small.
        Box::pin(self.run_until(op, attempts, &ticket)).await
    }

    /// With a time from the client, which no other write of the row gets while this one may be sent.
    async fn run_dated(&self, op: &mut RowOp, attempts: &mut Attempts) -> Result<OpReply> {
        let row = op.row.clone();
        let turn = timeout_at(attempts.deadline(), self.clock.turn(&row, op.condition.is_some()));
        let Ok(mut turn) = turn.await else {
            let text =
                format!("earlier writes of the row were not answered within {}", attempts.limit());
            return Err(Error::new(ErrorKind::Busy, text));
        };
        op.date(turn.time());
        let wait = WriteClock::wait(turn.time());
        if !wait.is_zero() {
            sleep_until(attempts.deadline().min(Instant::now() + wait)).await;
        }
        let answer = self.run_undated(op, attempts).await;
        let deletes = op.undated.as_ref().is_some_and(|undated| undated.deletes);
        if answer.is_ok() && attempts.made() == 1 && !deletes {
            turn.answered();
        }
        answer
    }

    /// Waits until the operation's bytes may be in flight.
    async fn reserve(&self, op: &RowOp, attempts: &Attempts) -> Result<Arc<Ticket>> {
        if attempts.is_spent() {
            return Err(Error::new(ErrorKind::Timeout, "there was no time left to send it"));
        }
        let bytes = OP_BYTES + op.request.size() + op.cells.len();
        let bytes = u32::try_from(bytes.min(self.config.in_flight_bytes)).unwrap_or(u32::MAX);
        if let Ok(permit) = self.in_flight.clone().try_acquire_many_owned(bytes) {
            return Ok(Arc::new(Ticket::new(permit)));
        }
        let permit = self.in_flight.clone().acquire_many_owned(bytes);
        match timeout_at(attempts.deadline(), permit).await {
            Ok(Ok(permit)) if !attempts.is_spent() => Ok(Arc::new(Ticket::new(permit))),
            _ => Err(Error::new(
                ErrorKind::Busy,
                format!(
                    "it was not sent within {}: operations of {} bytes are in flight and have no answer yet; start \
                     fewer at a time, or raise in_flight_bytes",
                    attempts.limit(),
                    self.config.in_flight_bytes
                ),
            )),
        }
    }

    async fn run_until(
        &self,
        op: &RowOp,
        attempts: &mut Attempts,
        ticket: &Arc<Ticket>,
    ) -> Result<OpReply> {
        let mut failed: Option<Arc<Location>> = None;
        // The location it was sent to without an answer: from then on it may have taken effect.
        let mut lost: Option<Arc<Location>> = None;
        loop {
            attempts.begin();
            let located = self
                .locate(&op.table, Lookup::Containing(&op.row), failed.as_deref(), attempts)
                .await;
            let location = match located {
                Ok(Some(location)) => location,
                Ok(None) => continue,
                Err(error) => return Err(unknown_if(lost.is_some(), op.idempotency, error)),
            };
            if let Some(lost) = lost.as_deref().filter(|_| op.idempotency == Idempotency::WithNonce)
                && !location.is_on(&lost.server, lost.start_code)
                && !Box::pin(self.has_ended(lost, attempts)).await?
            {
                continue;
            }
            let answer = self.attempt(op, &location, attempts, ticket).await;
            let error = match answer {
                // The server may have recognized the operation, and then its answer is the current row.
                Ok(reply) if lost.is_some() => return Ok(OpReply { cells: Vec::new(), ..reply }),
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            };
            if error.may_have_happened() && op.idempotency != Idempotency::Read {
                lost = Some(location.clone());
            }
            let thrown = matches!(error, CallError::Exception(_));
            match classify(error, &location.server).in_region(&location.region) {
                RetryDecision::Fail(error) => {
                    return Err(unknown_if(lost.is_some(), op.idempotency, error));
                }
                RetryDecision::Again(error, _, _)
                    if lost.is_some() && op.idempotency == Idempotency::Never =>
                {
                    return Err(unknown(error));
                }
                RetryDecision::Again(error, wait, stale) => {
                    self.forget(&op.table, &location, &stale);
                    failed = (thrown && stale == CacheInvalidation::Region).then_some(location);
                    if let Err(error) = attempts.again(error, wait).await {
                        return Err(if lost.is_some() { unknown(error) } else { error });
                    }
                }
            }
        }
    }

    /// Sends the operation once.
    async fn attempt(
        &self,
        op: &RowOp,
        location: &Location,
        attempts: &Attempts,
        ticket: &Arc<Ticket>,
    ) -> Result<OpReply, CallError> {
        let begun = Instant::now();
        let deadline = attempts.deadline_of(begun, self.config.attempt_timeout);
        let connection = self.servers.connection(&location.server, Service::Client, deadline);
        let connection = connection.await?;
        let sent = Op {
            request: op.request.clone(),
            region: location.region.clone(),
            cells: op.cells.clone(),
            condition: op.condition.clone(),
            nonce_group: self.nonce_group,
            high_priority: table_name::is_system(&op.table),
        };
        connection.op(sent, (begun, deadline), ticket).await
    }

    /// Whether the server that has the nonce of an operation has ended, so that the nonce moved with the region; false
    /// after a pause if that could not be determined.
    async fn has_ended(&self, lost: &Location, attempts: &mut Attempts) -> Result<bool> {
        let timeout = attempts.left(self.config.attempt_timeout);
        match self.servers.still_runs(&lost.server, lost.start_code, timeout).await {
            Ok(false) => Ok(true),
            Ok(true) => {
                let text =
                    format!("the region moved from {} before the reply arrived", lost.server);
                let error = Error::new(ErrorKind::OutcomeUnknown, text);
                Err(unknown(error.on_server(&lost.server)))
            }
            Err(error) => {
                let text = format!(
                    "it could not be determined whether {} is still running: {error}",
                    lost.server
                );
                let error = Error::new(ErrorKind::Unreachable, text).on_server(&lost.server);
                attempts.again(error, Wait::Backoff).await.map_err(unknown)?;
                Ok(false)
            }
        }
    }

    /// The location of the region; `None` after a pause if it is not known yet. `failed` is a location whose server
    /// just reported that it does not have the region.
    pub(crate) async fn locate(
        &self,
        table: &TableName,
        wanted: Lookup<'_>,
        failed: Option<&Location>,
        attempts: &mut Attempts,
    ) -> Result<Option<Arc<Location>>> {
        match self.locator.known(table, wanted) {
            Some(location) if failed != Some(&*location) => Ok(Some(location)),
            // On the heap, so that operations on known regions have small futures.
            _ => Box::pin(self.look_up(table, wanted, failed, attempts)).await,
        }
    }

    async fn look_up(
        &self,
        table: &TableName,
        wanted: Lookup<'_>,
        failed: Option<&Location>,
        attempts: &mut Attempts,
    ) -> Result<Option<Arc<Location>>> {
        let located = timeout_at(attempts.deadline(), async {
            let location = self.locator.locate(table, wanted).await?;
            if failed == Some(&*location) {
                // `hbase:meta` still reports it there: perhaps it is closed because the table is disabled.
                self.locator.check_enabled(table).await?;
            }
            Ok(location)
        });
        match located.await {
            Ok(Ok(location)) => Ok(Some(location)),
            Ok(Err(error)) => {
                let (error, wait) = classify_lookup(error)?;
                attempts.again(error, wait).await.map(|()| None)
            }
            Err(_) => {
                Err(attempts.late(&self.locator.asked(), "hbase:meta, asked where the region is,"))
            }
        }
    }

    /// Updates the cache with what a failed call reports about the location of regions.
    pub(crate) fn forget(&self, table: &TableName, location: &Location, stale: &CacheInvalidation) {
        let cache = self.locator.cache();
        match stale {
            CacheInvalidation::Nothing => {}
            CacheInvalidation::Region => cache.evict(table, location),
            CacheInvalidation::Server => cache.evict_server(&location.server, location.start_code),
            CacheInvalidation::Moved { host, port, start_code, sequence } => {
                let moved = Location {
                    server: format!("{host}:{port}").into(),
                    start_code: *start_code,
                    sequence: *sequence,
                    ..location.clone()
                };
                cache.follow(table, location, moved);
            }
        }
    }
}

/// A number by which a server recognizes a repeated request; 0 would mean none.
pub(crate) fn nonce() -> u64 {
    fastrand::u64(1..)
}

fn unknown_if(lost: bool, repeat: Idempotency, error: Error) -> Error {
    // With a nonce, the same server's refusal is about the first attempt too.
    let settled = repeat == Idempotency::WithNonce && error.exception().is_some();
    if lost && !settled { unknown(error) } else { error }
}

fn unknown(cause: Error) -> Error {
    let text = "it was sent and not answered; it may or may not be on the server";
    cause.into_unknown(text)
}
