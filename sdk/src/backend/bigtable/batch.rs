//! Runs batches: changes of rows are sent in `MutateRows` calls, which report an outcome for each
//! change, and gets are sent in `ReadRows` calls. All other operations are sent one by one,
//! concurrently with these calls.

use std::iter::zip;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::{Either, join};

use super::call::{AttemptContext, AttemptDeadline, next_message};
use super::entry::{Entry, LaterChanges, MutateRowsFrame, group_into_calls};
use super::failure::{CallProgress, Failure};
use super::filter::FamilyLimits;
use super::headers::RoutingState;
use super::instance::{Instance, TableContext};
use super::lower::{Call, LoweredOperation, lower};
use super::outcome::new_outcome;
use super::read_groups::{GetGroups, GetSelection};
use super::single::read_name_and_row;
use crate::backend::attempts::{Attempts, Wait};
use crate::backend::batch::{BatchOutcomes, EntryOptions};
use crate::backend::repeat::Idempotency;
use crate::request::op::{BatchOutcome, CallTarget, NamedOperation};
use crate::runtime::in_flight_limit::OP_OVERHEAD_BYTES;
use crate::runtime::tasks::run_concurrently;
use crate::wire::bigtable::{method, mutate_rows_outcomes};
use crate::{Error, Result, TableName};

/// The approximate size of an encoded entry in bytes.
const ENTRY_BYTES: usize = 128;

/// The result of one attempt to apply an entry of a `MutateRows` call.
type EntryResult = Result<(), Box<Failure>>;

impl Instance {
    /// Executes operations as one batch, and returns their outcomes in the order of the operations.
    pub(crate) fn run_all<'a>(
        &'a self,
        operations: &mut dyn Iterator<Item = Result<NamedOperation>>,
        to: &CallTarget<'_>,
    ) -> impl Future<Output = Vec<Result<BatchOutcome>>> + use<'a> {
        if !self.endpoint.exclude_garbage {
            return Either::Left(self.run_all_on_kept(operations, to, &Ok(None)));
        }
        let operations: Vec<_> = operations.collect();
        let reads = |named: &Result<NamedOperation>| {
            named.as_ref().is_ok_and(|named| read_name_and_row(&named.operation).is_some())
        };
        let reads = operations.iter().any(reads);
        let to = to.into_owned();
        Either::Right(async move {
            let to = &to.as_call_target();
            let kept = match reads {
                true => self.family_limits("batch", to.table, to.timeout).await,
                false => Ok(None),
            };
            self.run_all_on_kept(&mut operations.into_iter(), to, &kept).await
        })
    }

    /// Executes a batch like [`run_all`](Self::run_all). `kept` contains the limits on the cells
    /// that the table's families keep, or the error of the request for these limits.
    fn run_all_on_kept<'a>(
        &'a self,
        operations: &mut dyn Iterator<Item = Result<NamedOperation>>,
        to: &CallTarget<'_>,
        kept: &Result<Option<Arc<FamilyLimits>>>,
    ) -> impl Future<Output = Vec<Result<BatchOutcome>>> + use<'a> {
        let known = self.table_context(to.table);
        let (at_least, _) = operations.size_hint();
        let mut outcomes = BatchOutcomes::with_capacity(at_least);
        let (mut entries, mut encoded) = (Vec::new(), Vec::new());
        let (mut reads, mut apart) = (GetGroups::default(), Vec::new());
        for (at, operation) in operations.enumerate() {
            outcomes.push_unknown();
            let operation = match operation {
                Ok(named) if reads.fits_last_group(&named) => {
                    reads.add_to_last_group(at, named);
                    continue;
                }
                operation => operation,
            };
            let selection = operation.as_ref().ok().and_then(GetSelection::of);
            let lowered = operation.and_then(|named| self.lower_one(named, &known, kept, to));
            let failed = match lowered {
                Ok((lowered, true, timeout)) => {
                    apart.push((at, lowered, timeout));
                    continue;
                }
                Ok((lowered, false, timeout)) if matches!(lowered.call, Call::Read { .. }) => {
                    reads.add(at, lowered, timeout, selection);
                    continue;
                }
                Ok((lowered, false, timeout)) => match Entry::new(at, lowered, &mut encoded) {
                    Ok(entry) => {
                        if entries.is_empty() {
                            let rest = at_least.saturating_sub(at);
                            entries.reserve(rest);
                            encoded.reserve(ENTRY_BYTES * rest.min(1_000));
                        }
                        entries.push(entry);
                        continue;
                    }
                    Err(lowered) => {
                        apart.push((at, *lowered, timeout));
                        continue;
                    }
                },
                Err(error) => error,
            };
            outcomes.set(at, Err(failed));
        }
        let attempts =
            self.attempts_on("batch", Some(to.table), to.timeout).with_batch_size(outcomes.len());
        let operations = (entries.len() + reads.get_count()) as u64;
        let mut attempts = attempts.with_retry_budget(&self.retries, operations);
        let (table, waits) = (to.table.clone(), to.wait_when_full);
        async move {
            if let Ok(known) = &known {
                let of_reads = attempts.of_part("get", 0, attempts.attempt_started_at());
                let read = self.run_reads(reads, (&table, known), &of_reads);
                let sent = self.run_entries(
                    (entries, &encoded),
                    (&table, known),
                    waits,
                    &mut attempts,
                    &mut outcomes,
                );
                let one_by_one = apart.into_iter().map(async |(at, lowered, timeout)| {
                    (at, self.run_lowered(lowered, table.clone(), known.clone(), timeout).await)
                });
                let both = join(read.boxed(), run_concurrently(one_by_one));
                let ((), (read, done)) = join(sent.boxed(), both).await;
                read.into_iter()
                    .flatten()
                    .chain(done)
                    .for_each(|(at, outcome)| outcomes.set(at, outcome));
            }
            attempts.end(outcomes.summary(&table)).ok();
            outcomes.finish()
        }
    }

    /// Lowers one operation of a batch. Returns the lowered operation, whether it is sent in a call
    /// of its own, and its timeout.
    fn lower_one(
        &self,
        named: NamedOperation,
        known: &Result<Arc<TableContext>>,
        kept: &Result<Option<Arc<FamilyLimits>>>,
        to: &CallTarget<'_>,
    ) -> Result<(LoweredOperation, bool, std::time::Duration)> {
        let how = EntryOptions::of(&named, to);
        let to = how.target(to);
        let same = |error: &Error| Error::new(error.kind(), error.to_string());
        let known = known.as_ref().map_err(same)?;
        let kept = match (kept, read_name_and_row(&named.operation)) {
            (Err(error), Some((name, row))) => {
                let error = same(error)
                    .with_operation_if_unset(to.operation_name.unwrap_or(name))
                    .on_table(to.table);
                return Err(error.on_row(row));
            }
            (kept, _) => kept.as_ref().ok().and_then(|kept| kept.as_deref()),
        };
        let lowered = lower(named.operation, &to, &self.table_facts(known, kept))?;
        Ok((lowered, how.is_apart, how.timeout))
    }

    async fn run_entries(
        &self,
        (entries, encoded): (Vec<Entry>, &[u8]),
        (table, known): (&TableName, &TableContext),
        waits: bool,
        attempts: &mut Attempts,
        outcomes: &mut BatchOutcomes,
    ) {
        if entries.is_empty() {
            return;
        }
        let bytes = entries.iter().map(|entry| OP_OVERHEAD_BYTES + entry.field.len()).sum();
        let permit = self.reserve_in_flight_bytes(bytes, waits, attempts).await;
        let _permit = match permit {
            Ok(permit) => permit,
            Err(error) => {
                let error = Arc::new(error);
                for entry in entries {
                    let error =
                        Error::from_shared(error.clone()).on_table(table).on_row(&entry.row);
                    outcomes.set(entry.position, Err(error.with_operation_if_unset(entry.name)));
                }
                return;
            }
        };
        let mut cookies = RoutingState::default();
        let (mut now, mut later) = LaterChanges::split_off(entries);
        while !now.is_empty() {
            attempts.begin_attempt();
            for entry in &mut now {
                if let Some(own) = &mut entry.attempts {
                    own.begin_attempt();
                }
            }
            let (mut next, mut has_failed) = (Vec::new(), false);
            let (mut pause, mut reason) = (std::time::Duration::ZERO, Wait::NotExecuted);
            let sent = self.send((now, encoded), known, attempts, &mut cookies).await;
            for (entry, answer) in sent.into_iter().flat_map(|(call, answers)| zip(call, answers)) {
                let row = (!later.is_empty()).then(|| entry.row.clone());
                match self.judge(entry, answer, table, attempts) {
                    Judged::Done(at, outcome) => {
                        outcomes.set(at, outcome);
                        next.extend(row.and_then(|row| later.next_of(&row)));
                    }
                    // An entry that failed is sent again before later changes of its row.
                    Judged::Again(entry, wait, least) => {
                        // The longest pause is kept. If two pauses are equally long, a pause that
                        // nothing ends early is preferred.
                        if least > pause || wait != Wait::NotExecuted && least == pause {
                            (pause, reason) = (least, wait);
                        }
                        has_failed = true;
                        next.push(*entry);
                    }
                }
            }
            now = next;
            if has_failed {
                attempts.sleep_before_retry(pause, reason).await;
            }
        }
    }

    /// Sends each of these entries once, in as many calls as needed, and returns the entries of
    /// each call with their results. All entries are of different rows.
    async fn send(
        &self,
        (entries, encoded): (Vec<Entry>, &[u8]),
        known: &TableContext,
        attempts: &Attempts,
        cookies: &mut RoutingState,
    ) -> Vec<(Vec<Entry>, Vec<EntryResult>)> {
        let most = self.attempt_timeout(Idempotency::Write, None);
        let limit = AttemptDeadline::of_attempt(attempts, most);
        let earlier = &*cookies;
        let sent = group_into_calls(entries).into_iter().map(async |call: Vec<Entry>| {
            let (count, begun) = (attempts.count(), attempts.attempt_started_at());
            let mut own = attempts.of_part("batch", count, begun);
            let target = &known.target_fields.mutate_rows;
            let request = MutateRowsFrame { target, entries: &call, encoded };
            let sending = AttemptContext {
                instance: self,
                pool: &self.data,
                path: method::MUTATE_ROWS,
                headers: &known.headers,
                limit,
                lasts: false,
            };
            let mut cookies = earlier.clone();
            let answers = outcomes_of(&sending, &request, &mut own, &mut cookies).await;
            ((call, answers), cookies)
        });
        let (answers, of_calls): (Vec<_>, Vec<_>) =
            run_concurrently(sent).await.into_iter().unzip();
        of_calls.iter().for_each(|of_call| cookies.add(of_call));
        answers
    }

    fn judge(
        &self,
        mut entry: Entry,
        answer: EntryResult,
        table: &TableName,
        attempts: &Attempts,
    ) -> Judged {
        let Err(failure) = answer else {
            return Judged::Done(entry.position, Ok(new_outcome(None, false, true)));
        };
        // An entry without `attempts` was sent for the first time, even if earlier changes of its
        // row were sent several times.
        let first = || Box::new(attempts.of_part(entry.name, 1, attempts.attempt_started_at()));
        let mut own = entry.attempts.take().unwrap_or_else(first);
        own.record_server(self.data.server());
        match entry.retry.next_pause(&failure, self.data.server(), &mut own) {
            Ok((pause, wait)) => {
                entry.attempts = Some(own);
                Judged::Again(Box::new(entry), wait, pause)
            }
            Err(error) => {
                let ended = own.end::<BatchOutcome>(Err(error.on_table(table).on_row(&entry.row)));
                Judged::Done(entry.position, ended)
            }
        }
    }
}

enum Judged {
    Done(usize, Result<BatchOutcome>),
    Again(Box<Entry>, Wait, std::time::Duration),
}

/// Sends a `MutateRows` call, and returns the result of each of its entries.
async fn outcomes_of(
    sending: &AttemptContext<'_>,
    request: &MutateRowsFrame<'_>,
    attempts: &mut Attempts,
    cookies: &mut RoutingState,
) -> Vec<EntryResult> {
    let mut outcomes: Vec<Option<EntryResult>> = vec![None; request.entries.len()];
    let mut foreign = None;
    let rest = match sending.streaming(request, attempts, cookies).await {
        Err(failure) => failure,
        Ok(mut stream) => 'read: loop {
            match next_message(&mut stream, sending.limit, cookies).await {
                Ok(Some(message)) => {
                    for outcome in mutate_rows_outcomes(&message) {
                        let (index, status) = match outcome {
                            Ok(outcome) => outcome,
                            Err(error) => {
                                let text = error.to_string();
                                let code = tonic::Code::Internal;
                                break 'read Failure::new(code, text, CallProgress::Unanswered);
                            }
                        };
                        let at = usize::try_from(index).ok();
                        let Some(place @ None) = at.and_then(|at| outcomes.get_mut(at)) else {
                            let text = format!("the answer has an outcome of entry {index}");
                            foreign.get_or_insert(format!("{text}, which waits for none"));
                            continue;
                        };
                        let failed = |status| Err(Failure::of_entry(&status).into());
                        *place = Some(status.map_or(Ok(()), failed));
                    }
                }
                Ok(None) => {
                    let none = || "the answer ended well, and has no outcome for it".to_owned();
                    let text = foreign.unwrap_or_else(none);
                    break Failure::new(tonic::Code::Internal, text, CallProgress::Unanswered);
                }
                Err(failure) => break failure,
            }
        },
    };
    let rest = || Err(Box::new(rest.clone()));
    outcomes.into_iter().map(|outcome| outcome.unwrap_or_else(rest)).collect()
}
