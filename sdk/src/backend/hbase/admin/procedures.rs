//! The procedures of the master: how they are listed, waited for and aborted.

use std::sync::Arc;
use std::time::SystemTime;

use super::handle::HBaseAdmin;
use super::master::{ProcedureProgress, millis_to_time};
use super::methods::{AbortProcedure, GetProcedures};
use crate::Result;
use crate::wire::exception::RemoteException;
use crate::wire::proto;

/// The state of a procedure (`ProcedureState`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProcedureState {
    /// `INITIALIZING`: the procedure was accepted, and has not started.
    Initializing,
    /// `RUNNABLE`: the procedure runs, or is about to run.
    Runnable,
    /// `WAITING`: the procedure waits for the procedures that are parts of it.
    Waiting,
    /// `WAITING_TIMEOUT`: the procedure waits for a time or an event.
    WaitingTimeout,
    /// `ROLLEDBACK`: the procedure failed and was undone.
    RolledBack,
    /// `SUCCESS`: the procedure is done.
    Success,
    /// `FAILED`: the procedure failed and has still to be undone.
    Failed,
}

impl ProcedureState {
    fn new(state: proto::ProcedureState) -> Self {
        match state {
            proto::ProcedureState::Initializing => Self::Initializing,
            proto::ProcedureState::Runnable => Self::Runnable,
            proto::ProcedureState::Waiting => Self::Waiting,
            proto::ProcedureState::WaitingTimeout => Self::WaitingTimeout,
            proto::ProcedureState::Rolledback => Self::RolledBack,
            proto::ProcedureState::Success => Self::Success,
            proto::ProcedureState::Failed => Self::Failed,
        }
    }

    /// Whether the procedure has ended, successfully or not.
    pub fn is_finished(self) -> bool {
        matches!(self, Self::RolledBack | Self::Success)
    }
}

/// A procedure of the master, running or done: a change of tables, regions or servers, or a part of
/// such a change.
///
/// See [`HBaseAdmin::list_procedures`] for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Procedure {
    /// The id of the procedure.
    pub id: u64,
    /// The id of the procedure of which this procedure is a part.
    pub parent: Option<u64>,
    /// The Java class of the procedure, such as
    /// `org.apache.hadoop.hbase.master.procedure.CreateTableProcedure`.
    pub class: String,
    /// The state of the procedure.
    pub state: ProcedureState,
    /// The user who requested the procedure, if the cluster records that.
    pub owner: Option<String>,
    /// When the master accepted the procedure.
    pub submitted: Option<SystemTime>,
    /// When the procedure last changed its state.
    pub updated: Option<SystemTime>,
    /// Why the procedure failed: the class and the text of the exception.
    pub error: Option<String>,
}

impl HBaseAdmin {
    /// Returns the procedures that the master remembers, sorted by id: those that are running, and
    /// those that ended within the last minutes (`hbase.procedure.cleaner.acked.evict.ttl`,
    /// `hbase.procedure.cleaner.evict.ttl`).
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// let procedures = client.admin().hbase()?.list_procedures().await?;
    /// let last = procedures.last().unwrap();
    /// assert!(last.class.ends_with("CreateTableProcedure"));
    /// assert!(last.state.is_finished());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Fails if no master answers by the deadline
    /// ([`operation_timeout`](crate::Config::operation_timeout)).
    pub async fn list_procedures(&self) -> Result<Vec<Procedure>> {
        let answer = self.call::<GetProcedures>("list procedures", None, proto::Empty {}).await?;
        let failure = |e: &proto::ForeignExceptionMessage| {
            let exception = RemoteException::from_foreign(e);
            format!("{}: {}", exception.class, exception.message)
        };
        let mut procedures: Vec<_> = (answer.procedure.iter())
            .map(|p| Procedure {
                id: p.proc_id,
                parent: p.parent_id,
                class: p.class_name.clone(),
                state: ProcedureState::new(p.state()),
                owner: p.owner.clone().filter(|owner| !owner.is_empty()),
                submitted: millis_to_time(p.submitted_time),
                updated: millis_to_time(p.last_update),
                error: p.exception.as_ref().map(failure),
            })
            .collect();
        procedures.sort_by_key(|p| p.id);
        Ok(procedures)
    }

    /// Waits until a procedure is done, for example a procedure of this client that was not done by
    /// its deadline, or a procedure of another client.
    ///
    /// See [`with_progress`](HBaseAdmin::with_progress) for an example.
    ///
    /// # Errors
    /// The error of the procedure, if the procedure failed;
    /// [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) if the master does not know the
    /// procedure any more, or if the procedure is not done by the deadline
    /// ([`admin_timeout`](crate::Config::admin_timeout)).
    pub async fn wait_for_procedure(&self, id: u64) -> Result<()> {
        self.operation("wait for procedure", None).wait(id).await
    }

    /// Asks the master to abort a procedure, and returns whether the master agreed. Most procedures
    /// cannot be aborted once they run.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = tallrow::Client::connect("mock:").await?;
    /// assert!(!client.admin().hbase()?.abort_procedure(123).await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Fails if no master answers by the deadline.
    pub async fn abort_procedure(&self, id: u64) -> Result<bool> {
        let request =
            proto::AbortProcedureRequest { proc_id: id, may_interrupt_if_running: Some(true) };
        Ok(self.call::<AbortProcedure>("abort procedure", None, request).await?.on)
    }

    /// Returns a handle that reports progress: while it waits for a procedure, it calls `call` at
    /// every poll until the procedure has ended. `call` must not block.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    ///
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
    /// let seen = Arc::new(Mutex::new(Vec::new()));
    /// let polls = seen.clone();
    /// let hbase =
    ///     client.admin().hbase()?.with_progress(move |p| polls.lock().unwrap().push(p.clone()));
    /// hbase.disable_table("t").await?;
    ///
    /// let last = seen.lock().unwrap().last().cloned().unwrap();
    /// assert_eq!((last.operation, last.finished), ("disable table", true));
    /// hbase.wait_for_procedure(last.id).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_progress(&self, call: impl Fn(&ProcedureProgress) + Send + Sync + 'static) -> Self {
        Self { progress: Some(Arc::new(call)), ..self.clone() }
    }
}
