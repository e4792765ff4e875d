//! Calls to the active master, the procedures it runs, and what a caller is told while one runs.

use std::fmt::Display;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use prost::Message;
use tokio::time::{Instant, sleep, timeout_at};

use crate::backend::hbase::cluster::Cluster;
use crate::backend::hbase::reaction;
use crate::backend::hbase::retry::{Attempts, RetryDecision, Wait, classify};
use crate::backend::hbase::rpc::{CLOSED, Call, CallError, Service};
use crate::wire::exception::{self, RemoteException};
use crate::wire::proto::{
    ExecProcedureRequest, ExecProcedureResponse, GetProcedureResultRequest,
    GetProcedureResultResponse, IsProcedureDoneRequest, IsProcedureDoneResponse,
    ProcedureDescription, ProcedureResultState,
};
use crate::{Error, ErrorKind, Result, TableName};

/// The first pause between two polls of a procedure, and the longest.
const POLL: (Duration, Duration) = (Duration::from_millis(10), Duration::from_millis(500));

/// The state that a procedure had when the client, which waits for its end, asked for it.
///
/// See [`HBaseAdmin::with_progress`](super::HBaseAdmin::with_progress) for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ProcedureProgress {
    /// The id of the procedure, with which [`wait_for_procedure`](super::HBaseAdmin::wait_for_procedure) finds it again.
    pub id: u64,
    /// What was asked for: `take snapshot`, `create table`, ...
    pub operation: &'static str,
    /// Whether it is done, successfully or not.
    pub finished: bool,
    /// When the master accepted it, by the master's clock; `None` if it does not say.
    pub submitted: Option<SystemTime>,
    /// When it last changed its state, by the master's clock; `None` if it does not say.
    pub updated: Option<SystemTime>,
    /// How long this client has waited for it.
    pub waited: Duration,
}

/// What is called at every poll of a procedure.
pub(super) type OnProgress = Arc<dyn Fn(&ProcedureProgress) + Send + Sync>;

/// An operation of the master, and the method that requests it.
pub(super) struct Procedure<'a> {
    operation: &'static str,
    method: &'static str,
    table: Option<&'a TableName>,
    progress: Option<&'a OnProgress>,
}

impl<'a> Procedure<'a> {
    pub(super) fn new(
        operation: &'static str,
        method: &'static str,
        table: Option<&'a TableName>,
    ) -> Self {
        Self { operation, method, table, progress: None }
    }

    /// Calls this at every poll of the procedure.
    pub(super) fn reporting_to(self, progress: Option<&'a OnProgress>) -> Self {
        Self { progress, ..self }
    }

    /// Calls a method of the master that changes nothing.
    pub(super) async fn ask<P: Message, R: Message + Default>(
        &self,
        cluster: &Cluster,
        param: &P,
    ) -> Result<R> {
        self.call_once(cluster, param, Effect::None).await
    }

    /// Makes a request that the master answers when it is done.
    pub(super) async fn request<P: Message, R: Message + Default>(
        &self,
        cluster: &Cluster,
        param: &P,
    ) -> Result<R> {
        self.call_once(cluster, param, Effect::Change).await
    }

    async fn call_once<P: Message, R: Message + Default>(
        &self,
        cluster: &Cluster,
        param: &P,
        effect: Effect,
    ) -> Result<R> {
        let mut attempts =
            cluster.attempts_on(self.operation, self.table, cluster.config.operation_timeout);
        let answer = call_master(cluster, self.method, param, effect, &mut attempts).await;
        self.end(answer, &mut attempts)
    }

    /// Starts a procedure of the master, and waits until it is done.
    ///
    /// The request carries a nonce, so that a repeated one is the same procedure.
    pub(super) async fn run<P: Message, R: Message + Default>(
        &self,
        cluster: &Cluster,
        param: &P,
        id: impl Fn(&R) -> Option<u64>,
    ) -> Result<()> {
        let mut attempts =
            cluster.attempts_on(self.operation, self.table, cluster.config.admin_timeout);
        let done = async {
            let response: R =
                call_master(cluster, self.method, param, Effect::Change, &mut attempts).await?;
            match id(&response) {
                Some(id) => self.wait_until_done(cluster, id, &mut attempts).await,
                None => Ok(()),
            }
        };
        let done = done.await;
        self.end(done, &mut attempts)
    }

    /// Like [`run`](Procedure::run), for procedures that masters before 2.6 identify only by a
    /// signature and a table.
    pub(super) async fn run_signed(
        &self,
        cluster: &Cluster,
        signature: &str,
        table: &TableName,
    ) -> Result<()> {
        let procedure = ProcedureDescription {
            signature: signature.to_owned(),
            instance: Some(table.to_string()),
            ..Default::default()
        };
        let request = ExecProcedureRequest { procedure: procedure.clone() };
        let poll = IsProcedureDoneRequest { procedure: Some(procedure) };
        self.run_or_poll(
            cluster,
            &request,
            |_: &ExecProcedureResponse| None,
            ("IsProcedureDone", &poll, signature),
            |answer: &IsProcedureDoneResponse| answer.done.unwrap_or(false),
        )
        .await
    }

    /// Like [`run`](Procedure::run), for what may be no procedure: if the answer has no id, the
    /// method `poll` is called until `is_done` says of its answer that it is done.
    pub(super) async fn run_or_poll<P, R, Q, A>(
        &self,
        cluster: &Cluster,
        param: &P,
        id: impl Fn(&R) -> Option<u64>,
        (poll, poll_param, name): (&'static str, &Q, &str),
        is_done: impl Fn(&A) -> bool,
    ) -> Result<()>
    where
        P: Message,
        R: Message + Default,
        Q: Message,
        A: Message + Default,
    {
        let mut attempts =
            cluster.attempts_on(self.operation, self.table, cluster.config.admin_timeout);
        let done = async {
            let response: R =
                call_master(cluster, self.method, param, Effect::Change, &mut attempts).await?;
            if let Some(id) = id(&response) {
                return self.wait_until_done(cluster, id, &mut attempts).await;
            }
            let mut polls = Polls::new(name);
            loop {
                let answer: A =
                    call_master(cluster, poll, poll_param, Effect::Change, &mut attempts).await?;
                if is_done(&answer) {
                    return Ok(());
                }
                polls.pause(&attempts).await?;
            }
        };
        let done = done.await;
        self.end(done, &mut attempts)
    }

    /// Waits until a procedure is done that was started before.
    pub(super) async fn wait(&self, cluster: &Cluster, id: u64) -> Result<()> {
        let mut attempts =
            cluster.attempts_on(self.operation, self.table, cluster.config.admin_timeout);
        let done = self.wait_until_done(cluster, id, &mut attempts).await;
        self.end(done, &mut attempts)
    }

    /// Polls a procedure until it is done.
    async fn wait_until_done(
        &self,
        cluster: &Cluster,
        proc_id: u64,
        attempts: &mut Attempts,
    ) -> Result<()> {
        let request = GetProcedureResultRequest { proc_id };
        let mut polls = Polls::new(proc_id);
        let started = Instant::now();
        loop {
            let result: GetProcedureResultResponse =
                call_master(cluster, "getProcedureResult", &request, Effect::Change, attempts)
                    .await?;
            let state = ProcedureResultState::try_from(result.state);
            if let (Some(report), Ok(state)) = (self.progress, state)
                && state != ProcedureResultState::NotFound
            {
                report(&ProcedureProgress {
                    id: proc_id,
                    operation: self.operation,
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

/// Whether a call only reads, or makes a change whose outcome may become unknown.
#[derive(Clone, Copy, PartialEq)]
enum Effect {
    None,
    Change,
}

/// Calls the active master, whichever it is, until it answers or the deadline passes.
async fn call_master<P: Message, R: Message + Default>(
    cluster: &Cluster,
    method: &'static str,
    param: &P,
    effect: Effect,
    attempts: &mut Attempts,
) -> Result<R> {
    let mut sent = false;
    loop {
        attempts.begin();
        let mut asked = cluster.locator.registry().hosts();
        let answer = timeout_at(attempts.deadline(), async {
            let master = active_master(cluster).await?;
            asked = master.clone();
            attempts.sent_to(&master);
            let timeout = attempts.left(cluster.config.attempt_timeout);
            let call = Call { method, param, high_priority: false, timeout };
            let answer = cluster.servers.call(&master, Service::Master, call);
            let answer = attempts.traced(answer).await;
            answer.map(|(response, _)| response).map_err(|error| {
                sent |= effect == Effect::Change && error.may_have_happened();
                match classify(error, &master) {
                    RetryDecision::Fail(error) => (error, None),
                    RetryDecision::Again(error, wait, _) => (error, Some(wait)),
                }
            })
        });
        let failed = match answer.await {
            Ok(Ok(response)) => return Ok(response),
            Ok(Err((error, Some(wait)))) => attempts.again(error, wait).await,
            Ok(Err((error, None))) => return Err(error),
            Err(_) => Err(attempts.late(&asked, method)),
        };
        failed.map_err(|error| match sent {
            true => {
                let text = "no answer of the master says whether it was done; it may or may not be";
                error.into_unknown(text)
            }
            false => error,
        })?;
    }
}

/// The active master; or why it is not known, and how long to wait if that may change.
async fn active_master(cluster: &Cluster) -> Result<Arc<str>, (Error, Option<Wait>)> {
    let master = cluster.locator.registry().active_master(&cluster.servers).await;
    master.map_err(|error| match error {
        CallError::Protocol(e) => {
            (Error::protocol(e).on_server(cluster.locator.registry().hosts()), None)
        }
        CallError::Closed => (Error::new(ErrorKind::Closed, CLOSED), None),
        error => {
            let text = format!("no active master could be found: {error}");
            let error = Error::new(ErrorKind::Unreachable, text);
            (error.on_server(cluster.locator.registry().hosts()), Some(Wait::Backoff))
        }
    })
}

/// The pauses between two polls of a procedure.
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

/// Whether the master has no such method, because it is of an older version.
pub(super) fn is_unknown_method(error: &Error) -> bool {
    error.exception() == Some(exception::DO_NOT_RETRY)
        && error.to_string().contains("is unable to read call parameter")
}

/// The error of a procedure that failed. Whatever its class, it is final.
fn failure(exception: &RemoteException) -> Error {
    match classify(CallError::Exception(exception.clone()), "the master") {
        RetryDecision::Fail(error) => error,
        RetryDecision::Again(..) => reaction::error(ErrorKind::DoNotRetry, exception),
    }
}

/// A time in ms since 1970; `None` for 0, which means none.
pub(super) fn millis_to_time(millis: u64) -> Option<SystemTime> {
    (millis > 0).then(|| UNIX_EPOCH.checked_add(Duration::from_millis(millis))).flatten()
}
