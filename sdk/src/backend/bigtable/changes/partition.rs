//! Reads the changes of one partition: streams, one after another. Each stream continues at the
//! last token of the previous stream.
//!
//! # Invariants
//!
//! - Each change is returned once, also if streams break. Tests:
//!   `sdk/src/backend/bigtable/tests/changes.rs::a_stream_that_breaks_continues_at_its_token`.

use std::time::{Duration, SystemTime};

use prost::Message;
use tokio::time::sleep;
use tonic::Code;

use super::read::{read_change, read_close, read_time, time_message};
use super::source::ChangesOf;
use crate::backend::attempts::Attempts;
use crate::backend::bigtable::call::{AttemptContext, AttemptDeadline, next_message};
use crate::backend::bigtable::channel::AnswerStream;
use crate::backend::bigtable::explanation::invalid_answer_error;
use crate::backend::bigtable::failure::{CallProgress, ChangesFrom, Failure};
use crate::backend::bigtable::headers::RoutingState;
use crate::backend::bigtable::retry::RetryState;
use crate::backend::core::CLOSED;
use crate::backend::repeat::Idempotency;
use crate::model::changes::{ChangePartition, PartitionStart, PartitionToken, RowChanges};
use crate::wire::bigtable::{
    self, ChangeMerger, ReadChangeStreamRequest, ReadChangeStreamResponse, StartFrom,
    StreamContinuationToken, StreamContinuationTokens, StreamPartition, StreamRecord, method,
};
use crate::{Error, ErrorKind, Result};

/// The pause before a partition that is closed is read again, to be told what follows.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// What was read of a partition.
pub(super) enum PartitionRecord {
    /// A change, or an error if it cannot be read, and the position after it.
    Change(Result<RowChanges>, String),
    /// The position, and the low watermark.
    Heartbeat(String, Option<SystemTime>),
    /// The partition is closed: what follows.
    Closed(Vec<(PartitionToken, ChangePartition)>),
}

/// Reads the changes of one partition.
pub(super) struct PartitionReader {
    of: ChangesOf,
    pub(super) partition: ChangePartition,
    start: PartitionStart,
    /// Whether no stream has been opened yet.
    is_new: bool,
    pause: Option<Duration>,
    stream: Option<AnswerStream>,
    merger: ChangeMerger,
    cookies: RoutingState,
}

impl PartitionReader {
    /// `is_again` says that the partition is closed, and that the service is asked what follows.
    pub(super) fn new(
        of: ChangesOf,
        partition: ChangePartition,
        start: PartitionStart,
        is_again: bool,
    ) -> Self {
        Self {
            of,
            partition,
            start,
            is_new: true,
            pause: is_again.then_some(AGAIN_AFTER),
            stream: None,
            merger: ChangeMerger::default(),
            cookies: RoutingState::default(),
        }
    }

    /// Reads the next record.
    pub(super) async fn next(mut self) -> (Self, Result<PartitionRecord>) {
        if let Some(pause) = self.pause.take() {
            sleep(pause).await;
        }
        // Only what fails, or opens a stream, is an operation with a deadline.
        let mut attempts = None;
        let read = self.read(&mut attempts).await.map_err(|e| e.on_table(&self.of.table));
        let read = match attempts {
            Some(mut attempts) => Attempts::end(&mut attempts, read),
            None => read,
        };
        if let Ok(PartitionRecord::Change(_, token) | PartitionRecord::Heartbeat(token, _)) = &read
        {
            let token = PartitionToken { partition: self.partition.clone(), token: token.clone() };
            self.start = PartitionStart::Tokens(vec![token]);
        }
        (self, read)
    }

    async fn read(&mut self, attempts: &mut Option<Attempts>) -> Result<PartitionRecord> {
        let mut retry = RetryState::new(Idempotency::Read);
        let mut silent = 0;
        loop {
            if self.of.instance.closing.is_closed() {
                return Err(Error::new(ErrorKind::Closed, CLOSED));
            }
            let failure = match self.stream.take() {
                Some(stream) => match self.read_message(stream, silent).await? {
                    Ok(Some(record)) => return Ok(record),
                    Ok(None) => continue,
                    Err(failure) => failure,
                },
                None => {
                    let attempts = attempts.get_or_insert_with(|| self.of.attempts());
                    attempts.begin_attempt();
                    match self.open(attempts, silent).await? {
                        Ok(stream) => {
                            self.stream = Some(stream);
                            self.is_new = false;
                            continue;
                        }
                        Err(failure) => failure,
                    }
                }
            };
            silent += u32::from(failure.is_timeout());
            let failure = Failure { changes_from: Some(self.begins_from()), ..failure };
            let attempts = attempts.get_or_insert_with(|| {
                let mut attempts = self.of.attempts();
                attempts.begin_attempt();
                attempts
            });
            retry.pause(&failure, self.of.instance.data.server(), attempts).await?;
        }
    }

    fn begins_from(&self) -> ChangesFrom {
        match &self.start {
            PartitionStart::Now(_) => ChangesFrom::Now,
            PartitionStart::Time(_) => ChangesFrom::Time,
            PartitionStart::Tokens(_) => ChangesFrom::Position,
        }
    }

    /// Reads a message. Returns a record if it is complete; the stream is then still open.
    async fn read_message(
        &mut self,
        mut stream: AnswerStream,
        silent: u32,
    ) -> Result<Result<Option<PartitionRecord>, Failure>> {
        let limit = AttemptDeadline::within(self.of.silence_limit(silent));
        let message = match next_message(&mut stream, limit, &mut self.cookies).await {
            Ok(Some(message)) => message,
            // The end was asked for.
            Ok(None) if self.of.end.is_some() => {
                return Ok(Ok(Some(PartitionRecord::Closed(Vec::new()))));
            }
            Ok(None) => {
                let text = "the service ended the stream without saying what follows";
                let failure = Failure::new(Code::Unavailable, text, CallProgress::Unanswered);
                return Ok(Err(failure));
            }
            Err(failure) => return Ok(Err(failure)),
        };
        let response = ReadChangeStreamResponse::decode(message).map_err(invalid_answer_error)?;
        let Some(record) = response.stream_record else {
            return Err(invalid_answer_error("a record of a change stream without content"));
        };
        let Some(record) = self.merger.add(record).map_err(invalid_answer_error)? else {
            self.stream = Some(stream);
            return Ok(Ok(None));
        };
        let record = match record {
            StreamRecord::DataChange(change) => {
                let token = change.token.clone();
                PartitionRecord::Change(read_change(change, &self.partition), token)
            }
            StreamRecord::Heartbeat(heartbeat) => {
                let token = heartbeat.continuation_token.unwrap_or_default().token;
                if token.is_empty() {
                    return Err(invalid_answer_error("a heartbeat without a position"));
                }
                let watermark = heartbeat.estimated_low_watermark.as_ref().map(read_time);
                PartitionRecord::Heartbeat(token, watermark)
            }
            StreamRecord::CloseStream(close) => {
                let follows = read_close(&close).map_err(invalid_answer_error)?;
                match &close.status {
                    Some(status) if follows.is_empty() && status.code != 0 => {
                        return Ok(Err(Failure::of_entry(status)));
                    }
                    _ => return Ok(Ok(Some(PartitionRecord::Closed(follows)))),
                }
            }
        };
        self.stream = Some(stream);
        Ok(Ok(Some(record)))
    }

    /// Opens a stream at the position.
    async fn open(
        &mut self,
        attempts: &mut Attempts,
        silent: u32,
    ) -> Result<Result<AnswerStream, Failure>> {
        self.merger.restart();
        let instance = &*self.of.instance;
        let known = instance.table_context(&self.of.table)?;
        let start_from = match &self.start {
            // The service knows best when now is.
            PartitionStart::Now(_) if self.is_new => None,
            PartitionStart::Now(at) | PartitionStart::Time(at) => {
                Some(StartFrom::StartTime(time_message(*at)))
            }
            PartitionStart::Tokens(tokens) => {
                let tokens = tokens.iter().map(|token| StreamContinuationToken {
                    partition: Some(partition_message(&token.partition)),
                    token: token.token.clone(),
                });
                let tokens = StreamContinuationTokens { tokens: tokens.collect() };
                Some(StartFrom::ContinuationTokens(tokens))
            }
        };
        let heartbeat = self.of.heartbeat;
        let request = ReadChangeStreamRequest {
            table_name: instance.table_path(&self.of.table)?,
            app_profile_id: instance.endpoint.app_profile.clone(),
            partition: Some(partition_message(&self.partition)),
            start_from,
            end_time: self.of.end.map(time_message),
            heartbeat_duration: Some(bigtable::Duration {
                seconds: i64::try_from(heartbeat.as_secs()).unwrap_or(i64::MAX),
                nanos: i32::try_from(heartbeat.subsec_nanos()).unwrap_or(0),
            }),
        };
        let sending = AttemptContext {
            instance,
            pool: &instance.data,
            path: method::READ_CHANGE_STREAM,
            headers: &known.headers,
            limit: AttemptDeadline::of(attempts, self.of.silence_limit(silent)),
            // A stream lasts as long as its reader reads it.
            lasts: true,
        };
        Ok(sending.streaming(&request, attempts, &mut self.cookies).await)
    }
}

fn partition_message(partition: &ChangePartition) -> StreamPartition {
    let (start, end) = partition.keys();
    StreamPartition::of(start.clone(), end.clone())
}
