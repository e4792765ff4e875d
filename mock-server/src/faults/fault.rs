//! A fault as data: which calls or connections fail, when, and how.

use fastrand::Rng;

use super::change::Change;
use super::effect::{ConnectionEffect, Effect};
use super::target::CallTarget;
use crate::state::Role;

/// A fault: which calls or connections fail, and how.
///
/// Made by [`Fault::on`] or [`Fault::on_connect`], injected by
/// [`MockCluster::inject`](crate::MockCluster::inject).
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use tallrow_mock::{Fault, MockCluster};
///
/// let cluster = MockCluster::start().await.unwrap();
/// // The third Mutate of table t is applied, but never answered.
/// cluster.inject(Fault::on("Mutate").table("t").nth(3).drop_reply());
/// // One Get in ten fails because the call queue is full.
/// cluster.inject(
///     Fault::on("Get")
///         .chance(0.1)
///         .throw("org.apache.hadoop.hbase.CallQueueTooBigException", "full"),
/// );
/// // Region server 1 accepts connections and never replies.
/// cluster.inject(Fault::on_connect().server(1).never_reply());
/// assert_eq!(cluster.unfired_faults().len(), 3);
/// cluster.clear_faults();
/// # cluster.shutdown().await;
/// # });
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Fault(pub(super) FaultKind);

#[derive(Clone, Debug, PartialEq)]
pub(super) enum FaultKind {
    Call(CallFilter, Effect),
    Connection(Schedule, ConnectionEffect),
    /// The cluster changes, and then the call is served as without the fault.
    Change(CallFilter, Change),
}

/// Selects the calls that a fault is for.
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

/// Selects when a fault fires: on which server, and for which of the matching calls or connections.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Schedule {
    pub(super) on: Option<Role>,
    pub(super) nth: u64,
    pub(super) times: Option<u64>,
    pub(super) chance: Option<f64>,
}

impl Schedule {
    /// Makes a schedule that always fires, on every server.
    pub(super) fn always() -> Self {
        Self { on: None, nth: 1, times: None, chance: None }
    }

    pub(super) fn on(&mut self, role: Role) {
        self.on = Some(role);
    }

    pub(super) fn nth(&mut self, n: u64) {
        self.nth = n.max(1);
        self.times = self.times.or(Some(1));
    }

    pub(super) fn times(&mut self, times: u64) {
        self.times = Some(times);
    }

    pub(super) fn chance(&mut self, chance: f64) {
        self.chance = Some(chance);
    }

    /// Whether the schedule includes this server.
    pub(super) fn covers(&self, role: Role) -> bool {
        self.on.is_none_or(|on| on == role)
    }

    /// Whether the fault fires now. `matched` is the number of calls or connections that have
    /// matched, and `fired` the number of times that the fault has fired.
    pub(super) fn fires(&self, matched: u64, fired: u64, random: &mut Rng) -> bool {
        matched >= self.nth
            && self.times.is_none_or(|times| fired < times)
            && self.chance.is_none_or(|chance| random.f64() < chance)
    }
}
