//! Calls to the active master, and the procedures it runs.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use prost::Message;
use tokio::time::{sleep, timeout_at};

use crate::hbase::cluster::Cluster;
use crate::hbase::reaction;
use crate::hbase::retry::{Attempts, RetryDecision, Wait, classify};
use crate::hbase::rpc::{Call, CallError, Service};
use crate::wire::exception::{self, RemoteException};
use crate::wire::proto::{
    ExecProcedureRequest, ExecProcedureResponse, GetProcedureResultRequest,
    GetProcedureResultResponse, IsProcedureDoneRequest, IsProcedureDoneResponse,
    ProcedureDescription, ProcedureResultState,
};
use crate::{Error, ErrorKind, Result, TableName};

/// The first pause between two polls of a procedure, and the longest.
const POLL: (Duration, Duration) = (Duration::from_millis(10), Duration::from_millis(500));

/// An operation of the master, and the method that requests it.
pub(super) struct Procedure<'a> {
    operation: &'static str,
    method: &'static str,
    table: Option<&'a TableName>,
}

impl<'a> Procedure<'a> {
    pub(super) fn new(
        operation: &'static str,
        method: &'static str,
        table: Option<&'a TableName>,
    ) -> Self {
        Self { operation, method, table }
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
        let mut attempts = cluster.attempts(self.operation, cluster.config.operation_timeout);
        let answer = call_master(cluster, self.method, param, effect, &mut attempts).await;
        answer.map_err(|e| self.finish(e, &attempts))
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
        let mut attempts = cluster.attempts(self.operation, cluster.config.admin_timeout);
        let done = async {
            let response: R =
                call_master(cluster, self.method, param, Effect::Change, &mut attempts).await?;
            match id(&response) {
                Some(id) => wait_for(cluster, id, &mut attempts).await,
                None => Ok(()),
            }
        };
        let done = done.await;
        done.map_err(|e| self.finish(e, &attempts))
    }

    /// As [`run`](Procedure::run), for procedures that masters before 2.6 identify only by a signature and a table.
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
        let mut attempts = cluster.attempts(self.operation, cluster.config.admin_timeout);
        let done = async {
            let request = ExecProcedureRequest { procedure: procedure.clone() };
            let _: ExecProcedureResponse =
                call_master(cluster, self.method, &request, Effect::Change, &mut attempts).await?;
            let request = IsProcedureDoneRequest { procedure: Some(procedure) };
            let mut polls = Polls::new(signature);
            loop {
                let answer: IsProcedureDoneResponse = call_master(
                    cluster,
                    "IsProcedureDone",
                    &request,
                    Effect::Change,
                    &mut attempts,
                )
                .await?;
                if answer.done.unwrap_or(false) {
                    return Ok(());
                }
                polls.pause(&attempts).await?;
            }
        };
        let done = done.await;
        done.map_err(|e| self.finish(e, &attempts))
    }

    fn finish(&self, error: Error, attempts: &Attempts) -> Error {
        let error = attempts.finish(error);
        match self.table {
            Some(table) => error.on_table(table),
            None => error,
        }
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
            let timeout = attempts.left(cluster.config.attempt_timeout);
            let call = Call { method, param, high_priority: false, timeout };
            let answer = cluster.servers.call(&master, Service::Master, call).await;
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
                let text = "it was sent to the master and not answered; it may or may not be done";
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
        error => {
            let text = format!("no active master could be found: {error}");
            let error = Error::new(ErrorKind::Unreachable, text);
            (error.on_server(cluster.locator.registry().hosts()), Some(Wait::Backoff))
        }
    })
}

/// Polls a procedure until it is done.
async fn wait_for(cluster: &Cluster, proc_id: u64, attempts: &mut Attempts) -> Result<()> {
    let request = GetProcedureResultRequest { proc_id };
    let mut polls = Polls::new(proc_id);
    loop {
        let result: GetProcedureResultResponse =
            call_master(cluster, "getProcedureResult", &request, Effect::Change, attempts).await?;
        match ProcedureResultState::try_from(result.state) {
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
        && error.to_string().contains("UnsupportedOperationException")
}

/// The error of a procedure that failed. Whatever its class, it is final.
fn failure(exception: &RemoteException) -> Error {
    match classify(CallError::Exception(exception.clone()), "the master") {
        RetryDecision::Fail(error) => error,
        RetryDecision::Again(..) => reaction::error(ErrorKind::DoNotRetry, exception),
    }
}
