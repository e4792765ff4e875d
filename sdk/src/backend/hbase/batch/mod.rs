//! Batches: many operations that are grouped by server and region, and sent in one call to each
//! server. Operations that failed are tried again by the same rules as single operations.

mod calls;
mod entry;
mod run;

use std::sync::Arc;

use futures_util::future::join;
use tokio::time::Instant;

use self::entry::Entry;
use self::run::Run;
use super::cluster::Cluster;
use super::lower::{self, EncodedRowOperation, Encoder, ReplicaSelection};
use super::operation_progress::OperationProgress;
use super::retry::Attempts;
use crate::backend::batch::{BatchOutcomes, EntryOptions};
use crate::request::op::{BatchOutcome, CallTarget, NamedOperation};
use crate::runtime::tasks::run_concurrently;
use crate::{Error, Result, TableName};

impl Cluster {
    /// Executes many operations as one batch, and returns their outcomes in the order of the
    /// operations.
    ///
    /// This is not an async function, so that the future holds only what is sent, and not the
    /// operations as well.
    pub(crate) fn run_all<'a>(
        &'a self,
        operations: &mut dyn Iterator<Item = Result<NamedOperation>>,
        to: &CallTarget<'_>,
    ) -> impl Future<Output = Vec<Result<BatchOutcome>>> + use<'a> {
        let (expected, _) = operations.size_hint();
        let mut encoder = Encoder::for_many(self.config.max_cell_bytes, expected);
        let mut outcomes = BatchOutcomes::with_capacity(expected);
        let (mut entries, mut apart) = (Vec::with_capacity(expected), Vec::new());
        for (at, operation) in operations.enumerate() {
            outcomes.push_unknown();
            let named = match operation {
                Ok(named) => named,
                Err(error) => {
                    outcomes.set(at, Err(error));
                    continue;
                }
            };
            let how = EntryOptions::of(&named, to);
            let is_hedged =
                |op: &EncodedRowOperation| op.about.replicas != ReplicaSelection::Primary;
            match lower::encode_operation(named.operation, &how.target(to), &mut encoder) {
                Ok(op) if how.is_apart || is_hedged(&op) => apart.push((at, op, how.timeout)),
                Ok(op) => match Entry::new(at, op, self) {
                    Ok(entry) => entries.push(entry),
                    Err(op) => apart.push((at, *op, how.timeout)),
                },
                Err(error) => outcomes.set(at, Err(error)),
            }
        }
        let attempts =
            self.attempts_on("batch", Some(to.table), to.timeout).with_batch_size(outcomes.len());
        let mut attempts = attempts.with_retry_budget(&self.retries, entries.len() as u64);
        let (table, waits) = (to.table.clone(), to.wait_when_full);
        async move {
            let sent = self.run_entries(entries, &table, waits, &mut attempts, &mut outcomes);
            if apart.is_empty() {
                sent.await;
            } else {
                let one_by_one = apart.into_iter().map(async |(at, op, timeout)| {
                    (at, self.run_encoded(op, table.clone(), timeout).await)
                });
                let ((), done) = join(sent, run_concurrently(one_by_one)).await;
                done.into_iter().for_each(|(at, outcome)| outcomes.set(at, outcome));
            }
            attempts.end(outcomes.summary(&table)).ok();
            outcomes.finish()
        }
    }

    /// Returns the servers that hold the rows of these entries; no servers if the server of any row
    /// is not known.
    fn servers_of(&self, entries: &[Entry], table: &TableName) -> Vec<Arc<str>> {
        let (mut servers, mut all) = (Vec::new(), true);
        let rows = entries.iter().map(|entry| &*entry.about.row);
        self.locator.cache().for_each_row(table, rows, |location| match location {
            Some(location) if !servers.contains(location.server_address()) => {
                servers.push(location.server_address().clone());
            }
            location => all &= location.is_some(),
        });
        if all { servers } else { Vec::new() }
    }

    async fn run_entries(
        &self,
        entries: Vec<Entry<'_>>,
        table: &TableName,
        waits: bool,
        attempts: &mut Attempts,
        outcomes: &mut BatchOutcomes,
    ) {
        if entries.is_empty() {
            return;
        }
        let bytes = entries.iter().map(Entry::bytes).sum();
        attempts.begin_attempt();
        let permit = match self.reserve(bytes, attempts) {
            Ok(None) => {
                let on = self.servers_of(&entries, table);
                let on = (&on[..], self.servers.region_server_count());
                self.await_in_flight_bytes(bytes, waits, on, attempts).await
            }
            taken => {
                taken.and_then(|taken| taken.ok_or_else(|| self.in_flight_timeout_error(attempts)))
            }
        };
        match permit {
            Ok(permit) => Run::new(self, table, attempts, outcomes, permit).run(entries).await,
            Err(error) => {
                let error = Arc::new(error);
                for entry in entries {
                    let attempts = attempts.of_part(entry.about.name, 0, Instant::now());
                    let error = Err(Error::from_shared(error.clone()));
                    let mut progress = OperationProgress::new(attempts);
                    let outcome = progress.finish(error, table, &entry.about, &self.servers);
                    outcomes.set(entry.at, outcome);
                }
            }
        }
    }
}
