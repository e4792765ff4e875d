//! Executes the gets of a batch: gets that differ only in their rows are sent in one call.

use std::sync::Arc;

use bytes::Bytes;

use super::call::{AttemptContext, AttemptDeadline, next_message};
use super::codec::EncodedFields;
use super::explanation::invalid_answer_error;
use super::failure::Failure;
use super::headers::RoutingState;
use super::instance::{Instance, TableContext};
use super::lower::Call;
use super::read_groups::{FoundRows, GetGroups, Group, Outcomes};
use super::retry::RetryState;
use crate::backend::attempts::Attempts;
use crate::backend::repeat::Idempotency;
use crate::runtime::in_flight_limit::OP_OVERHEAD_BYTES;
use crate::runtime::tasks::run_concurrently;
use crate::wire::bigtable::{ReadRowsPart, RowMerger, encode_row_keys, method, read_rows_parts};
use crate::{Error, Result, TableName};

/// In an answer, every row has more bytes than this.
const ROW_BYTES: usize = 16;

impl Instance {
    /// Executes all gets of a batch, and returns the outcomes of each group.
    pub(super) async fn run_reads(
        &self,
        reads: GetGroups,
        (table, known): (&TableName, &TableContext),
        batch: &Attempts,
    ) -> Vec<Outcomes> {
        let read = reads.into_groups().into_iter().map(async |mut group| {
            let name = group.lowered.name;
            let part = batch.of_part(name, 0, batch.attempt_started_at());
            let mut attempts = part.with_max_duration(group.timeout);
            let mut outcomes = Vec::with_capacity(group.rows.len());
            let read = self.read_group(&mut group, known, &mut attempts, &mut outcomes).await;
            if let Err(error) = attempts.end(read) {
                let error = Arc::new(error);
                let failed = |(row, at): (Bytes, usize)| {
                    (at, Err(Error::from_shared(error.clone()).on_row(&row)))
                };
                outcomes.extend(group.unsettled().map(failed));
            }
            let named = |error: Error| error.with_operation_if_unset(name).on_table(table);
            outcomes.into_iter().map(|(at, outcome)| (at, outcome.map_err(named))).collect()
        });
        run_concurrently(read).await
    }

    /// Reads until each row of the group has an outcome, or nothing more can be tried.
    async fn read_group(
        &self,
        group: &mut Group,
        known: &TableContext,
        attempts: &mut Attempts,
        outcomes: &mut Outcomes,
    ) -> Result<()> {
        let bytes = group.rows.iter().map(|(row, _)| OP_OVERHEAD_BYTES + row.len()).sum();
        let _permit = self.reserve_in_flight_bytes(bytes, group.lowered.waits, attempts).await?;
        let mut cookies = RoutingState::default();
        let mut retry = RetryState::new(Idempotency::Read);
        loop {
            attempts.begin_attempt();
            let attempt = self.read_once(group, known, attempts, &mut cookies, outcomes);
            let Err(failure) = attempt.await? else { return Ok(()) };
            // A request without row keys would read the whole table.
            if group.is_settled() {
                return Ok(());
            }
            retry.pause(&failure, self.data.server(), attempts).await?;
        }
    }

    async fn read_once(
        &self,
        group: &mut Group,
        known: &TableContext,
        attempts: &mut Attempts,
        cookies: &mut RoutingState,
        outcomes: &mut Outcomes,
    ) -> Result<Result<(), Failure>> {
        let most = self.attempt_timeout(Idempotency::Read, group.lowered.attempt_timeout);
        let rows = encode_row_keys(group.start_request());
        let Call::Read { fields, .. } = &group.lowered.call else { return Ok(Ok(())) };
        let request = EncodedFields([&known.target_fields.read_rows, &rows, fields]);
        let sending = AttemptContext {
            instance: self,
            pool: &self.data,
            path: method::READ_ROWS,
            headers: &known.headers,
            limit: AttemptDeadline::of_attempt(attempts, most),
            lasts: false,
        };
        let mut answer = match sending.streaming(&request, attempts, cookies).await {
            Ok(answer) => answer,
            Err(failure) => return Ok(Err(failure)),
        };
        let mut merger = RowMerger::new(false);
        loop {
            match next_message(&mut answer, sending.limit, cookies).await {
                Ok(Some(message)) => {
                    let most = group.rows.len().min(message.len() / ROW_BYTES + 1);
                    let mut found = FoundRows::with_capacity(message.len(), most);
                    let read = read_rows_parts(&message).try_for_each(|part| {
                        let ReadRowsPart::Chunk(chunk) = part.map_err(invalid_answer_error)? else {
                            return Ok(());
                        };
                        match merger.merge(&chunk).map_err(invalid_answer_error)? {
                            Some(row) => group.handle_row(row, &mut found, outcomes),
                            None => Ok(()),
                        }
                    });
                    found.push_outcomes(outcomes);
                    read?;
                }
                Ok(None) => {
                    merger.finish().map_err(invalid_answer_error)?;
                    group.settle_missing_rows(outcomes);
                    return Ok(Ok(()));
                }
                Err(failure) => return Ok(Err(failure)),
            }
        }
    }
}
