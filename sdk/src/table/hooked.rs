//! Changes of a batch with the writes that hooks add to them.

use super::change::BatchOperation;
use super::hook::ExtraMutations;
use super::typed_table::hook_write_error;
use super::{TypedTable, WriteRow};
use crate::request::op::{BatchOutcome, Mutation, NamedOperation};
use crate::runtime::tasks::run_concurrently;
use crate::{RawTable, Result};

/// The writes that hooks added to a change, in the order in which they are made.
pub(super) type HookWrites = Vec<(RawTable, Mutation)>;

impl<T: WriteRow> TypedTable<T> {
    /// Makes changes as one batch, with the writes that hooks add. The writes that are added to one
    /// change are made in their order: the first writes of all changes are made together, then the
    /// second ones, and so on.
    pub(super) async fn run_changes_with_hooks(
        &self,
        raw: &RawTable,
        changes: &[BatchOperation<'_, T>],
        mut operations: Vec<Result<NamedOperation>>,
    ) -> Vec<Result<BatchOutcome>> {
        let asked = changes.iter().zip(&operations).map(async |(change, operation)| {
            match change.for_hooks().filter(|_| operation.is_ok()) {
                Some(change) => self.call_hooks_before_write(&change).await,
                None => Ok(ExtraMutations::new()),
            }
        });
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (asked, operation) in run_concurrently(asked).await.into_iter().zip(&mut operations) {
            let ExtraMutations { before: first, after: last } = asked.unwrap_or_else(|error| {
                *operation = Err(error);
                ExtraMutations::new()
            });
            before.push(first);
            after.push(last);
        }
        for (written, operation) in write_in_rounds(before).await.into_iter().zip(&mut operations) {
            if let Err(error) = written {
                *operation = Err(hook_write_error("is not", error));
            }
        }
        let outcomes = raw.run_named_operations(operations.into_iter()).await;
        let mut outcomes = self.check_versions(raw, changes, outcomes);
        for (added, outcome) in after.iter_mut().zip(&outcomes) {
            if !outcome.as_ref().is_ok_and(|outcome| outcome.applied) {
                added.clear();
            }
        }
        for (written, outcome) in write_in_rounds(after).await.into_iter().zip(&mut outcomes) {
            if let Err(error) = written {
                *outcome = Err(hook_write_error("is", error));
            }
        }
        outcomes
    }
}

/// Makes the first writes of all lists together, then the second ones, and so on; a list ends at
/// its first error, which is returned.
pub(super) async fn write_in_rounds(lists: Vec<HookWrites>) -> Vec<Result<()>> {
    let mut written: Vec<Result<()>> = lists.iter().map(|_| Ok(())).collect();
    let mut lists: Vec<_> = lists.into_iter().map(HookWrites::into_iter).collect();
    loop {
        let mut batches: Vec<(RawTable, Vec<usize>, Vec<Mutation>)> = Vec::new();
        for (at, (list, _)) in
            lists.iter_mut().zip(&written).enumerate().filter(|(_, (_, w))| w.is_ok())
        {
            let Some((table, mutation)) = list.next() else { continue };
            match batches.iter_mut().find(|(other, ..)| other.can_share_batch(&table)) {
                Some((_, list_indexes, mutations)) => {
                    list_indexes.push(at);
                    mutations.push(mutation);
                }
                None => batches.push((table, vec![at], vec![mutation])),
            }
        }
        if batches.is_empty() {
            return written;
        }
        let sent = batches.into_iter().map(async |(table, list_indexes, mutations)| {
            list_indexes.into_iter().zip(table.batch(mutations).await)
        });
        for (at, outcome) in run_concurrently(sent).await.into_iter().flatten() {
            if let (Some(written), Err(error)) = (written.get_mut(at), outcome) {
                *written = Err(error);
            }
        }
    }
}
