//! A fault as data.

use super::effect::{ConnectionEffect, Effect};
use super::schedule::Schedule;
use super::target::CallTarget;

/// A fault: which calls or connections fail, and how.
///
/// Made by [`Fault::on`] or [`Fault::on_connect`], injected by [`MockCluster::inject`](crate::MockCluster::inject).
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use tallrow_mock::{Fault, MockCluster};
///
/// let cluster = MockCluster::start().await.unwrap();
/// // The third Mutate of table t is applied, but never answered.
/// cluster.inject(Fault::on("Mutate").table("t").nth(3).drop_reply());
/// // One Get in ten fails because the call queue is full.
/// cluster.inject(Fault::on("Get").chance(0.1).throw("org.apache.hadoop.hbase.CallQueueTooBigException", "full"));
/// // Region server 1 accepts connections and never replies.
/// cluster.inject(Fault::on_connect().server(1).never_reply());
/// assert_eq!(cluster.unfired_faults().len(), 3);
/// cluster.clear_faults();
/// # cluster.shutdown().await;
/// # });
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Fault(pub(super) Kind);

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Call(CallFilter, Effect),
    Connection(Schedule, ConnectionEffect),
}

/// Which calls a fault is for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CallFilter {
    pub(super) method: String,
    pub(super) table: Option<String>,
    pub(super) schedule: Schedule,
}

impl CallFilter {
    /// Whether the fault is for a call to this target.
    pub(super) fn matches(&self, target: &CallTarget<'_>) -> bool {
        self.method == target.method
            && self.schedule.covers(target.role)
            && self.table.as_ref().is_none_or(|t| target.tables.iter().any(|c| c == t.as_bytes()))
    }
}
