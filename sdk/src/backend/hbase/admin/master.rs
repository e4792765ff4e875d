//! Calls to the active master, the procedures that it runs, and the progress that is reported while
//! a procedure runs.

use std::fmt::Display;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::{Instant, sleep, timeout_at};

use super::methods::{GetProcedureResult, Method, ResendKind};
use crate::backend::core::CLOSED;
use crate::backend::hbase::cluster::Cluster;
use crate::backend::hbase::nonce::nonce;
use crate::backend::hbase::reaction;
use crate::backend::hbase::retry::{
    Attempts, CacheInvalidation, RetryDecision, Wait, answer_or_pause, classify,
};
use crate::backend::hbase::rpc::{Call, CallError};
use crate::wire::exception::RemoteException;
use crate::wire::proto::{GetProcedureResultRequest, ProcedureResultState};
use crate::{Error, ErrorKind, Result, TableName};

/// The first and the longest pause between two polls of a procedure.
const POLL: (Duration, Duration) = (Duration::from_millis(10), Duration::from_millis(500));

/// The state of a procedure, as polled by a client that waits for the end of the procedure.
///
/// See [`HBaseAdmin::with_progress`](super::HBaseAdmin::with_progress) for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ProcedureProgress {
    /// The id of the procedure, with which
    /// [`wait_for_procedure`](super::HBaseAdmin::wait_for_procedure) can wait for it again.
    pub id: u64,
    /// The operation that started the procedure: `take snapshot`, `create table`, ...
    pub operation: &'static str,
    /// Whether the procedure is done, successfully or not.
    pub finished: bool,
    /// When the master accepted the procedure, by the master's clock; `None` if the master does not
    /// report that.
    pub submitted: Option<SystemTime>,
    /// When the procedure last changed its state, by the master's clock; `None` if the master does
    /// not report that.
    pub updated: Option<SystemTime>,
    /// How long this client has waited for the procedure.
    pub waited: Duration,
}

/// A function that is called at every poll of a procedure.
pub(super) type OnProgress = Arc<dyn Fn(&ProcedureProgress) + Send + Sync>;

/// An administrative operation: its name, its table, and the function to which its progress is
/// reported.
pub(super) struct AdminOperation<'a> {
    cluster: &'a Cluster,
    name: &'static str,
    table: Option<&'a TableName>,
    progress: Option<&'a OnProgress>,
}

impl<'a> AdminOperation<'a> {
    pub(super) fn new(
        cluster: &'a Cluster,
        name: &'static str,
        table: Option<&'a TableName>,
    ) -> Self {
        Self { cluster, name, table, progress: None }
    }

    /// Calls `progress` at every poll of a procedure.
    pub(super) fn with_progress(self, progress: Option<&'a OnProgress>) -> Self {
        Self { progress, ..self }
    }

    /// Calls a method of the master. If the master starts a procedure, waits for its end.
    pub(super) async fn call<M: Method>(&self, request: M::Request) -> Result<M::Response> {
        let config = &self.cluster.config;
        let mut attempts = self.attempts(match M::KIND.is_procedure() {
            true => config.admin_timeout,
            false => config.operation_timeout,
        });
        let done = self.call_and_wait::<M>(request, &mut attempts).await;
        self.end(done.map(|(response, _)| response), &mut attempts)
    }

    /// Calls a method of one region server.
    pub(super) async fn call_on<M: Method>(
        &self,
        server: &Arc<str>,
        request: M::Request,
    ) -> Result<M::Response> {
        let mut attempts = self.attempts(self.cluster.config.operation_timeout);
        let answer = self.send::<M>(Some(server), &request, &mut attempts).await;
        self.end(answer, &mut attempts)
    }

    /// Like [`call`](Self::call), for a method that may not start a procedure: if the answer
    /// contains no procedure id, `P` is called until it answers that the operation is done. If the
    /// operation is not done by the deadline, the error contains `procedure_name`.
    pub(super) async fn call_then_wait_or_poll<M: Method, P: Method>(
        &self,
        request: M::Request,
        poll: P::Request,
        procedure_name: &str,
    ) -> Result<()> {
        let mut attempts = self.attempts(self.cluster.config.admin_timeout);
        let done = async {
            if let (_, Some(_)) = self.call_and_wait::<M>(request, &mut attempts).await? {
                return Ok(());
            }
            let mut polls = Polls::new(procedure_name);
            while !P::is_done(&self.send::<P>(None, &poll, &mut attempts).await?) {
                polls.pause(&attempts).await?;
            }
            Ok(())
        };
        let done = done.await;
        self.end(done, &mut attempts)
    }

    /// Waits until a procedure that was started before is done.
    pub(super) async fn wait(&self, id: u64) -> Result<()> {
        let mut attempts = self.attempts(self.cluster.config.admin_timeout);
        let done = self.wait_until_done(id, &mut attempts).await;
        self.end(done, &mut attempts)
    }

    fn attempts(&self, timeout: Duration) -> Attempts {
        self.cluster.attempts_on(self.name, self.table, timeout)
    }

    /// Calls a method of the master. If the master starts a procedure, waits for its end. Returns
    /// the answer and the id of the procedure.
    async fn call_and_wait<M: Method>(
        &self,
        mut request: M::Request,
        attempts: &mut Attempts,
    ) -> Result<(M::Response, Option<u64>)> {
        M::set_nonce(&mut request, self.cluster.nonce_group, nonce());
        let mut may_be_done = false;
        let response = self.send_noting::<M>(None, &request, attempts, &mut may_be_done).await?;
        let id = M::procedure_id(&response);
        if let Some(id) = id {
            let done = self.wait_until_done(id, attempts).await;
            // The procedure of a request that was sent again may fail because of the first one.
            done.map_err(|error| match may_be_done && !M::KIND.is_recognized_when_resent() {
                true => unknown_outcome::<M>(error),
                false => error,
            })?;
        }
        Ok((response, id))
    }

    /// Calls a method of `server`, or of the active master if `server` is `None`, until an answer
    /// arrives.
    async fn send<M: Method>(
        &self,
        server: Option<&Arc<str>>,
        request: &M::Request,
        attempts: &mut Attempts,
    ) -> Result<M::Response> {
        let mut may_be_done = M::KIND == ResendKind::Poll;
        self.send_noting::<M>(server, request, attempts, &mut may_be_done).await
    }

    /// Like [`send`](Self::send); also notes whether an attempt without an answer may have made the
    /// change.
    async fn send_noting<M: Method>(
        &self,
        server: Option<&Arc<str>>,
        request: &M::Request,
        attempts: &mut Attempts,
        may_be_done: &mut bool,
    ) -> Result<M::Response> {
        let cluster = self.cluster;
        // Whether the last attempt was answered with a final exception.
        let mut is_refused = false;
        let answer = async {
            loop {
                attempts.begin_attempt();
                let attempt = async {
                    let server = match server {
                        Some(server) => server.clone(),
                        None => active_master::<M>(cluster, attempts).await?,
                    };
                    send_once::<M>(cluster, &server, request, attempts).await?.map_err(|error| {
                        *may_be_done |=
                            M::KIND != ResendKind::Harmless && error.may_have_happened();
                        let is_thrown = matches!(error, CallError::Exception(_));
                        let decision = classify(error, &server);
                        is_refused = is_thrown && matches!(decision, RetryDecision::Fail(_));
                        decision
                    })
                };
                let attempt = attempt.await;
                if let Some(answer) = answer_or_pause(attempt, attempts).await? {
                    return Ok(answer);
                }
            }
        };
        let answer: Result<_> = answer.await;
        answer.map_err(|error| match M::earlier_attempt_note(&error) {
            _ if !*may_be_done => error,
            // If the master recognizes the request, the exception is the result of the first
            // attempt.
            None if is_refused && M::KIND.is_recognized_when_resent() => error,
            _ => unknown_outcome::<M>(error),
        })
    }

    /// Polls a procedure until it is done.
    async fn wait_until_done(&self, proc_id: u64, attempts: &mut Attempts) -> Result<()> {
        let request = GetProcedureResultRequest { proc_id };
        let mut polls = Polls::new(proc_id);
        let started = Instant::now();
        loop {
            let result = self.send::<GetProcedureResult>(None, &request, attempts).await?;
            let state = ProcedureResultState::try_from(result.state);
            if let (Some(report), Ok(state)) = (self.progress, state)
                && state != ProcedureResultState::NotFound
            {
                report(&ProcedureProgress {
                    id: proc_id,
                    operation: self.name,
                    finished: state == ProcedureResultState::Finished,
                    submitted: millis_to_time(result.submitted_time.unwrap_or(0)),
                    updated: millis_to_time(result.last_update.unwrap_or(0)),
                    waited: started.elapsed(),
                });
            }
            match state {
                Ok(ProcedureResultState::Finished) => {
                    return match result.exception {
                        None => Ok(()),
                        Some(exception) => Err(failure(&RemoteException::from_foreign(&exception))),
                    };
                }
                Ok(ProcedureResultState::Running) => polls.pause(attempts).await?,
                _ => {
                    let text = format!(
                        "the master no longer knows procedure {proc_id}; check whether it was done"
                    );
                    return Err(Error::new(ErrorKind::OutcomeUnknown, text));
                }
            }
        }
    }

    fn end<T>(&self, result: Result<T>, attempts: &mut Attempts) -> Result<T> {
        attempts.end(result.map_err(|error| match self.table {
            Some(table) => error.on_table(table),
            None => error,
        }))
    }
}

/// Makes the error of an operation that an earlier attempt, whose answer was lost, may have done.
fn unknown_outcome<M: Method>(error: Error) -> Error {
    let text = M::earlier_attempt_note(&error)
        .unwrap_or("no answer of the master says whether it was done; it may or may not be");
    error.into_unknown(text)
}

/// Calls a method of a server once. The outer `Err` means that the deadline has passed.
pub(super) async fn send_once<M: Method>(
    cluster: &Cluster,
    server: &Arc<str>,
    request: &M::Request,
    attempts: &mut Attempts,
) -> Result<Result<M::Response, CallError>> {
    attempts.record_server(server);
    let timeout = attempts.left(cluster.config.attempt_timeout);
    let call = Call { method: M::NAME, param: request, high_priority: false, timeout };
    let answer = attempts.traced(cluster.servers.call(server, M::SERVICE, call));
    match timeout_at(attempts.deadline(), answer).await {
        Ok(answer) => Ok(answer.map(|(response, _)| response)),
        Err(_) => Err(attempts.timeout_error(server, M::NAME)),
    }
}

/// Returns the address of the active master, or the reason why it is not known.
async fn active_master<M: Method>(
    cluster: &Cluster,
    attempts: &mut Attempts,
) -> Result<Arc<str>, RetryDecision> {
    let registry = cluster.locator.registry();
    let master = registry.active_master(&cluster.servers);
    let Ok(master) = timeout_at(attempts.deadline(), master).await else {
        return Err(attempts.timeout_error(&registry.host_list(), M::NAME).into());
    };
    master.map_err(|error| match error {
        CallError::Protocol(e) => Error::protocol(e).on_server(registry.host_list()).into(),
        CallError::Closed => Error::new(ErrorKind::Closed, CLOSED).into(),
        error => {
            let text = format!("no active master could be found: {error}");
            let error = Error::new(ErrorKind::Unreachable, text).on_server(registry.host_list());
            RetryDecision::Again(error, Wait::Backoff, CacheInvalidation::Nothing)
        }
    })
}

/// The next pause in a sequence of polls of a procedure. The pauses grow.
struct Polls<P> {
    procedure: P,
    pause: Duration,
}

impl<P: Display> Polls<P> {
    fn new(procedure: P) -> Self {
        Self { procedure, pause: POLL.0 }
    }

    /// Waits before the next poll; fails if there is no time for it.
    async fn pause(&mut self, attempts: &Attempts) -> Result<()> {
        if attempts.left(self.pause) < self.pause {
            let procedure = &self.procedure;
            let text =
                format!("the master accepted it as procedure {procedure}, which is not done yet");
            return Err(Error::new(ErrorKind::OutcomeUnknown, text));
        }
        sleep(self.pause).await;
        self.pause = (self.pause * 2).min(POLL.1);
        Ok(())
    }
}

/// Returns the error of a failed procedure. The error is final, whatever the class of the
/// exception.
fn failure(exception: &RemoteException) -> Error {
    match classify(CallError::Exception(exception.clone()), "the master") {
        RetryDecision::Fail(error) => error,
        RetryDecision::Again(..) => reaction::error(ErrorKind::DoNotRetry, exception),
    }
}

/// Converts milliseconds since 1970 into a time; `None` for 0, which means that there is no time.
pub(super) fn millis_to_time(millis: u64) -> Option<SystemTime> {
    (millis > 0).then(|| UNIX_EPOCH.checked_add(Duration::from_millis(millis))).flatten()
}
