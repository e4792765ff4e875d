//! Executes single operations on one row: lowers them, sends them with retries, and converts the
//! answers.

use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::Either;
use tokio::time::Instant;
use tonic::Status;

use super::call::{AttemptContext, AttemptDeadline, next_message};
use super::codec::{self, EncodedFields, MutateRowFrame, OnTarget, ToFrame};
use super::explanation::{invalid_answer_error, unrequested_row_text};
use super::failure::{Failure, unreadable_answer_status};
use super::filter::FamilyLimits;
use super::headers::RoutingState;
use super::instance::{Instance, TableContext};
use super::lower::{Call, LoweredOperation, TableFacts, lower};
use super::outcome::OperationAnswer;
use super::replay_token::token_of;
use super::retry::RetryState;
use crate::backend::attempts::Attempts;
use crate::request::op::{BatchOutcome, CallTarget, OwnedTarget, RowOperation};
use crate::runtime::in_flight_limit::OP_OVERHEAD_BYTES;
use crate::wire::bigtable::{
    CheckAndMutateRowResponse, Idempotency, MergedRow, MutateRow, MutateRowResponse, ReadRowsPart,
    RowMerger, decode_read_modify_write_row, encode_row_keys, method, read_rows_parts,
};
use crate::{Result, TableName};

/// Returns the name and the row of an operation that reads; `None` if it only writes.
pub(super) fn read_name_and_row(operation: &RowOperation) -> Option<(&'static str, &Bytes)> {
    match operation {
        RowOperation::Get(get) => Some(("get", &get.row)),
        RowOperation::Exists(get) => Some(("exists", &get.row)),
        RowOperation::CheckAndMutate(check) => Some(("check and mutate", &check.row)),
        RowOperation::Mutation(_) => None,
    }
}

impl Instance {
    /// Checks an operation without sending it: fails if the operation would fail before it is sent.
    pub(crate) fn validate(&self, operation: RowOperation, to: &CallTarget<'_>) -> Result<()> {
        let known = self.table_context(to.table)?;
        lower(operation, to, &self.table_facts(&known, None)).map(drop)
    }

    /// Executes one operation: sends it, and tries again until it is answered or its deadline
    /// passes.
    ///
    /// This is not an async function, so that the future holds only the lowered operation, and not
    /// the original operation as well.
    pub(crate) fn run(
        &self,
        operation: RowOperation,
        to: &CallTarget<'_>,
    ) -> impl Future<Output = Result<BatchOutcome>> + use<'_> {
        let known = match self.table_context(to.table) {
            Ok(known) => known,
            Err(error) => return Either::Left(ready(Err(error))),
        };
        if self.endpoint.exclude_garbage {
            let to = to.into_owned();
            return Either::Right(self.run_on_kept(operation, to, known).boxed());
        }
        match lower(operation, to, &self.table_facts(&known, None)) {
            Ok(lowered) => {
                let (table, timeout) = (to.table.clone(), to.timeout);
                let run = self.run_lowered(lowered, table, known, timeout);
                Either::Right(run.boxed())
            }
            Err(error) => Either::Left(ready(Err(error))),
        }
    }

    /// Executes one operation like [`run`](Self::run). If the operation reads, this function first
    /// gets the limits on the cells that the families keep.
    async fn run_on_kept(
        &self,
        operation: RowOperation,
        to: OwnedTarget,
        known: Arc<TableContext>,
    ) -> Result<BatchOutcome> {
        let to = to.as_call_target();
        let since = Instant::now();
        let kept = match read_name_and_row(&operation) {
            Some((name, row)) => {
                let kept = self
                    .family_limits(to.operation_name.unwrap_or(name), to.table, to.timeout)
                    .await;
                kept.map_err(|error| error.on_row(row))?
            }
            None => None,
        };
        let lowered = lower(operation, &to, &self.table_facts(&known, kept.as_deref()))?;
        let left = to.timeout.saturating_sub(since.elapsed());
        self.run_lowered(lowered, to.table.clone(), known, left).await
    }

    pub(super) fn table_facts<'k>(
        &self,
        known: &TableContext,
        kept: Option<&'k FamilyLimits>,
    ) -> TableFacts<'k> {
        TableFacts {
            is_materialized_view: !known.target.materialized_view.is_empty(),
            family_limits: kept,
            max_cell_bytes: self.config.max_cell_bytes,
        }
    }

    pub(super) fn run_lowered(
        &self,
        lowered: LoweredOperation,
        table: TableName,
        known: Arc<TableContext>,
        timeout: Duration,
    ) -> impl Future<Output = Result<BatchOutcome>> {
        self.send_lowered(lowered, table, known, timeout, OperationAnswer::outcome)
    }

    /// Sends an operation, and tries again until it is answered or `timeout` is over. Returns the
    /// answer after `read` has converted it.
    #[expect(clippy::manual_async_fn, reason = "its future would hold the arguments twice")]
    pub(super) fn send_lowered<T>(
        &self,
        mut lowered: LoweredOperation,
        table: TableName,
        known: Arc<TableContext>,
        timeout: Duration,
        read: fn(OperationAnswer) -> Result<T>,
    ) -> impl Future<Output = Result<T>> {
        async move {
            let attempts = self.budgeted_attempts(lowered.name, &table, timeout);
            let mut attempts = attempts.on_row(&lowered.row);
            let answer = match lowered.needs_timestamp {
                true => self.run_dated(&mut lowered, &known, &mut attempts).boxed().await,
                false => self.run_now(&lowered, &known, &mut attempts).await,
            };
            let result = answer.and_then(read);
            attempts.end(result.map_err(|error| error.on_table(&table).on_row(&lowered.row)))
        }
    }

    /// Executes an operation whose cells get a timestamp from the client. No other write of the row
    /// gets this timestamp while this operation may still be sent.
    async fn run_dated(
        &self,
        lowered: &mut LoweredOperation,
        known: &TableContext,
        attempts: &mut Attempts,
    ) -> Result<OperationAnswer> {
        let is_conditional = matches!(lowered.call, Call::Check(..));
        let timestamp = self.await_write_timestamp(&lowered.row, is_conditional, attempts);
        let mut timestamp = timestamp.await?;
        lowered.set_timestamps(timestamp.time());
        let answer = self.run_now(lowered, known, attempts).await;
        match attempts.count() {
            0 => timestamp.mark_unsent(),
            1 if answer.is_ok() && !lowered.deletes => timestamp.mark_answered(),
            _ => {}
        }
        answer
    }

    async fn run_now(
        &self,
        lowered: &LoweredOperation,
        known: &TableContext,
        attempts: &mut Attempts,
    ) -> Result<OperationAnswer> {
        let bytes = OP_OVERHEAD_BYTES + lowered.size();
        let _permit = self.reserve_in_flight_bytes(bytes, lowered.waits, attempts).await?;
        let server = self.data.server();
        let mut cookies = RoutingState::default();
        let mut retry = RetryState::new(lowered.idempotency);
        let token = token_of(lowered.idempotency);
        loop {
            attempts.begin_attempt_keeping_first_start();
            match self.attempt((lowered, token.as_ref()), known, attempts, &mut cookies).await? {
                Ok(answer) => return Ok(answer),
                Err(failure) => retry.pause(&failure, server, attempts).await?,
            }
        }
    }

    /// Sends the operation once, with its token if it has one. After an invalid answer, the
    /// operation fails and is not tried again.
    async fn attempt(
        &self,
        (lowered, token): (&LoweredOperation, Option<&Idempotency>),
        known: &TableContext,
        attempts: &mut Attempts,
        cookies: &mut RoutingState,
    ) -> Result<Result<OperationAnswer, Failure>> {
        let most = self.attempt_timeout(lowered.idempotency, lowered.attempt_timeout);
        let limit = AttemptDeadline::of_attempt(attempts, most);
        let sending = |path| AttemptContext {
            instance: self,
            pool: &self.data,
            path,
            headers: &known.headers,
            limit,
            lasts: false,
        };
        Ok(match &lowered.call {
            Call::Read { fields, existence_only } => {
                let reading = sending(method::READ_ROWS);
                let row = encode_row_keys(std::iter::once(&*lowered.row));
                let request = EncodedFields([&known.target_fields.read_row, &row, fields]);
                match read_row(&reading, &request, attempts, cookies).await {
                    Ok(row) => Ok(OperationAnswer::Row(of_row(row?, lowered)?, *existence_only)),
                    Err(failure) => Err(failure),
                }
            }
            Call::Mutate(mutations) => {
                let writing = sending(method::MUTATE_ROW);
                let target = &known.target_fields.mutate_row;
                let rest = MutateRow { row_key: &lowered.row, mutations, idempotency: token };
                let request = MutateRowFrame { target, rest };
                writing.unary(&request, attempts, cookies, made).await
            }
            Call::ReadModifyWrite(request) => {
                let writing = sending(method::READ_MODIFY_WRITE_ROW);
                let target = &known.target_fields.read_modify_write_row;
                let request = OnTarget { target, rest: &**request };
                let changed = writing.unary(&request, attempts, cookies, changed).await;
                changed.and_then(|answer| match answer {
                    Some(row) if row.key() != &*lowered.row => Err(Failure::from(
                        &unreadable_answer_status(unrequested_row_text(row.key())),
                    )),
                    row => Ok(OperationAnswer::Changed(row)),
                })
            }
            Call::Check(request, holds_if_matched) => {
                let writing = sending(method::CHECK_AND_MUTATE_ROW);
                let target = &known.target_fields.check_and_mutate_row;
                let request = OnTarget { target, rest: &**request };
                let matched = writing.unary(&request, attempts, cookies, matched).await;
                matched.map(|is_matched| OperationAnswer::Checked {
                    is_matched,
                    holds_if_matched: *holds_if_matched,
                })
            }
        })
    }
}

fn made(answer: Bytes) -> Result<OperationAnswer, Status> {
    codec::decode::<MutateRowResponse>(answer).map(|_| OperationAnswer::Applied)
}

fn changed(answer: Bytes) -> Result<Option<MergedRow>, Status> {
    decode_read_modify_write_row(&answer)
        .map_err(|error| unreadable_answer_status(error.to_string()))
}

/// Returns the row that was read; fails if it is not the row of the operation.
fn of_row(row: Option<MergedRow>, lowered: &LoweredOperation) -> Result<Option<MergedRow>> {
    match row {
        Some(row) if row.key() != &*lowered.row => {
            Err(invalid_answer_error(unrequested_row_text(row.key())))
        }
        row => Ok(row),
    }
}

fn matched(answer: Bytes) -> Result<bool, Status> {
    codec::decode::<CheckAndMutateRowResponse>(answer).map(|answer| answer.predicate_matched)
}

/// Sends a request for one row, and returns the row.
async fn read_row(
    reading: &AttemptContext<'_>,
    request: &impl ToFrame,
    attempts: &mut Attempts,
    cookies: &mut RoutingState,
) -> Result<Result<Option<MergedRow>>, Failure> {
    let mut answer = reading.streaming(request, attempts, cookies).await?;
    let mut merger = RowMerger::new(false);
    let mut found = None;
    loop {
        let encode_message = match next_message(&mut answer, reading.limit, cookies).await {
            Ok(Some(encode_message)) => encode_message,
            Ok(None) => break,
            // The row is already complete, so the failure does not matter.
            Err(_) if found.is_some() => return Ok(Ok(found)),
            Err(failure) => return Err(failure),
        };
        for part in read_rows_parts(&encode_message) {
            let merged = part.and_then(|part| match part {
                ReadRowsPart::Chunk(chunk) => merger.merge(&chunk),
                ReadRowsPart::Scanned(_) | ReadRowsPart::Stats(_) => Ok(None),
            });
            match merged {
                Ok(Some(row)) if found.is_none() => found = Some(std::mem::take(row)),
                Ok(Some(_)) => return Ok(Err(invalid_answer_error("more than one row"))),
                Ok(None) => {}
                Err(error) => return Ok(Err(invalid_answer_error(error))),
            }
        }
    }
    Ok(match merger.finish() {
        Ok(()) => Ok(found),
        Err(error) => Err(invalid_answer_error(error)),
    })
}
