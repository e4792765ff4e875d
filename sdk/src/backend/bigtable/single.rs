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

use super::call::{Limit, Sending, next};
use super::codec::{self, WithFields};
use super::explanation::{not_asked_for, torn};
use super::failure::{Failure, malformed};
use super::filter::Kept;
use super::headers::Cookies;
use super::instance::{Instance, Known};
use super::lower::{Call, Lowered, TableFacts, lower};
use super::outcome::Answer;
use super::retry::Retry;
use crate::backend::attempts::Attempts;
use crate::request::op::{Outcome, OwnedTarget, RowOperation, Target};
use crate::runtime::in_flight_limit::OP_BYTES;
use crate::wire::bigtable::{
    CheckAndMutateRowResponse, MergedRow, MutateRowRequest, MutateRowResponse, ReadRowsRequest,
    RowMerger, RowsPart, method, read_modify_write_row, rows_parts,
};
use crate::{Result, TableName};

/// Returns the name and the row of an operation that reads; `None` if it only writes.
pub(super) fn read_by(operation: &RowOperation) -> Option<(&'static str, &Bytes)> {
    match operation {
        RowOperation::Get(get) => Some(("get", &get.row)),
        RowOperation::Exists(get) => Some(("exists", &get.row)),
        RowOperation::CheckAndMutate(check) => Some(("check and mutate", &check.row)),
        RowOperation::Mutation(_) => None,
    }
}

impl Instance {
    /// Checks an operation without sending it: fails if the operation would fail before it is sent.
    pub(crate) fn validate(&self, operation: RowOperation, to: &Target<'_>) -> Result<()> {
        let known = self.table(to.table)?;
        lower(operation, to, &self.facts(&known, None)).map(drop)
    }

    /// Executes one operation: sends it, and tries again until it is answered or its deadline
    /// passes.
    ///
    /// This is not an async function, so that the future holds only the lowered operation, and not
    /// the original operation as well.
    pub(crate) fn run(
        &self,
        operation: RowOperation,
        to: &Target<'_>,
    ) -> impl Future<Output = Result<Outcome>> + use<'_> {
        let known = match self.table(to.table) {
            Ok(known) => known,
            Err(error) => return Either::Left(ready(Err(error))),
        };
        if self.endpoint.exclude_garbage {
            let to = to.into_owned();
            return Either::Right(self.run_on_kept(operation, to, known).boxed());
        }
        match lower(operation, to, &self.facts(&known, None)) {
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
        known: Arc<Known>,
    ) -> Result<Outcome> {
        let to = to.target();
        let since = Instant::now();
        let kept = match read_by(&operation) {
            Some((name, row)) => {
                let kept = self.kept(to.operation_name.unwrap_or(name), to.table, to.timeout).await;
                kept.map_err(|error| error.on_row(row))?
            }
            None => None,
        };
        let lowered = lower(operation, &to, &self.facts(&known, kept.as_deref()))?;
        let left = to.timeout.saturating_sub(since.elapsed());
        self.run_lowered(lowered, to.table.clone(), known, left).await
    }

    pub(super) fn facts<'k>(&'k self, known: &'k Known, kept: Option<&'k Kept>) -> TableFacts<'k> {
        let app_profile = &self.endpoint.app_profile;
        let max_cell_bytes = self.config.max_cell_bytes;
        TableFacts { name: &known.name, app_profile, kept, max_cell_bytes }
    }

    pub(super) fn run_lowered(
        &self,
        lowered: Lowered,
        table: TableName,
        known: Arc<Known>,
        timeout: Duration,
    ) -> impl Future<Output = Result<Outcome>> {
        self.answer_to(lowered, table, known, timeout, Answer::outcome)
    }

    /// Sends an operation, and tries again until it is answered or `timeout` is over. Returns the
    /// answer after `read` has converted it.
    #[expect(clippy::manual_async_fn, reason = "its future would hold the arguments twice")]
    pub(super) fn answer_to<T>(
        &self,
        lowered: Lowered,
        table: TableName,
        known: Arc<Known>,
        timeout: Duration,
        read: fn(Answer) -> Result<T>,
    ) -> impl Future<Output = Result<T>> {
        async move {
            let row = lowered.row.clone();
            let mut attempts = self.limited_attempts(lowered.name, &table, timeout).on_row(&row);
            let answer = match lowered.undated {
                true => self.run_dated(lowered, &known, &mut attempts).boxed().await,
                false => self.run_now(&lowered, &known, &mut attempts).await,
            };
            let result = answer.and_then(read);
            attempts.end(result.map_err(|error| error.on_table(&table).on_row(&row)))
        }
    }

    /// Executes an operation whose cells get a timestamp from the client. No other write of the row
    /// gets this timestamp while this operation may still be sent.
    async fn run_dated(
        &self,
        mut lowered: Lowered,
        known: &Known,
        attempts: &mut Attempts,
    ) -> Result<Answer> {
        let alone = matches!(lowered.call, Call::Check(..));
        let row = lowered.row.clone();
        let mut turn = self.turn(&row, alone, attempts).await?;
        lowered.date(turn.time());
        let answer = self.run_now(&lowered, known, attempts).await;
        if answer.is_ok() && attempts.made() == 1 && !lowered.deletes {
            turn.answered();
        }
        answer
    }

    async fn run_now(
        &self,
        lowered: &Lowered,
        known: &Known,
        attempts: &mut Attempts,
    ) -> Result<Answer> {
        let bytes = OP_BYTES + lowered.size();
        let _permit = self.take_room(bytes, lowered.waits, attempts).await?;
        let server = self.data.server();
        let mut cookies = Cookies::default();
        let mut retry = Retry::new(lowered.idempotency);
        loop {
            attempts.begin_next();
            match self.attempt(lowered, known, attempts, &mut cookies).await? {
                Ok(answer) => return Ok(answer),
                Err(failure) => retry.pause(&failure, server, attempts).await?,
            }
        }
    }

    /// Sends the operation once. After an invalid answer, the operation fails and is not tried
    /// again.
    async fn attempt(
        &self,
        lowered: &Lowered,
        known: &Known,
        attempts: &mut Attempts,
        cookies: &mut Cookies,
    ) -> Result<Result<Answer, Failure>> {
        let most = self.attempt_timeout(lowered.idempotency, lowered.attempt_timeout);
        let limit = Limit::of(attempts, most);
        let sending = |path| Sending {
            instance: self,
            pool: &self.data,
            path,
            headers: &known.headers,
            limit,
            limited: true,
        };
        Ok(match &lowered.call {
            Call::Read { request, existence_only } => {
                let reading = sending(method::READ_ROWS);
                match read_row(&reading, request, attempts, cookies).await {
                    Ok(row) => Ok(Answer::Row(of_row(row?, lowered)?, *existence_only)),
                    Err(failure) => Err(failure),
                }
            }
            Call::Mutate(mutations) => {
                let writing = sending(method::MUTATE_ROW);
                let head = MutateRowRequest {
                    table_name: known.name.clone(),
                    row_key: lowered.row.clone(),
                    mutations: Vec::new(),
                    app_profile_id: self.endpoint.app_profile.clone(),
                };
                let request = WithFields { head, fields: mutations.fields() };
                writing.unary(&request, attempts, cookies, made).await
            }
            Call::ReadModifyWrite(request) => {
                let writing = sending(method::READ_MODIFY_WRITE_ROW);
                let changed = writing.unary(&**request, attempts, cookies, changed).await;
                changed.and_then(|answer| match answer {
                    Some(row) if row.key() != &*lowered.row => {
                        Err(Failure::from(&malformed(not_asked_for(row.key()))))
                    }
                    row => Ok(Answer::Changed(row)),
                })
            }
            Call::Check(request, holds_if_matched) => {
                let writing = sending(method::CHECK_AND_MUTATE_ROW);
                let matched = writing.unary(&**request, attempts, cookies, matched).await;
                matched.map(|is_matched| Answer::Checked {
                    is_matched,
                    holds_if_matched: *holds_if_matched,
                })
            }
        })
    }
}

fn made(answer: Bytes) -> Result<Answer, Status> {
    codec::decode::<MutateRowResponse>(answer).map(|_| Answer::Made)
}

fn changed(answer: Bytes) -> Result<Option<MergedRow>, Status> {
    read_modify_write_row(&answer).map_err(|error| malformed(error.to_string()))
}

/// Returns the row that was read; fails if it is not the row of the operation.
fn of_row(row: Option<MergedRow>, lowered: &Lowered) -> Result<Option<MergedRow>> {
    match row {
        Some(row) if row.key() != &*lowered.row => Err(torn(not_asked_for(row.key()))),
        row => Ok(row),
    }
}

fn matched(answer: Bytes) -> Result<bool, Status> {
    codec::decode::<CheckAndMutateRowResponse>(answer).map(|answer| answer.predicate_matched)
}

/// Sends a request for one row, and returns the row.
async fn read_row(
    reading: &Sending<'_>,
    request: &ReadRowsRequest,
    attempts: &mut Attempts,
    cookies: &mut Cookies,
) -> Result<Result<Option<MergedRow>>, Failure> {
    let mut answer = reading.streaming(request, attempts, cookies).await?;
    let mut merger = RowMerger::new(false);
    let mut found = None;
    loop {
        let message = match next(&mut answer, reading.limit, cookies).await {
            Ok(Some(message)) => message,
            Ok(None) => break,
            // The row is already complete, so the failure does not matter.
            Err(_) if found.is_some() => return Ok(Ok(found)),
            Err(failure) => return Err(failure),
        };
        for part in rows_parts(&message) {
            let merged = part.and_then(|part| match part {
                RowsPart::Chunk(chunk) => merger.merge(&chunk),
                RowsPart::Scanned(_) => Ok(None),
            });
            match merged {
                Ok(Some(row)) if found.is_none() => found = Some(std::mem::take(row)),
                Ok(Some(_)) => return Ok(Err(torn("more than one row"))),
                Ok(None) => {}
                Err(error) => return Ok(Err(torn(error))),
            }
        }
    }
    Ok(match merger.finish() {
        Ok(()) => Ok(found),
        Err(error) => Err(torn(error)),
    })
}
