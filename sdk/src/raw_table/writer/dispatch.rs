//! The task of a writer, which sends the collected writes in batches.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep_until};

use super::shared::Shared;
use super::state::Write;
use crate::request::op::{BatchOutcome, BatchResults, RowOperation};
use crate::{Error, ErrorKind};

/// The result of the task that sends a batch: the id of the task and the outcomes of the batch.
type Ended = Result<(Id, BatchResults<BatchOutcome>), JoinError>;

/// Sends the writes of a writer until the writer is closed, or until all its handles were dropped
/// and no write is left.
pub(super) async fn dispatch(shared: Arc<Shared>) {
    let mut tasks = JoinSet::new();
    let mut batches = HashMap::new();
    loop {
        let due = {
            let mut guarded = shared.lock();
            // Batches that are still under way are no longer waited for: dropping the set aborts
            // their tasks.
            if guarded.given_up || (guarded.abandoned && guarded.writes.is_idle()) {
                return;
            }
            let now = Instant::now();
            let ignores_thresholds = guarded.waiting_callers > 0 || guarded.abandoned;
            while let Some((batch, writes)) = guarded.writes.take_batch(now, ignores_thresholds) {
                let table = shared.table.clone();
                let task = tasks.spawn(async move {
                    let nth = |at| writes.get(at).map(|write: &Write| write.mutation.clone());
                    let mutations = (0..writes.len()).map_while(nth);
                    table.batch(mutations.map(RowOperation::Mutation)).await
                });
                batches.insert(task.id(), batch);
            }
            guarded.writes.next_due()
        };
        tokio::select! {
            // The branches are polled in a fixed order, so that runs with the same seed are the
            // same. Answers come first, because they make room for writes.
            biased;
            Some(ended) = tasks.join_next_with_id() => {
                let id = ended.as_ref().map_or_else(JoinError::id, |(id, _)| *id);
                if let Some(batch) = batches.remove(&id) {
                    answered(&shared, batch, ended);
                }
            }
            () = shared.work.notified() => {}
            () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {}
        }
    }
}

fn answered(shared: &Shared, batch: u64, ended: Ended) {
    let (now, mut told) = (Instant::now(), Vec::new());
    let server_of = |row: &[u8]| shared.table.cached_server_address(row);
    let free = {
        let mut guarded = shared.lock();
        let told = shared.on_failure.is_some().then_some(&mut told);
        let writes = &mut guarded.writes;
        match ended {
            Ok((_, outcomes)) => {
                let errors = outcomes.into_iter().map(Result::err);
                writes.record_answers(batch, errors, now, server_of, told)
            }
            Err(ended) => {
                let ended = Arc::new(ended);
                let error = || {
                    let text = "the task that sent it was ended";
                    let error = Error::new(ErrorKind::OutcomeUnknown, text)
                        .with_operation_if_unset("write");
                    Some(error.on_table(shared.table.name()).caused_by(ended.clone()))
                };
                writes.record_answers(batch, std::iter::repeat_with(error), now, server_of, told)
            }
        }
    };
    shared.room.add_permits(free);
    for failed in told {
        if let Some(on_failure) = &shared.on_failure {
            on_failure(failed);
        }
    }
    shared.progress.notify_waiters();
}
