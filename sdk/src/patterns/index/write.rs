//! Makes a change of a row in its steps: writes the entries, changes the row, and deletes old
//! entries.
//!
//! # Invariants
//!
//! - A row is found by its index keys and by no other keys: new entries are written before the row
//!   is changed, old entries are deleted afterwards, and an entry with an intent is checked against
//!   the row. Tests:
//!   `tests/suites/faults/index.rs::a_writer_stopped_at_any_write_leaves_right_indexes`,
//!   `tests/suites/faults/index.rs::what_a_stopped_writer_left_does_not_stop_others`,
//!   `tests/suites/index`.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::{Instant, sleep};

use super::entries::IndexRow;
use super::plan::{Change, ChangeKind, Plan};
use super::state::{State, StoredIndexMarker};
use crate::model::show;
use crate::raw_table::conditional_write::ConditionalOutcome;
use crate::request::op::Mutation;
use crate::runtime::lost_replies;
use crate::runtime::tasks::SharedTask;
use crate::runtime::tasks::run_concurrently;
use crate::table::Table;
use crate::{Error, ErrorKind, Get, Increment, Result};

/// How the change of the row itself ended.
enum Commit {
    Done,
    /// The change was not made and never will be: another writer has changed the row, or has fenced
    /// it to claim a unique key.
    Lost,
    /// The reply was lost, and it is not known whether the change was made.
    Unknown(Error),
}

impl<T: Table + 'static> State<T> {
    /// Makes a change, and completes it even if the returned future is dropped.
    pub(super) async fn change(self: &Arc<Self>, change: Change) -> Result<()> {
        let (state, operation_name, row) =
            (self.clone(), change.operation_name, change.row.clone());
        if let ChangeKind::Write(changes) = &change.kind
            && let Some(problem) = changes.problem()
        {
            return Err(Error::invalid(problem)
                .with_operation_if_unset(operation_name)
                .on_table(self.raw.name())
                .on_row(&row));
        }
        let deadline = self.raw.deadline();
        let task = SharedTask::spawn(deadline, async move { state.run(change, deadline).await });
        let done = task.wait_until(deadline).await;
        done.map_err(|e| e.with_operation(operation_name).on_table(self.raw.name()).on_row(&row))
    }

    async fn run(&self, change: Change, deadline: Instant) -> Result<()> {
        let mut lost = 0;
        loop {
            let all = matches!(change.kind, ChangeKind::Delete);
            let before = self.read_before(&change.row, all, deadline).await?;
            let Some(plan) = self.plan(&change, &before)? else { return Ok(()) };
            match self.attempt(&change.row, &plan, deadline).await {
                Ok(Commit::Done) => {
                    // If this fails, a repair deletes the entries and intents later: the change is
                    // made, and readers check the row.
                    self.write(plan.deletes_after_change(), deadline).await.ok();
                    return self.increment_summaries(plan.increments, deadline).await;
                }
                Ok(Commit::Lost) => {
                    self.write(plan.deletes_without_change(), deadline).await.ok();
                    lost += 1;
                    if Instant::now() >= deadline {
                        let text = format!(
                            "others changed the row during each of {lost} attempts; it is safe to repeat"
                        );
                        return Err(Error::new(ErrorKind::Timeout, text));
                    }
                    sleep(Duration::from_millis(fastrand::u64(0..=1 << lost.min(7)))).await;
                }
                // The change may still be made, so its intents stay.
                Ok(Commit::Unknown(error)) => return Err(error),
                Err(error) => {
                    self.write(plan.deletes_without_change(), deadline).await.ok();
                    return Err(error);
                }
            }
        }
    }

    /// Sends the increments of the summaries, each of which is applied at most once.
    async fn increment_summaries(
        &self,
        increments: Vec<(usize, Increment)>,
        deadline: Instant,
    ) -> Result<()> {
        let count = async |(number, increment): (usize, Increment)| match self.summaries.get(number)
        {
            Some(summary) => {
                summary.table()?.with_deadline(deadline).increment(increment).await.map(drop)
            }
            None => Ok(()),
        };
        let counted = run_concurrently(increments.into_iter().map(count)).await;
        counted.into_iter().collect::<Result<()>>().map_err(|error| {
            error.into_unknown(
                "the row and its indexes are changed, but not all of its totals; recount them",
            )
        })
    }

    /// Makes all steps up to and including the change of the row. An error means that the change
    /// was not made.
    async fn attempt(&self, row: &Bytes, plan: &Plan, deadline: Instant) -> Result<Commit> {
        self.write(plan.puts_before_change(), deadline).await?;
        let check = |(number, key)| self.check_unique(number, key, row, deadline);
        run_concurrently(plan.new_keys().map(check)).await.into_iter().collect::<Result<()>>()?;
        self.commit(row, plan, deadline).await
    }

    /// Writes to the tables of the indexes; all cells have explicit timestamps, so a write is
    /// repeated after a lost reply.
    async fn write<M: Into<Mutation>>(
        &self,
        writes: Vec<(usize, M)>,
        deadline: Instant,
    ) -> Result<()> {
        let write = async |(number, mutation): (usize, M)| {
            self.index_table(number)?.with_deadline(deadline).mutate(mutation.into()).await
        };
        let written = run_concurrently(writes.into_iter().map(write)).await;
        written.into_iter().try_for_each(|result| result.map(drop))
    }

    async fn commit(&self, row: &[u8], plan: &Plan, deadline: Instant) -> Result<Commit> {
        let mut unknown: Option<Error> = None;
        for _ in 0..lost_replies::MAX_LOST_REPLIES {
            match ConditionalOutcome::send(&self.raw.with_deadline(deadline), plan.commit.clone())
                .await
            {
                Ok(ConditionalOutcome::Applied) => return Ok(Commit::Done),
                Ok(ConditionalOutcome::NotApplied) if unknown.is_none() => return Ok(Commit::Lost),
                Ok(ConditionalOutcome::NotApplied) => {}
                Ok(ConditionalOutcome::Unknown(error)) => unknown = Some(error),
                Err(error) if unknown.is_none() => return Err(error),
                Err(_) => break,
            }
            let Ok(stored) = self.read_index_marker(row, deadline).await else { break };
            let is_mine = |stored: &StoredIndexMarker| {
                let marker = &stored.marker;
                marker.change == plan.id || marker.entries.iter().any(|e| e.id == plan.id)
            };
            if stored.as_ref().is_some_and(is_mine) {
                return Ok(Commit::Done);
            }
            let unchanged =
                stored.as_ref().map(|stored| &stored.bytes) == plan.expected_marker.as_ref();
            if !unchanged || Instant::now() >= deadline {
                break;
            }
            // If an earlier attempt is still under way, it cannot be applied after the next
            // attempt, because the marker that it expects is never written again.
        }
        let cause = unknown.unwrap_or_else(|| Error::new(ErrorKind::OutcomeUnknown, "no reply"));
        let text = "the reply was lost, and the row does not say whether it was made; its indexes are right either way";
        Ok(Commit::Unknown(cause.into_unknown(text)))
    }

    /// Returns an error if another row has this key in a unique index. If two changes add the same
    /// key concurrently, at least one of them sees the entry of the other change, and prevents that
    /// change from being made.
    async fn check_unique(
        &self,
        number: usize,
        key: &Bytes,
        row: &Bytes,
        deadline: Instant,
    ) -> Result<()> {
        let Some(index) = self.indexes.get(number).filter(|index| index.unique) else {
            return Ok(());
        };
        let Some(found) = index.table.with_deadline(deadline).get(Get::new(key)).await? else {
            return Ok(());
        };
        let found: IndexRow<()> = IndexRow::decode(&found)?;
        for entry in found.entries.iter().filter(|entry| entry.row != *row) {
            let intents = found.intents.iter().filter(|intent| intent.entry_written_by == entry.id);
            let mut marker = None;
            for intent in intents {
                marker =
                    Some(self.fence(&entry.row, intent.required_marker_change, deadline).await?);
            }
            let marker = match marker {
                Some(marker) => marker,
                None => {
                    self.read_index_marker(&entry.row, deadline).await?.map(|stored| stored.marker)
                }
            };
            let name = &index.name;
            if marker.is_some_and(|marker| marker.has_entry(name, entry.id, key)) {
                let other = show::row_key(&entry.row);
                let text = format!(
                    "the row {other} has the same key {} in the unique index {name:?}",
                    show::bytes(key)
                );
                return Err(Error::new(ErrorKind::NotUnique, text));
            }
        }
        Ok(())
    }
}
