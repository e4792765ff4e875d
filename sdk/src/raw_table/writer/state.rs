//! The state of the writes of a writer, without locks and tasks: which writes wait, which may be
//! sent, and which are under way.
//!
//! # Invariants
//!
//! - A writer holds no more than its buffer, and makes the writes of a row in their order. Tests:
//!   `tests/suites/faults/writer.rs::the_bytes_of_the_buffer_are_bounded_too`,
//!   `tests/suites/faults/writer.rs::writes_of_a_row_are_made_in_their_order`.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use rustc_hash::FxHashMap;
use tokio::time::Instant;

use super::outcome::{FailedWrite, WriterStats};
use crate::Error;
use crate::request::op::Mutation;

/// The maximum number of batches of one server that are under way: one is being answered while the
/// next one is sent.
const BATCHES_PER_SERVER: usize = 2;

/// The thresholds at which the writes that wait for a server are sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thresholds {
    pub(super) operations: usize,
    pub(super) bytes: usize,
    pub(super) linger: Duration,
}

/// The server of a row's region; `None` if it is not known.
pub(super) type Server = Option<Arc<str>>;

#[derive(Clone, Debug)]
pub(super) struct Write {
    pub(super) mutation: Mutation,
    /// The bytes of the buffer that the write takes.
    pub(super) bytes: usize,
    generation: u64,
}

/// The writes that may be sent to a server; each is the first write of its row.
#[derive(Debug, Default)]
struct Queue {
    ready: VecDeque<Write>,
    bytes: usize,
    /// When the first of these writes began to linger: when it became ready, or when the last batch
    /// was taken, if that was later.
    since: Option<Instant>,
    batches: usize,
}

/// Writes that are sent together.
#[derive(Debug)]
struct Batch {
    server: Server,
    writes: Arc<Vec<Write>>,
}

#[derive(Debug)]
pub(super) struct State {
    thresholds: Thresholds,
    /// The later writes of each row that has a write ready or under way; they wait for this write.
    rows: FxHashMap<Bytes, VecDeque<Write>>,
    queues: FxHashMap<Server, Queue>,
    under_way: FxHashMap<u64, Batch>,
    next_batch: u64,
    failed: Vec<(FailedWrite, usize)>,
    failed_bytes: usize,
    /// The number of writes of each generation that are not answered, the oldest generation first.
    /// A flush begins a new generation.
    unanswered: VecDeque<u64>,
    first_generation: u64,
    stats: WriterStats,
}

impl State {
    pub(super) fn new(thresholds: Thresholds) -> Self {
        Self {
            thresholds,
            rows: FxHashMap::default(),
            queues: FxHashMap::default(),
            under_way: FxHashMap::default(),
            next_batch: 0,
            failed: Vec::new(),
            failed_bytes: 0,
            unanswered: VecDeque::from([0]),
            first_generation: 0,
            stats: WriterStats::default(),
        }
    }

    pub(super) fn stats(&self) -> WriterStats {
        self.stats
    }

    /// The part of the buffer that failed writes take up.
    pub(super) fn failed_bytes(&self) -> usize {
        self.failed_bytes
    }

    /// Returns the error of the first failed write that was not returned to the program yet, and
    /// the number of such writes.
    pub(super) fn first_error_and_failed_count(&self) -> Option<(&Error, usize)> {
        self.failed.first().map(|(failed, _)| (&failed.error, self.failed.len()))
    }

    /// Adds a write; returns whether the task has to look at the queues, because the server of the
    /// write now has enough writes for a batch, or because the write is the first one for this
    /// server and begins to linger.
    pub(super) fn add(
        &mut self,
        mutation: Mutation,
        bytes: usize,
        now: Instant,
        server_of: impl FnOnce(&[u8]) -> Server,
    ) -> bool {
        self.stats.submitted += 1;
        self.stats.waiting += 1;
        let generation = self.generation();
        if let Some(count) = self.unanswered.back_mut() {
            *count += 1;
        }
        let write = Write { mutation, bytes, generation };
        if let Some(later) = self.rows.get_mut(write.mutation.row()) {
            later.push_back(write);
            return false;
        }
        let row = Bytes::copy_from_slice(write.mutation.row());
        let server = server_of(&row);
        self.rows.insert(row, VecDeque::new());
        self.make_ready(write, now, server)
    }

    /// Adds a write to the queue of its server; returns whether the task has to look at the queues,
    /// as `add` does.
    fn make_ready(&mut self, write: Write, now: Instant, server: Server) -> bool {
        let queue = self.queues.entry(server).or_default();
        let first = queue.ready.is_empty();
        queue.bytes += write.bytes;
        queue.ready.push_back(write);
        queue.since.get_or_insert(now);
        queue.batches < BATCHES_PER_SERVER && (first || is_full(queue, &self.thresholds))
    }

    /// Takes the next batch that may be sent, and returns its id and its writes. A batch may be
    /// sent to a server that has enough writes, or whose first write has waited long enough. If
    /// `ignores_thresholds` is true, a batch may be sent to every server with writes. At most two
    /// batches of a server are under way.
    pub(super) fn take_batch(
        &mut self,
        now: Instant,
        ignores_thresholds: bool,
    ) -> Option<(u64, Arc<Vec<Write>>)> {
        let thresholds = self.thresholds;
        let may = |queue: &Queue| {
            let late = queue.since.is_some_and(|since| now >= since + thresholds.linger);
            queue.batches < BATCHES_PER_SERVER
                && !queue.ready.is_empty()
                && (ignores_thresholds || late || is_full(queue, &thresholds))
        };
        let (server, queue) = self.queues.iter_mut().find(|(_, queue)| may(queue))?;
        let (mut writes, mut bytes) = (Vec::new(), 0);
        while writes.len() < thresholds.operations && bytes < thresholds.bytes {
            let Some(write) = queue.ready.pop_front() else { break };
            bytes += write.bytes;
            writes.push(write);
        }
        queue.bytes = queue.bytes.saturating_sub(bytes);
        queue.since = (!queue.ready.is_empty()).then_some(now);
        queue.batches += 1;
        self.stats.waiting -= writes.len() as u64;
        self.stats.in_flight += writes.len() as u64;
        let id = self.next_batch;
        self.next_batch += 1;
        let writes = Arc::new(writes);
        self.under_way.insert(id, Batch { server: server.clone(), writes: writes.clone() });
        Some((id, writes))
    }

    /// Returns when the next batch may be sent, if nothing is added or answered before.
    pub(super) fn next_due(&self) -> Option<Instant> {
        let may = |queue: &&Queue| queue.batches < BATCHES_PER_SERVER && !queue.ready.is_empty();
        let since = self.queues.values().filter(may).filter_map(|queue| queue.since).min();
        since.map(|since| since + self.thresholds.linger)
    }

    /// Records the answers of a batch; returns how many bytes of the buffer become free. Failed
    /// writes keep their part of the buffer, unless they are put into `told`.
    pub(super) fn record_answers(
        &mut self,
        batch: u64,
        mut results: impl Iterator<Item = Option<Error>>,
        now: Instant,
        server_of: impl Fn(&[u8]) -> Server,
        mut told: Option<&mut Vec<FailedWrite>>,
    ) -> usize {
        let Some(Batch { server, writes }) = self.under_way.remove(&batch) else { return 0 };
        self.stats.in_flight -= writes.len() as u64;
        if let Some(queue) = self.queues.get_mut(&server) {
            queue.batches -= 1;
            if queue.batches == 0 && queue.ready.is_empty() {
                self.queues.remove(&server);
            }
        }
        let mut free = 0;
        for Write { mutation, bytes, generation } in Arc::unwrap_or_clone(writes) {
            self.count_answer(generation);
            self.next_of_row(mutation.row(), now, &server_of);
            match results.next().flatten() {
                None => {
                    self.stats.acknowledged += 1;
                    free += bytes;
                }
                Some(error) => {
                    self.stats.failed += 1;
                    let failed = FailedWrite { mutation, error };
                    match told.as_deref_mut() {
                        Some(told) => {
                            told.push(failed);
                            free += bytes;
                        }
                        None => {
                            self.failed_bytes += bytes;
                            self.failed.push((failed, bytes));
                        }
                    }
                }
            }
        }
        free
    }

    fn next_of_row(&mut self, row: &[u8], now: Instant, server_of: impl Fn(&[u8]) -> Server) {
        match self.rows.get_mut(row).and_then(VecDeque::pop_front) {
            Some(next) => {
                self.make_ready(next, now, server_of(row));
            }
            None => {
                self.rows.remove(row);
            }
        }
    }

    fn generation(&self) -> u64 {
        self.first_generation + self.unanswered.len().saturating_sub(1) as u64
    }

    fn count_answer(&mut self, generation: u64) {
        let at = usize::try_from(generation - self.first_generation).unwrap_or(usize::MAX);
        if let Some(count) = self.unanswered.get_mut(at) {
            *count = count.saturating_sub(1);
        }
        self.forget_answered();
    }

    /// Begins a new generation of writes, and returns the generation that a flush waits for, which
    /// is the previous one.
    pub(super) fn begin_flush(&mut self) -> u64 {
        let generation = self.generation();
        self.unanswered.push_back(0);
        self.forget_answered();
        generation
    }

    /// Forgets the oldest generations if all of their writes were answered.
    fn forget_answered(&mut self) {
        while self.unanswered.len() > 1 && self.unanswered.front() == Some(&0) {
            self.unanswered.pop_front();
            self.first_generation += 1;
        }
    }

    /// Returns whether each write up to this generation has been answered.
    pub(super) fn is_answered(&self, generation: u64) -> bool {
        generation < self.first_generation
    }

    /// Returns whether no write waits and none is under way.
    pub(super) fn is_idle(&self) -> bool {
        self.rows.is_empty()
    }

    /// Takes the failed writes; returns them, and how many bytes of the buffer become free.
    pub(super) fn take_failed(&mut self) -> (Vec<FailedWrite>, usize) {
        let free = std::mem::take(&mut self.failed_bytes);
        let failed = std::mem::take(&mut self.failed);
        (failed.into_iter().map(|(failed, _)| failed).collect(), free)
    }

    /// Gives up the writes without an answer. Returns the failed writes, which include the writes
    /// under way with this error, and the writes that were not sent.
    pub(super) fn give_up(
        &mut self,
        error: impl Fn() -> Error,
    ) -> (Vec<FailedWrite>, Vec<Mutation>) {
        let (mut failed, _) = self.take_failed();
        for (_, batch) in self.under_way.drain() {
            for Write { mutation, .. } in Arc::unwrap_or_clone(batch.writes) {
                failed.push(FailedWrite { mutation, error: error() });
                self.stats.failed += 1;
            }
        }
        self.stats.in_flight = 0;
        // The writes of each row are in their order.
        let ready = self.queues.drain().flat_map(|(_, queue)| queue.ready);
        let later = self.rows.drain().flat_map(|(_, later)| later);
        let unsent: Vec<_> = ready.chain(later).map(|write| write.mutation).collect();
        self.stats.unsent += unsent.len() as u64;
        self.stats.waiting = 0;
        self.first_generation = self.generation() + 1;
        self.unanswered = VecDeque::from([0]);
        (failed, unsent)
    }
}

fn is_full(queue: &Queue, thresholds: &Thresholds) -> bool {
    queue.ready.len() >= thresholds.operations || queue.bytes >= thresholds.bytes
}
