//! A connected cluster: the path of every operation from a table to a server and back.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use prost::Message;
use tokio::sync::Semaphore;
use tokio::time::timeout_at;

use crate::op::Columns;
use crate::random::Random;
use crate::region::{LocateError, Location, Locator, Wanted};
use crate::registry::Registry;
use crate::retry::{Attempts, Stale, Verdict, Wait, judge};
use crate::rpc::{CallError, Op, OpReply, Request, Servers};
use crate::wire::proto;
use crate::{Config, Error, ErrorKind, Result, TableName};

/// What every operation counts for at least against the bytes in flight.
const OP_BYTES: usize = 512;

/// What may be done with an operation whose answer was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// It changes nothing.
    Read,
    /// Doing it twice is as good as once.
    Write,
    /// The server knows it by its nonce and does not do it twice, as long as it is the same server, or one that
    /// recovered its log.
    WithNonce,
    /// It may only be reported as unknown.
    Never,
}

/// One operation on one row, as plain data: what the retry loop works on.
#[derive(Clone, Debug)]
pub(crate) struct RowOp {
    pub(crate) name: &'static str,
    pub(crate) table: TableName,
    pub(crate) row: Bytes,
    pub(crate) request: Request,
    pub(crate) cells: Bytes,
    pub(crate) condition: Option<Bytes>,
    pub(crate) repeat: Repeat,
    pub(crate) timeout: Duration,
}

pub(crate) struct Cluster {
    pub(crate) config: Config,
    pub(crate) servers: Arc<Servers>,
    pub(crate) locator: Locator,
    pub(crate) random: Random,
    pub(crate) nonce_group: u64,
    in_flight: Arc<Semaphore>,
    #[cfg(feature = "mock")]
    mock: Option<tallrow_mock::MockCluster>,
}

impl Cluster {
    pub(crate) fn new(registry: Registry, config: Config) -> Self {
        let servers = Arc::new(Servers::new(&config));
        let random = Random::new();
        let bytes = config.in_flight_bytes.clamp(OP_BYTES, Semaphore::MAX_PERMITS);
        Self {
            locator: Locator::new(registry, servers.clone(), config.attempt_timeout),
            servers,
            nonce_group: random.nonce(),
            random,
            in_flight: Arc::new(Semaphore::new(bytes)),
            config,
            #[cfg(feature = "mock")]
            mock: None,
        }
    }

    /// A cluster in this process, which ends with the client.
    #[cfg(feature = "mock")]
    pub(crate) fn mock(mock: tallrow_mock::MockCluster, config: Config) -> Self {
        let registry = Registry::rpc(vec![mock.hbase_rpc().to_string()], config.connect_timeout);
        Self { mock: Some(mock), ..Self::new(registry, config) }
    }

    #[cfg(feature = "mock")]
    pub(crate) fn mock_cluster(&self) -> Option<&tallrow_mock::MockCluster> {
        self.mock.as_ref()
    }

    pub(crate) fn attempts(&self, operation: &'static str, timeout: Duration) -> Attempts<'_> {
        Attempts::new(operation, self.config.pause, timeout, &self.random)
    }

    /// Does one operation: locates, sends, and tries again until it is answered or its deadline passes.
    pub(crate) async fn run(&self, op: &RowOp) -> Result<OpReply> {
        let mut attempts = self.attempts(op.name, op.timeout);
        let answer = self.run_until(op, &mut attempts).await;
        let reply = answer.map_err(|e| attempts.finish(e).on_table(&op.table).on_row(&op.row))?;
        if op.repeat == Repeat::WithNonce && attempts.made() > 1 {
            let left = attempts.left(op.timeout);
            return self.complete(op, reply, left).await.map_err(|error| {
                // Whatever became of the read: who takes it for a failed write would write twice.
                let text = "it was applied, but its new values could not be read";
                let error = Error::new(ErrorKind::OutcomeUnknown, text).caused_by(error);
                attempts.finish(error).on_table(&op.table).on_row(&op.row)
            });
        }
        Ok(reply)
    }

    /// The answer to a repeated increment or append, with all of its values: the server recognised the nonce, and does
    /// not know the values of columns that were changed since.
    async fn complete(&self, op: &RowOp, reply: OpReply, timeout: Duration) -> Result<OpReply> {
        let mut columns = Columns::default();
        for message in op.request.messages() {
            // Increments and appends alone have their cells in the message.
            let mutation = proto::MutationProto::decode(message.clone())
                .map_err(|e| Error::new(ErrorKind::Protocol, e.to_string()))?;
            for column in &mutation.column_value {
                for value in &column.qualifier_value {
                    columns.column(&column.family, value.qualifier.as_deref().unwrap_or_default());
                }
            }
        }
        let known = |family: &[u8], qualifier: &[u8]| {
            reply.cells.iter().any(|c| c.family() == family && c.qualifier() == qualifier)
        };
        if columns.columns.iter().all(|c| c.qualifier.iter().all(|q| known(&c.family, q))) {
            return Ok(reply);
        }
        let get = proto::Get {
            row: op.row.clone(),
            column: columns.columns,
            max_versions: Some(1),
            ..Default::default()
        };
        let read = RowOp {
            request: Request::Get(get.encode_to_vec().into()),
            cells: Bytes::new(),
            repeat: Repeat::Read,
            timeout,
            ..op.clone()
        };
        Box::pin(self.run(&read)).await
    }

    async fn run_until(&self, op: &RowOp, attempts: &mut Attempts<'_>) -> Result<OpReply> {
        let bytes = OP_BYTES + op.request.size() + op.cells.len();
        let bytes = u32::try_from(bytes.min(self.config.in_flight_bytes)).unwrap_or(u32::MAX);
        let room =
            timeout_at(attempts.deadline(), self.in_flight.clone().acquire_many_owned(bytes));
        let Ok(Ok(permit)) = room.await else {
            let text = "too many bytes in flight until the deadline; wait for answers, or raise in_flight_bytes";
            return Err(Error::new(ErrorKind::Busy, text));
        };
        let permit = Arc::new(permit);
        let mut failed: Option<Arc<Location>> = None;
        // Where it was sent and not answered: from then on it may have been done.
        let mut lost: Option<Arc<Location>> = None;
        loop {
            attempts.begin();
            let located =
                self.locate(&op.table, Wanted::Holding(&op.row), failed.as_deref(), attempts).await;
            let location = match located {
                Ok(Some(location)) => location,
                Ok(None) => continue,
                Err(error) => return Err(unknown_if(lost.is_some(), op.repeat, error)),
            };
            if let Some(lost) = lost.as_ref().filter(|_| op.repeat == Repeat::WithNonce)
                && !location.is_on(&lost.server, lost.start_code)
            {
                let timeout = attempts.left(self.config.attempt_timeout);
                match self.servers.still_runs(&lost.server, lost.start_code, timeout).await {
                    Ok(false) => {}
                    Ok(true) => {
                        // The region left a server that still runs, and its nonces stayed there.
                        let text =
                            format!("the region left {} before the answer came", lost.server);
                        return Err(unknown(Error::new(ErrorKind::OutcomeUnknown, text)));
                    }
                    Err(error) => {
                        let text = format!(
                            "whether {} still runs could not be told: {error}",
                            lost.server
                        );
                        let error = Error::new(ErrorKind::Unreachable, text);
                        attempts.again(error, Wait::Backoff).await.map_err(unknown)?;
                        continue;
                    }
                }
            }
            let sent = Op {
                request: op.request.clone(),
                region: location.region.clone(),
                cells: op.cells.clone(),
                condition: op.condition.clone(),
                nonce_group: self.nonce_group,
                high_priority: op.table.is_system(),
            };
            let timeout = attempts.left(self.config.attempt_timeout);
            let answer =
                self.servers.op(&location.server, sent, timeout, Some(permit.clone())).await;
            let error = match answer {
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            };
            if error.may_have_happened() && op.repeat != Repeat::Read {
                lost = Some(location.clone());
            }
            let thrown = matches!(error, CallError::Exception(_));
            match judge(error, &location.server) {
                Verdict::Fail(error) => return Err(unknown_if(lost.is_some(), op.repeat, error)),
                Verdict::Again(error, _, _) if lost.is_some() && op.repeat == Repeat::Never => {
                    return Err(unknown(error));
                }
                Verdict::Again(error, wait, stale) => {
                    self.forget(&op.table, &location, &stale);
                    failed = (thrown && stale == Stale::Region).then_some(location);
                    if let Err(error) = attempts.again(error, wait).await {
                        return Err(if lost.is_some() { unknown(error) } else { error });
                    }
                }
            }
        }
    }

    /// Where the wanted region is; `None` after a pause when that could not be told yet. `failed` is where a
    /// server just said that it is not.
    pub(crate) async fn locate(
        &self,
        table: &TableName,
        wanted: Wanted<'_>,
        failed: Option<&Location>,
        attempts: &mut Attempts<'_>,
    ) -> Result<Option<Arc<Location>>> {
        let located = timeout_at(attempts.deadline(), async {
            let location = self.locator.locate(table, wanted).await?;
            if failed == Some(&*location) {
                // It is still said to be there: perhaps it is closed because the table is disabled.
                self.locator.check_enabled(table).await?;
            }
            Ok(location)
        });
        match located.await {
            Ok(Ok(location)) => Ok(Some(location)),
            Ok(Err(error)) => {
                let (error, wait) = locate_error(error)?;
                attempts.again(error, wait).await.map(|()| None)
            }
            Err(_) => Err(attempts.out_of_time()),
        }
    }

    /// Takes from a failed call what it says about where regions are.
    pub(crate) fn forget(&self, table: &TableName, location: &Location, stale: &Stale) {
        let cache = self.locator.cache();
        match stale {
            Stale::Nothing => {}
            Stale::Region => cache.evict(table, location),
            Stale::Server => cache.evict_server(&location.server, location.start_code),
            Stale::Moved { host, port, start_code, sequence } => {
                cache.evict(table, location);
                let moved = Location {
                    server: format!("{host}:{port}").into(),
                    start_code: *start_code,
                    sequence: *sequence,
                    ..location.clone()
                };
                cache.insert(table, moved);
            }
        }
    }
}

/// What a failed lookup means: final, or why and how long to wait.
pub(crate) fn locate_error(error: LocateError) -> Result<(Error, Wait)> {
    match error {
        LocateError::NoSuchTable => {
            Err(Error::new(ErrorKind::TableNotFound, "the table does not exist; create it first"))
        }
        LocateError::Disabled => {
            Err(Error::new(ErrorKind::TableState, "the table is disabled; enable it first"))
        }
        LocateError::NotNow(why) => Ok((Error::new(ErrorKind::Timeout, why), Wait::Backoff)),
        LocateError::Call(error) => {
            let text = format!("hbase:meta could not be asked: {error}");
            match error {
                CallError::Protocol(e) => Err(Error::protocol(e)),
                CallError::Exception(_) => match judge(error, "the server of hbase:meta") {
                    Verdict::Fail(error) => Err(error),
                    Verdict::Again(error, wait, _) => Ok((error, wait)),
                },
                CallError::TimedOut(_) => Ok((Error::new(ErrorKind::Timeout, text), Wait::AtOnce)),
                _ => Ok((Error::new(ErrorKind::Unreachable, text), Wait::Backoff)),
            }
        }
    }
}

fn unknown_if(lost: bool, repeat: Repeat, error: Error) -> Error {
    // With a nonce, the same server's refusal is about the first attempt too.
    let settled = repeat == Repeat::WithNonce && error.exception().is_some();
    if lost && !settled { unknown(error) } else { error }
}

fn unknown(cause: Error) -> Error {
    let text = "it was sent and not answered; it may or may not be on the server";
    Error::new(ErrorKind::OutcomeUnknown, text).caused_by(cause)
}
