//! Reads the stream of a partition.

use std::time::Duration;

use bytes::Bytes;
use fastrand::Rng;
use tallrow_wire::bigtable::{
    self, CloseStream, GenerateInitialChangeStreamPartitionsRequest,
    GenerateInitialChangeStreamPartitionsResponse, Heartbeat, ReadChangeStreamRequest, StartFrom,
    Status, StreamContinuationToken, StreamPartition, StreamRecord,
};
use tokio::time::{Instant, sleep_until};

use super::message::{frame_of, frames_of_change, micros, timestamp};
use super::token::Token;
use crate::bigtable::call::{GrpcCall, ReplyMessages, Stream, Waiting};
use crate::bigtable::names;
use crate::bigtable::open_table::OpenTable;
use crate::bigtable::status::{StatusCode, StatusResult, invalid};
use crate::state::{Cluster, KeySpan, Next, Reading};

/// The time between two heartbeats if the request does not say it.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// The shortest time between two heartbeats.
const SHORTEST_HEARTBEAT: Duration = Duration::from_millis(100);

/// The longest wait for the end of a stream, in ms, after which the clock is read again.
const MOST_WAIT_MS: u64 = 60_000;

/// Answers a GenerateInitialChangeStreamPartitions.
pub(crate) fn generate_initial_change_stream_partitions(
    call: &GrpcCall<'_>,
) -> StatusResult<ReplyMessages> {
    let request: GenerateInitialChangeStreamPartitionsRequest = call.decode()?;
    let table = table_with_stream(call.cluster, &request.table_name)?;
    let partitions = {
        // What was divided or merged is in the log of the cluster before it is told.
        let _catalog = call.cluster.catalog();
        call.cluster.change_logs.partitions(&table).unwrap_or_default()
    };
    Ok(ReplyMessages::many(partitions.into_iter().map(|partition| {
        GenerateInitialChangeStreamPartitionsResponse { partition: Some(message(partition)) }
    })))
}

/// Answers a ReadChangeStream.
pub(crate) fn read_change_stream(call: &GrpcCall<'_>) -> StatusResult<ReplyMessages> {
    let request: ReadChangeStreamRequest = call.decode()?;
    let cluster = call.cluster;
    let table = table_with_stream(cluster, &request.table_name)?;
    let Some(partition) = &request.partition else { return Err(invalid("No partition provided")) };
    let partition = span(partition)?;
    let now = cluster.clock.now();
    let (log, reading) = match request.start_from {
        Some(StartFrom::ContinuationTokens(tokens)) => {
            from_tokens(cluster, &table, partition, &tokens.tokens)?
        }
        Some(StartFrom::StartTime(time)) => from_time(cluster, &table, partition, &time)?,
        None => cluster.change_logs.begin(&table, partition, None).ok_or_else(gone)?,
    };
    let end = request.end_time.as_ref().map(|end| micros(end).ok_or_else(|| bad_time("end_time")));
    let heartbeat = match request.heartbeat_duration {
        None => HEARTBEAT,
        Some(of) => heartbeat(&of)?,
    };
    let changes = Changes {
        table,
        log,
        reading,
        end: end.transpose()?,
        heartbeat,
        last_sent: Instant::now(),
        torn: cluster.torn_reply_rng(),
        frames: Vec::new(),
        is_over: false,
    };
    // What cannot be read any more is said at once.
    match changes.peek(cluster, now) {
        Next::TooOld => Err(too_old(cluster, &changes.table)),
        Next::Gone => Err(gone()),
        _ => Ok(ReplyMessages::stream(changes)),
    }
}

/// Returns the key of a table, which must have a change stream.
fn table_with_stream(cluster: &Cluster, name: &str) -> StatusResult<Vec<u8>> {
    OpenTable::find(cluster, name)?;
    let table = names::table_id(cluster, name)?.as_bytes().to_vec();
    match cluster.change_logs.has(&table) {
        true => Ok(table),
        false => Err(StatusCode::FailedPrecondition
            .status(format!("The table {name} has no change stream. Enable it first"))),
    }
}

fn from_time(
    cluster: &Cluster,
    table: &[u8],
    partition: KeySpan,
    time: &bigtable::Timestamp,
) -> StatusResult<(u64, Reading)> {
    let from = micros(time).ok_or_else(|| bad_time("start_time"))?;
    let now = cluster.clock.now();
    if from / 1_000 > now {
        return Err(invalid(
            "The start_time of a change stream must not be after the current time",
        ));
    }
    let retention = cluster.change_logs.retention_ms(table).unwrap_or_default();
    if from / 1_000 < now.saturating_sub(retention) {
        return Err(too_old(cluster, table));
    }
    cluster.change_logs.begin(table, partition, Some(from)).ok_or_else(gone)
}

fn from_tokens(
    cluster: &Cluster,
    table: &[u8],
    partition: KeySpan,
    tokens: &[StreamContinuationToken],
) -> StatusResult<(u64, Reading)> {
    let mut known = Vec::with_capacity(tokens.len());
    let now = cluster.clock.now();
    let retention = cluster.change_logs.retention_ms(table).unwrap_or_default();
    for token in tokens {
        let of = token.partition.as_ref().ok_or_else(|| invalid("A token has no partition"))?;
        let (of, token) = (span(of)?, Token::read(&token.token)?);
        if token.made_ms < now.saturating_sub(retention) {
            return Err(too_old(cluster, table));
        }
        known.push((of, token));
    }
    known.sort_by(|(a, _), (b, _)| a.cmp(b));
    let covers = known.first().is_some_and(|(of, _)| of.start == partition.start)
        && known.last().is_some_and(|(of, _)| of.end == partition.end)
        && known
            .windows(2)
            .all(|pair| matches!(pair, [(a, _), (b, _)] if !a.end.is_empty() && a.end == b.start));
    if !covers {
        return Err(invalid(
            "The partitions of the continuation tokens must cover the partition exactly",
        ));
    }
    let log = known.first().map_or(0, |(_, token)| token.log);
    if known.iter().any(|(_, token)| token.log != log) {
        return Err(gone());
    }
    let position = known.iter().map(|(_, token)| token.position).min().unwrap_or_default();
    // A partition that the tokens are not of has come into being after all of them.
    let since = |(of, token): &(KeySpan, Token)| match *of == partition {
        true => token.since,
        false => token.since.max(token.position),
    };
    let since = known.iter().map(since).max().unwrap_or_default();
    let mut read = Vec::new();
    for (of, token) in known {
        read.extend(token.known);
        read.push((of, token.position));
    }
    read.retain(|(_, to)| *to > position);
    Ok((log, Reading { partition, position, since, known: read }))
}

/// The stream of a partition.
#[derive(Debug)]
struct Changes {
    table: Vec<u8>,
    log: u64,
    reading: Reading,
    /// The time of the last changes in microseconds.
    end: Option<u64>,
    heartbeat: Duration,
    last_sent: Instant,
    /// The random numbers that decide how changes are torn, if they are.
    torn: Option<Rng>,
    /// The rest of the frames of a change, the last first.
    frames: Vec<Bytes>,
    is_over: bool,
}

impl Stream for Changes {
    fn next(&mut self, cluster: &Cluster) -> StatusResult<Option<Bytes>> {
        if let Some(frame) = self.frames.pop() {
            return Ok(Some(frame));
        }
        if self.is_over {
            return Ok(None);
        }
        let now = cluster.clock.now();
        let since = self.reading.since;
        let token =
            |position, since, known| Token { log: self.log, position, since, made_ms: now, known };
        let frame = match self.peek_kept(cluster, now) {
            Next::Change(change, _) if self.end.is_some_and(|end| change.micros > end) => {
                self.is_over = true;
                finished()
            }
            Next::Change(change, position) => {
                let token = token(position, since, self.reading.known_after(position)).to_text();
                self.reading.position = position;
                self.frames = frames_of_change(&change, token, &mut self.torn);
                return Ok(self.frames.pop());
            }
            Next::Replaced(new, position) => {
                self.is_over = true;
                // The new partitions begin here.
                closed(&self.reading.partition, new, &token(position, position, Vec::new()))
            }
            Next::Nothing(position) => {
                self.reading.position = position;
                if self.end.is_some_and(|end| end < now.saturating_mul(1_000)) {
                    self.is_over = true;
                    finished()
                } else if self.last_sent.elapsed() < self.heartbeat {
                    return Ok(None);
                } else {
                    let token = token(position, since, self.reading.known_after(position));
                    let token = continuation(self.reading.partition.clone(), &token);
                    let heartbeat = Heartbeat {
                        continuation_token: Some(token),
                        estimated_low_watermark: Some(timestamp(now.saturating_mul(1_000))),
                    };
                    self.last_sent = Instant::now();
                    StreamRecord::Heartbeat(heartbeat)
                }
            }
            Next::TooOld => return Err(too_old(cluster, &self.table)),
            Next::Gone => return Err(gone()),
        };
        Ok(Some(frame_of(frame)))
    }

    fn wait(&self, cluster: &Cluster) -> Option<Waiting> {
        if self.is_over {
            return None;
        }
        let mut added = cluster.change_logs.added(&self.table)?;
        // What was added before the receiver was made is found now.
        if !matches!(self.peek(cluster, cluster.clock.now()), Next::Nothing(_)) {
            return Some(Box::pin(std::future::ready(())));
        }
        let mut next = self.last_sent + self.heartbeat;
        if let Some(end) = self.end {
            let left = (end / 1_000 + 1).saturating_sub(cluster.clock.now());
            next = next.min(Instant::now() + Duration::from_millis(left.min(MOST_WAIT_MS)));
        }
        Some(Box::pin(async move {
            tokio::select! {
                biased;
                // An error means that the table has no stream any more.
                _ = added.changed() => {}
                () = sleep_until(next) => {}
            }
        }))
    }
}

impl Changes {
    /// Returns what is next, when it is in the log of the cluster: a client that was told of it finds
    /// it again however the process ends. Whoever adds something has locked the region of the row,
    /// or the catalog, until it is there.
    fn peek_kept(&self, cluster: &Cluster, now: u64) -> Next {
        let next = self.peek(cluster, now);
        if cluster.journal.is_some() {
            let catalog = cluster.catalog();
            if let Next::Change(change, _) = &next
                && let Some(table) = catalog.tables.get(&self.table)
                && let Some(region) = table.region_of(&change.row)
            {
                drop(region.lock());
            }
        }
        next
    }

    /// Returns what is next.
    fn peek(&self, cluster: &Cluster, now: u64) -> Next {
        let of = (&self.table[..], self.log);
        cluster.change_logs.next(of, &self.reading, now)
    }
}

/// The end of a stream that has come to its `end_time`.
fn finished() -> StreamRecord {
    StreamRecord::CloseStream(CloseStream {
        status: Some(Status::default()),
        ..CloseStream::default()
    })
}

/// The end of a stream whose partition was replaced by others.
fn closed(partition: &KeySpan, new: Vec<KeySpan>, token: &Token) -> StreamRecord {
    let mut close = CloseStream {
        status: Some(StatusCode::OutOfRange.status("The partition was split or merged")),
        ..CloseStream::default()
    };
    for new in new {
        if let Some(common) = partition.common(&new) {
            close.continuation_tokens.push(continuation(common, token));
            close.new_partitions.push(message(new));
        }
    }
    StreamRecord::CloseStream(close)
}

fn continuation(partition: KeySpan, token: &Token) -> StreamContinuationToken {
    StreamContinuationToken { partition: Some(message(partition)), token: token.to_text() }
}

fn message(span: KeySpan) -> StreamPartition {
    StreamPartition::of(span.start, span.end)
}

fn span(partition: &StreamPartition) -> StatusResult<KeySpan> {
    let keys = partition.keys();
    let keys = keys.filter(|(start, end)| end.is_empty() || start < end);
    let (start, end) = keys.ok_or_else(|| {
        invalid("A partition has a row_range with start_key_closed before end_key_open")
    })?;
    Ok(KeySpan { start, end })
}

fn heartbeat(of: &bigtable::Duration) -> StatusResult<Duration> {
    let read = u64::try_from(of.seconds).ok().zip(u32::try_from(of.nanos).ok());
    let read = read.filter(|(_, nanos)| *nanos < 1_000_000_000);
    let read = read.map(|(seconds, nanos)| Duration::new(seconds, nanos));
    read.filter(|of| *of >= SHORTEST_HEARTBEAT && of.as_secs() < 24 * 60 * 60).ok_or_else(|| {
        invalid("The heartbeat_duration must be at least 100 ms and less than a day")
    })
}

fn bad_time(field: &str) -> Status {
    invalid(format!("The {field} is no time since 1970"))
}

fn too_old(cluster: &Cluster, table: &[u8]) -> Status {
    let hours = cluster.change_logs.retention_ms(table).unwrap_or_default() / 3_600_000;
    StatusCode::OutOfRange.status(format!(
        "The start is before the retention period of the change stream, which is {hours} h"
    ))
}

fn gone() -> Status {
    StatusCode::FailedPrecondition
        .status("The continuation token is of a change stream that was disabled since")
}
