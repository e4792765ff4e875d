//! The procedures of the master.

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
    /// `INITIALIZING`: it was accepted and not started.
    Initializing,
    /// `RUNNABLE`: it runs, or is about to.
    Runnable,
    /// `WAITING`: it waits for its parts.
    Waiting,
    /// `WAITING_TIMEOUT`: it waits for a time or an event.
    WaitingTimeout,
    /// `ROLLEDBACK`: it failed and was undone.
    RolledBack,
    /// `SUCCESS`: it is done.
    Success,
    /// `FAILED`: it failed and is to be undone.
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

    /// Whether it has ended, successfully or not.
    pub fn is_finished(self) -> bool {
        matches!(self, Self::RolledBack | Self::Success)
    }
}

/// A procedure of the master, running or done: a change of tables, regions or servers, or a part of
/// one.
///
/// See [`HBaseAdmin::list_procedures`] for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Procedure {
    /// Its id.
    pub id: u64,
    /// The procedure it is a part of.
    pub parent: Option<u64>,
    /// Its Java class, such as `org.apache.hadoop.hbase.master.procedure.CreateTableProcedure`.
    pub class: String,
    /// Its state.
    pub state: ProcedureState,
    /// The user who asked for it, if the cluster records that.
    pub owner: Option<String>,
    /// When the master accepted it.
    pub submitted: Option<SystemTime>,
    /// When it last changed its state.
    pub updated: Option<SystemTime>,
    /// Why it failed, as the exception's class and text.
    pub error: Option<String>,
}

impl HBaseAdmin {
    /// The procedures that the master remembers, by id: those that run, and for some minutes those
    /// that are done (`hbase.procedure.cleaner.acked.evict.ttl`,
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
    /// No master that answers by the deadline
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

    /// Waits until a procedure is done: one of this client whose deadline has passed, or of another
    /// one.
    ///
    /// See [`with_progress`](HBaseAdmin::with_progress) for an example.
    ///
    /// # Errors
    /// What the procedure failed with; [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) if the
    /// master does not know it any more, or it is not done by the deadline
    /// ([`admin_timeout`](crate::Config::admin_timeout)).
    pub async fn wait_for_procedure(&self, id: u64) -> Result<()> {
        self.operation("wait for procedure", None).wait(id).await
    }

    /// Asks the master to abort a procedure, and returns whether it will. Most procedures cannot be
    /// aborted once they run.
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
    /// No master that answers by the deadline.
    pub async fn abort_procedure(&self, id: u64) -> Result<bool> {
        let request =
            proto::AbortProcedureRequest { proc_id: id, may_interrupt_if_running: Some(true) };
        Ok(self.call::<AbortProcedure>("abort procedure", None, request).await?.on)
    }

    /// A handle that calls this function at every poll of a procedure that it waits for, from the
    /// id that the master gave it to its end. The function must not block.
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
