//! What a caller is told while a procedure of the master runs.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

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
