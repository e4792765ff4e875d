//! How far the writers are, and whether they are to end.

use std::fmt;

use tallrow_tests::patience;
use tokio::sync::watch;
use tokio::time::timeout;

/// How often something was acknowledged.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Acknowledged {
    /// Operations of the writers.
    pub(super) operations: u64,
    pub(super) created: u64,
    pub(super) deleted: u64,
    pub(super) split: u64,
    pub(super) merged: u64,
    /// Backups of a table, and tables that were made of one.
    pub(super) backed_up: u64,
    pub(super) restored: u64,
    /// Changes that were read from a stream, and partitions of it that were divided.
    pub(super) changes_read: u64,
    pub(super) partitions_divided: u64,
}

impl Acknowledged {
    /// Changes of tables and of their regions.
    pub(super) fn changes(&self) -> u64 {
        self.created + self.deleted + self.split + self.merged
    }

    /// Whether each kind of change has happened.
    pub(super) fn is_varied(&self) -> bool {
        let tables = [self.created, self.deleted, self.split, self.merged];
        let others = [self.backed_up, self.restored, self.changes_read, self.partitions_divided];
        tables.iter().chain(&others).all(|count| *count > 0)
    }
}

/// What was acknowledged so far.
#[derive(Debug, Default)]
pub(super) struct Progress {
    acknowledged: watch::Sender<Acknowledged>,
    ends: watch::Sender<bool>,
}

impl Progress {
    /// Counts what was acknowledged.
    pub(super) fn count(&self, count: impl FnOnce(&mut Acknowledged)) {
        self.acknowledged.send_modify(count);
    }

    /// What was acknowledged so far.
    pub(super) fn so_far(&self) -> Acknowledged {
        *self.acknowledged.borrow()
    }

    /// Waits until enough was acknowledged.
    ///
    /// # Panics
    /// If it never is. The text says what is waited for.
    pub(super) async fn until(&self, what: &str, is_enough: impl Fn(&Acknowledged) -> bool) {
        let mut acknowledged = self.acknowledged.subscribe();
        let waited = timeout(patience(), acknowledged.wait_for(is_enough)).await;
        assert!(waited.is_ok(), "not after {:?}: {what}; so far {self}", patience());
    }

    /// Waits until so many more operations are acknowledged, or everybody is to end.
    pub(super) async fn pause(&self, operations: u64) {
        let wanted = self.so_far().operations + operations;
        let (mut acknowledged, mut ends) = (self.acknowledged.subscribe(), self.ends.subscribe());
        tokio::select! {
            _ = acknowledged.wait_for(|all| all.operations >= wanted) => {}
            _ = ends.wait_for(|ends| *ends) => {}
        }
    }

    /// Lets everybody end.
    pub(super) fn end(&self) {
        self.ends.send_replace(true);
    }

    /// Whether everybody is to end.
    pub(super) fn ends(&self) -> bool {
        *self.ends.borrow()
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.so_far();
        let Acknowledged { operations, created, deleted, split, merged, .. } = all;
        let Acknowledged { backed_up, restored, changes_read, partitions_divided, .. } = all;
        write!(
            f,
            "{operations} writes, {created} tables created, {deleted} deleted, {split} regions \
             split, {merged} merges, {backed_up} backups, {restored} tables restored, \
             {changes_read} changes read, {partitions_divided} partitions divided"
        )
    }
}
