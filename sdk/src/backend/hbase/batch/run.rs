//! The execution of a batch, as a loop over events. Once a call was answered, each of its entries
//! is done or waits for another attempt; entries that wait for the same reason wait together. When
//! a pause is over, or when regions were looked up, the entries that waited for that are sent. So a
//! failure on one server never delays calls to another server.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, FuturesUnordered};
use futures_util::{FutureExt, StreamExt};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

use super::calls::{CallQueues, ServerCall};
use super::entry::Entry;
use crate::backend::batch::BatchOutcomes;
use crate::backend::hbase::cluster::Cluster;
use crate::backend::hbase::location::Location;
use crate::backend::hbase::lower;
use crate::backend::hbase::operation_progress::{OperationProgress, Verdict};
use crate::backend::hbase::region::{LocateError, LookupTarget};
use crate::backend::hbase::retry::{Attempts, CacheInvalidation, Wait, classify_lookup};
use crate::backend::hbase::rpc::{Answers, CallError, InFlight, OpReply, Service, Share};
use crate::backend::repeat::Idempotency;
use crate::observe::{Backpressure, Observer, RegionCacheEvent};
use crate::request::op::BatchOutcome;
use crate::{Error, Result, TableName};

/// The maximum number of regions that one batch looks up concurrently.
const LOOKUPS: usize = 64;

/// A batch that is under way.
pub(super) struct Run<'a> {
    cluster: &'a Cluster,
    table: &'a TableName,
    attempts: &'a mut Attempts,
    outcomes: &'a mut BatchOutcomes,
    permit: Arc<OwnedSemaphorePermit>,
    queues: CallQueues<'a>,
    events: FuturesUnordered<BoxFuture<'a, Event<'a>>>,
}

enum Event<'a> {
    Answered {
        call: ServerCall<'a>,
        begun: Instant,
        answers: Result<Answers, CallError>,
    },
    /// The lookups of these entries' regions have ended, each with a result or at the deadline.
    LookedUp {
        begun: Instant,
        found: Vec<(Entry<'a>, Found)>,
    },
    Paused(Vec<Entry<'a>>),
    Alone {
        at: usize,
        outcome: Result<BatchOutcome>,
    },
}

/// The result of a lookup; `None` if the deadline passed before there was a result.
type Found = Option<Result<Arc<Location>, LocateError>>;

/// Groups of entries that wait for another attempt: the reason, the pause and the entries of each
/// group.
type Waiting<'a> = Vec<(Wait, Duration, Vec<Entry<'a>>)>;

impl<'a> Run<'a> {
    pub(super) fn new(
        cluster: &'a Cluster,
        table: &'a TableName,
        attempts: &'a mut Attempts,
        outcomes: &'a mut BatchOutcomes,
        permit: OwnedSemaphorePermit,
    ) -> Self {
        let config = &cluster.config;
        let queues = CallQueues::new(config.calls_per_server, config.in_flight_bytes);
        let (permit, events) = (Arc::new(permit), FuturesUnordered::new());
        Self { cluster, table, attempts, outcomes, permit, queues, events }
    }

    /// Runs the batch until all of these entries have an outcome.
    pub(super) async fn run(mut self, entries: Vec<Entry<'a>>) {
        self.locate(entries);
        while let Some(event) = self.events.next().await {
            match event {
                Event::Answered { call, begun, answers } => self.answered(call, begun, answers),
                Event::LookedUp { begun, found } => self.looked_up(found, begun),
                Event::Paused(entries) => self.locate(entries),
                Event::Alone { at, outcome } => self.outcomes.set(at, outcome),
            }
        }
    }

    /// Sends the entries whose regions are known, and looks up the regions of the others.
    fn locate(&mut self, mut entries: Vec<Entry<'a>>) {
        let mut found = Vec::with_capacity(entries.len());
        let rows = entries.iter().map(|entry| &*entry.about.row);
        self.cluster.locator.cache().for_each_row(self.table, rows, |location| {
            found.push(location.cloned());
        });
        for (entry, location) in entries.iter_mut().zip(found) {
            if let Some(progress) = &mut entry.progress {
                progress.attempts.begin_attempt();
            }
            entry.location = location.filter(|location| entry.failed_location() != Some(location));
            if entry.location.is_some() {
                self.cluster.observers.region_cache_used(self.table, RegionCacheEvent::Hit);
            }
        }
        if entries.iter().any(|entry| entry.location.is_none()) {
            let (known, unknown) = entries.into_iter().partition(|e| e.location.is_some());
            self.look_up(unknown);
            entries = known;
        }
        self.send(entries);
    }

    fn look_up(&mut self, entries: Vec<Entry<'a>>) {
        let (cluster, table, deadline) = (self.cluster, self.table, self.attempts.deadline());
        let begun = Instant::now();
        let look_up = |entry: Entry<'a>| {
            let found = async move {
                let failed = entry.failed_location().map(|location| &**location);
                let wanted = LookupTarget::Containing(&entry.about.row);
                let found = cluster.look_up_once(table, wanted, failed, deadline).await;
                (entry, found)
            };
            found.boxed()
        };
        let lookups: Vec<_> = entries.into_iter().map(look_up).collect();
        self.events.push(Box::pin(async move {
            let found = stream::iter(lookups).buffer_unordered(LOOKUPS);
            Event::LookedUp { begun, found: found.collect().await }
        }));
    }

    fn looked_up(&mut self, found: Vec<(Entry<'a>, Found)>, begun: Instant) {
        let mut located = Vec::with_capacity(found.len());
        let mut waiting = Waiting::new();
        let mut reported = ReportedCauses::default();
        for (mut entry, found) in found {
            let error = match found {
                Some(Ok(location)) => {
                    entry.location = Some(location);
                    located.push(entry);
                    continue;
                }
                Some(Err(error)) => Some(error),
                None => None,
            };
            let mut progress = self.progress(&mut entry, begun);
            let again = match error.map(classify_lookup) {
                Some(Ok((error, wait))) => {
                    progress.attempts.set_observers_muted(!reported.is_new(&error));
                    let pause = progress.attempts.next_pause(error, wait);
                    progress.attempts.set_observers_muted(false);
                    pause.map(|pause| (wait, pause))
                }
                Some(Err(error)) => Err(error),
                None => Err(self.cluster.lookup_timeout_error(&mut progress.attempts)),
            };
            match again {
                Ok((wait, pause)) => {
                    entry.progress = Some(progress);
                    add(&mut waiting, wait, pause, entry);
                }
                Err(error) => {
                    let error = progress.failure(error);
                    self.fail(&entry, &mut progress, error);
                }
            }
        }
        self.wait(waiting);
        self.send(located);
    }

    fn send(&mut self, located: Vec<Entry<'a>>) {
        for call in self.queues.group_into_calls(located) {
            self.queues.push(call);
        }
        self.send_next();
    }

    /// Sends the calls that may be sent now.
    fn send_next(&mut self) {
        while let Some(call) = self.queues.next() {
            self.call(call);
        }
    }

    /// Sends one call.
    fn call(&mut self, call: ServerCall<'a>) {
        let cluster = self.cluster;
        self.attempts.record_server(&call.server);
        let begun = Instant::now();
        // The first write in the call, or else its first entry, determines the timeout and the
        // priority of the call, and whether the call waits if the connection is full.
        let is_write = |entry: &&Entry| entry.about.idempotency != Idempotency::Read;
        let decisive = call.entries.iter().find(is_write).or(call.entries.first());
        let attempt_timeout = decisive.map_or(cluster.config.attempt_timeout, |entry| {
            cluster.attempt_timeout_of(&entry.about)
        });
        let deadline = self.attempts.attempt_deadline(begun, attempt_timeout);
        let share = Share::Part { _permit: self.permit.clone() };
        let trace = self.attempts.trace_context();
        let (priority, waits) =
            decisive.map_or((0, true), |entry| (entry.about.priority, entry.about.waits));
        self.events.push(Box::pin(async move {
            let connection = cluster.servers.connection(&call.server, Service::Client, deadline);
            let answers = match connection.await {
                Ok(connection) if !waits && connection.is_full() => Err(CallError::Full),
                Ok(connection) => {
                    let times = (begun, deadline);
                    connection.send_ops(&call.entries, share, (priority, trace), times).await
                }
                Err(error) => Err(error),
            };
            Event::Answered { call, begun, answers }
        }));
    }

    fn answered(
        &mut self,
        call: ServerCall<'a>,
        begun: Instant,
        answers: Result<Answers, CallError>,
    ) {
        self.queues.finish_call(&call);
        if self.attempts.is_out_of_time() {
            self.give_up();
        } else {
            self.send_next();
        }
        let mut waiting = Waiting::new();
        let mut forgotten = None;
        let mut reported = ReportedCauses::default();
        match answers {
            Ok(answers) => {
                for (mut entry, answer) in call.entries.into_iter().zip(answers) {
                    match answer {
                        Ok(reply)
                            if entry.progress.is_none() && entry.about.check(&reply).is_ok() =>
                        {
                            entry.record_answered();
                            self.cluster.record_acknowledged(&entry.about);
                            self.outcomes.set(entry.at, Ok(lower::outcome(reply)));
                        }
                        answer => {
                            self.judge(
                                entry,
                                answer,
                                begun,
                                &mut waiting,
                                (&mut forgotten, &mut reported),
                            );
                        }
                    }
                }
            }
            Err(error) => {
                if matches!(error, CallError::Full) {
                    self.attempts.report_backpressure(Backpressure::ConnectionQueue);
                }
                for entry in call.entries {
                    let answer = Err(error.clone());
                    self.judge(entry, answer, begun, &mut waiting, (&mut forgotten, &mut reported));
                }
            }
        }
        self.wait(waiting);
    }

    /// Fails all entries whose calls were not sent yet, because they have waited too long for the
    /// calls before them.
    fn give_up(&mut self) {
        for mut entry in self.queues.take_all() {
            let mut progress = entry.progress.take().unwrap_or_else(|| {
                let now = Instant::now();
                Box::new(OperationProgress::new(self.attempts.of_part(entry.about.name, 0, now)))
            });
            let error = progress.failure(self.cluster.in_flight_timeout_error(self.attempts));
            self.fail(&entry, &mut progress, error);
        }
    }

    /// Decides what an answer means for an entry. `forgotten` is the location that an earlier entry
    /// of the same call made the cache forget, and `reported` contains the causes that were already
    /// reported to observers for this call.
    fn judge(
        &mut self,
        mut entry: Entry<'a>,
        answer: Result<OpReply, CallError>,
        begun: Instant,
        waiting: &mut Waiting<'a>,
        (forgotten, reported): (
            &mut Option<(Arc<Location>, CacheInvalidation)>,
            &mut ReportedCauses,
        ),
    ) {
        let Some(location) = entry.location.take() else { return };
        let mut progress = self.progress(&mut entry, begun);
        progress.attempts.record_server(location.server_address());
        match progress.judge(&entry.about, &location, answer) {
            Verdict::Done(reply) => {
                self.cluster.record_acknowledged(&entry.about);
                self.outcomes.set(entry.at, Ok(lower::outcome(reply)));
            }
            Verdict::Failed(error) => self.fail(&entry, &mut progress, error),
            Verdict::Again(error, wait, stale) => {
                let stale = Some((location, stale));
                if let Some((location, stale)) = stale.as_ref().filter(|_| stale != *forgotten) {
                    self.cluster.apply_invalidation(self.table, location, stale);
                }
                *forgotten = stale;
                progress.attempts.set_observers_muted(!reported.is_new(&error));
                let pause = progress.attempts.next_pause(error, wait);
                progress.attempts.set_observers_muted(false);
                match pause {
                    Ok(pause)
                        if progress.lost.is_some()
                            && entry.about.idempotency == Idempotency::WithNonce =>
                    {
                        self.run_alone(entry, progress, wait, pause);
                    }
                    Ok(pause) => {
                        entry.progress = Some(progress);
                        add(waiting, wait, pause, entry);
                    }
                    Err(error) => {
                        let error = progress.failure(error);
                        self.fail(&entry, &mut progress, error);
                    }
                }
            }
        }
    }

    /// Continues with one operation apart from the other entries: whether it may be sent again
    /// depends on where its region is after the pause.
    fn run_alone(
        &mut self,
        entry: Entry<'a>,
        mut progress: Box<OperationProgress>,
        wait: Wait,
        pause: Duration,
    ) {
        let (cluster, table) = (self.cluster, self.table);
        let share = Share::Part { _permit: self.permit.clone() };
        let rest = progress.attempts.sleep_before_retry(pause, wait);
        self.events.push(Box::pin(async move {
            let Entry { at, about, op, timestamp, .. } = entry;
            rest.await;
            let ticket = Arc::new(InFlight::new(op, share));
            let done = cluster.run_attempts(table, &about, &ticket, &mut progress).await;
            drop(timestamp);
            if done.is_ok() {
                cluster.record_acknowledged(&about);
            }
            let outcome = done.map(lower::outcome);
            Event::Alone { at, outcome: progress.finish(outcome, table, &about, &cluster.servers) }
        }));
    }

    /// Starts the pause of each group of entries that wait for another attempt.
    fn wait(&mut self, waiting: Waiting<'a>) {
        for (wait, pause, entries) in waiting {
            let attempts = entries.first().and_then(|entry| entry.progress.as_ref());
            let rest = attempts.map(|progress| progress.attempts.sleep_before_retry(pause, wait));
            self.events.push(Box::pin(async move {
                if let Some(rest) = rest {
                    rest.await;
                }
                Event::Paused(entries)
            }));
        }
    }

    /// Removes and returns the progress of an entry; if there is none yet, returns the progress of
    /// one attempt that began at `begun`.
    fn progress(&self, entry: &mut Entry<'_>, begun: Instant) -> Box<OperationProgress> {
        entry.progress.take().unwrap_or_else(|| {
            Box::new(OperationProgress::new(self.attempts.of_part(entry.about.name, 1, begun)))
        })
    }

    fn fail(&mut self, entry: &Entry<'_>, progress: &mut OperationProgress, error: Error) {
        let outcome = progress.finish(Err(error), self.table, &entry.about, &self.cluster.servers);
        self.outcomes.set(entry.at, outcome);
    }
}

/// The causes of failed attempts that were already reported to observers for one call or one group
/// of lookups, in which many operations may have failed at once.
#[derive(Default)]
struct ReportedCauses(Vec<String>);

impl ReportedCauses {
    fn is_new(&mut self, error: &Error) -> bool {
        let cause = error.error_type();
        let is_new = !self.0.iter().any(|reported| *reported == cause);
        if is_new {
            self.0.push(cause.into_owned());
        }
        is_new
    }
}

/// Adds an entry to the group that waits for the same reason; the whole group waits for the longest
/// pause of its entries.
fn add<'a>(waiting: &mut Waiting<'a>, wait: Wait, pause: Duration, entry: Entry<'a>) {
    match waiting.iter_mut().find(|(other, ..)| *other == wait) {
        Some((_, longest, entries)) => {
            *longest = pause.max(*longest);
            entries.push(entry);
        }
        None => waiting.push((wait, pause, vec![entry])),
    }
}
