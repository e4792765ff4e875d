//! The gets of a batch: those that differ in their rows only in one call.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use prost::Message;
use rustc_hash::FxHashMap;
use tokio::time::Instant;

use super::call::{Sending, next};
use super::explanation::torn;
use super::failure::Failure;
use super::headers::Cookies;
use super::instance::{Instance, Known};
use super::lower::{Call, Lowered};
use super::outcome::Answer;
use super::reaction::Reaction;
use crate::attempts::Attempts;
use crate::op::Outcome;
use crate::room::OP_BYTES;
use crate::together::together;
use crate::wire::bigtable::{
    MergedRow, ReadRowsRequest, ReadRowsResponse, RowMerger, RowSet, method,
};
use crate::{Error, Result, TableName};

/// How many rows a call asks for at most.
const CALL_ROWS: usize = 1_000;

/// A get of a batch: its place, and its time.
pub(super) type BatchRead = (usize, Lowered, Duration);

/// What has become of gets, by their places.
type Outcomes = Vec<(usize, Result<Outcome>)>;

/// Gets that differ in their rows only.
struct Group {
    /// The first of them.
    lowered: Lowered,
    timeout: Duration,
    /// The places of those that have no outcome yet.
    rows: BTreeMap<Bytes, Vec<usize>>,
}

impl Instance {
    /// Does all gets of a batch.
    pub(super) async fn run_reads(
        &self,
        reads: Vec<BatchRead>,
        (table, known): (&TableName, &Known),
        batch: &Attempts,
    ) -> Outcomes {
        let read = groups(reads).into_iter().map(async |mut group| {
            let mut attempts = batch.of_part(group.lowered.name, 0, batch.begun());
            let mut outcomes = Vec::new();
            let read = self.read_group(&mut group, known, &mut attempts, &mut outcomes).await;
            if let Err(error) = attempts.end(read) {
                let error = Arc::new(error);
                for (row, places) in group.rows {
                    outcomes.extend(places.into_iter().map(|at| {
                        let error = Error::shared(error.clone()).during(group.lowered.name);
                        (at, Err(error.on_table(table).on_row(&row)))
                    }));
                }
            }
            outcomes
        });
        together(read).await.into_iter().flatten().collect()
    }

    /// Reads until each row of the group has an outcome, or nothing more can be tried.
    async fn read_group(
        &self,
        group: &mut Group,
        known: &Known,
        attempts: &mut Attempts,
        outcomes: &mut Outcomes,
    ) -> Result<()> {
        let bytes = group.rows.keys().map(|row| OP_BYTES + row.len()).sum();
        let _permit = self.take_room(bytes, group.lowered.waits, attempts).await?;
        let mut cookies = Cookies::default();
        let end = Instant::now() + group.timeout;
        loop {
            attempts.begin();
            let attempt = self.read_once(group, known, (attempts, end), &mut cookies, outcomes);
            let Err(failure) = attempt.await? else { return Ok(()) };
            match failure.reaction(self.data.server()) {
                Reaction::Fail(error) => return Err(error),
                Reaction::Again(error, _) if Instant::now() >= end => return Err(error),
                Reaction::Again(error, wait) => attempts.again(error, wait).await?,
            }
        }
    }

    async fn read_once(
        &self,
        group: &mut Group,
        known: &Known,
        (attempts, end): (&mut Attempts, Instant),
        cookies: &mut Cookies,
        outcomes: &mut Outcomes,
    ) -> Result<Result<(), Failure>> {
        let Call::Read { request, .. } = &group.lowered.call else { return Ok(Ok(())) };
        let of_reads = self.config.read_attempt_timeout.unwrap_or(self.config.attempt_timeout);
        let most = group.lowered.attempt_timeout.unwrap_or(of_reads);
        let row_keys = group.rows.keys().cloned().collect();
        let request = ReadRowsRequest {
            rows: Some(RowSet { row_keys, row_ranges: Vec::new() }),
            rows_limit: 0,
            ..(**request).clone()
        };
        let sending = Sending {
            instance: self,
            pool: &self.data,
            path: method::READ_ROWS,
            headers: &known.headers,
            deadline: attempts.deadline_of(Instant::now(), most).min(end),
            limited: true,
        };
        let stream = sending.streaming::<ReadRowsResponse>(&request, attempts, cookies).await;
        let mut stream = match stream {
            Ok(stream) => stream,
            Err(failure) => return Ok(Err(failure)),
        };
        let mut merger = RowMerger::new(false);
        loop {
            match next(&mut stream, sending.deadline, cookies).await {
                Ok(Some(message)) => {
                    for chunk in message.chunks {
                        if let Some(row) = merger.merge(chunk).map_err(torn)? {
                            group.found(row, outcomes)?;
                        }
                    }
                }
                Ok(None) => {
                    merger.finish().map_err(torn)?;
                    absent(std::mem::take(&mut group.rows), outcomes);
                    return Ok(Ok(()));
                }
                Err(failure) => return Ok(Err(failure)),
            }
        }
    }
}

impl Group {
    /// A row of the answer: those before it are not in the table.
    fn found(&mut self, row: MergedRow, outcomes: &mut Outcomes) -> Result<()> {
        let later = self.rows.split_off(&row.key);
        let before = std::mem::replace(&mut self.rows, later);
        absent(before, outcomes);
        let Some(places) = self.rows.remove(&row.key) else {
            return Err(torn(format!(
                "row \"{}\", which was not asked for",
                row.key.escape_ascii()
            )));
        };
        let existence_only = matches!(self.lowered.call, Call::Read { existence_only: true, .. });
        let outcome = Answer::Row(Some(row), existence_only).outcome()?;
        outcomes.extend(places.into_iter().map(|at| (at, Ok(outcome.clone()))));
        Ok(())
    }
}

/// These rows are not in the table.
fn absent(rows: BTreeMap<Bytes, Vec<usize>>, outcomes: &mut Outcomes) {
    let places = rows.into_values().flatten();
    outcomes.extend(places.map(|at| (at, Answer::Row(None, false).outcome())));
}

/// The gets by what they have in common.
fn groups(reads: Vec<BatchRead>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut open = FxHashMap::default();
    for (at, lowered, timeout) in reads {
        let Call::Read { request, existence_only } = &lowered.call else { continue };
        let filter = request.filter.as_ref().map(Message::encode_to_vec);
        let alike = (filter, *existence_only, timeout, lowered.attempt_timeout, lowered.name);
        let place = open.entry(alike).or_insert(usize::MAX);
        if groups.get(*place).is_none_or(|group| group.rows.len() >= CALL_ROWS) {
            *place = groups.len();
            groups.push(Group { lowered: lowered.clone(), timeout, rows: BTreeMap::new() });
        }
        if let Some(group) = groups.get_mut(*place) {
            group.rows.entry(lowered.row).or_default().push(at);
        }
    }
    groups
}
