//! The lookups under way, of which each table has a few at a time.
//!
//! A lookup belongs to nobody: callers wait for it, each as long as it likes, and it goes on if
//! they leave. A page that one lookup brings answers every caller whose region is in it. Two rows
//! that no known region separates may be of one region: they are not looked up at the same time. No
//! lock is held while anything is awaited.
//!
//! # Invariants
//!
//! - Rows that may be of one region are not looked up at the same time, also after errors and
//!   dropped callers. Tests: `rows_that_may_be_of_one_region_are_not_looked_up_at_the_same_time`,
//!   `callers_look_again_if_the_lookup_is_dropped`,
//!   `tests/suites/regions/calls.rs::tasks_that_want_one_region_share_one_lookup`.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

use super::lookup_target::{LocateError, Wanted};
use crate::TableName;
use crate::backend::hbase::location::Location;

/// How many lookups of one table are made at a time, as
/// `hbase.client.meta.max.concurrent.locate.per.table`.
const AT_A_TIME: usize = 8;
/// How many of those that wait are considered for the next lookup.
const CONSIDERED: usize = 64;
/// How many regions the first lookup asks for, as `hbase.client.locate.prefetch.limit`.
const FIRST_ROWS: u32 = 10;
/// How many regions a lookup asks for at most.
pub(super) const MOST_ROWS: u32 = 100;
/// How many regions more each lookup asks for that follows another one within [`GROWS_WITHIN`]: a
/// few lookups for rows all over a large table bring little that nobody wants, and many bring all
/// of it.
const MORE_ROWS: u32 = 2;
const GROWS_WITHIN: Duration = Duration::from_secs(1);
/// A lookup without an answer for this long is not joined any more: its call or its answer may be
/// lost.
const JOINED_WITHIN: Duration = Duration::from_secs(1);

type Found = Result<Arc<Location>, LocateError>;

/// What the cache knows of a table: whether a region starts between two rows, the second one
/// included.
pub(super) trait Separates: Fn(&[u8], &[u8]) -> bool {}

impl<F: Fn(&[u8], &[u8]) -> bool> Separates for F {}

/// The lookups of all tables.
#[derive(Default)]
pub(super) struct Lookups {
    tables: Mutex<HashMap<TableName, Table>>,
}

#[derive(Default)]
struct Table {
    /// The lookups under way, and when they were started.
    running: Vec<(Instant, Wanted)>,
    flights: BTreeMap<Wanted, Flight>,
    /// The lookups that are not started yet, oldest first.
    queue: VecDeque<Wanted>,
    /// How many regions the last lookup asked for, and when it was started.
    last: Option<(u32, Instant)>,
}

/// The callers that wait for one region.
#[derive(Default)]
struct Flight {
    started: Option<Instant>,
    waiters: Vec<oneshot::Sender<Found>>,
}

/// A lookup that its holder must make. If it is dropped, its callers look again.
pub(super) struct Started {
    lookups: Arc<Lookups>,
    pub(super) table: TableName,
    pub(super) wanted: Wanted,
    /// How many regions to ask for.
    pub(super) rows: u32,
    at: Instant,
    is_done: bool,
}

impl Lookups {
    /// Waits for a region with those who want it already; the lookup itself if the caller is to
    /// start it.
    pub(super) fn join(
        self: &Arc<Self>,
        table: &TableName,
        wanted: Wanted,
        separates: impl Separates,
    ) -> (oneshot::Receiver<Found>, Option<Started>) {
        let now = Instant::now();
        let mut tables = self.lock();
        if !tables.contains_key(table) {
            tables.retain(|_, t| !t.is_idle(now));
        }
        let entry = tables.entry(table.clone()).or_default();
        let (sender, receiver) = oneshot::channel();
        let flight = entry.flights.entry(wanted.clone()).or_default();
        let is_new = flight.waiters.is_empty();
        flight.waiters.push(sender);
        let is_late = flight.started.is_some_and(|at| now >= at + JOINED_WITHIN);
        if !is_new && !is_late {
            return (receiver, None);
        }
        if !entry.may_start(&wanted, now, &separates) {
            if is_new {
                entry.queue.push_back(wanted);
            }
            return (receiver, None);
        }
        let rows = entry.start(&wanted, now);
        let started = self.started(table, wanted, (rows, now));
        (receiver, Some(started))
    }

    fn started(
        self: &Arc<Self>,
        table: &TableName,
        wanted: Wanted,
        (rows, at): (u32, Instant),
    ) -> Started {
        Started { lookups: self.clone(), table: table.clone(), wanted, rows, at, is_done: false }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TableName, Table>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn is_idle(&self, now: Instant) -> bool {
        self.flights.is_empty()
            && self.running.is_empty()
            && self.last.is_none_or(|(_, at)| now >= at + GROWS_WITHIN)
    }

    /// Whether a lookup may be started. Those that are late count only towards the most that there
    /// ever are.
    fn may_start(&self, wanted: &Wanted, now: Instant, separates: &impl Separates) -> bool {
        let is_apart = |other: &Wanted| match wanted.cmp(other) {
            Ordering::Less => separates(&wanted.row, &other.row),
            Ordering::Equal => false,
            Ordering::Greater => separates(&other.row, &wanted.row),
        };
        let mut fresh = self.running.iter().filter(|(at, _)| now < *at + JOINED_WITHIN);
        self.running.len() < AT_A_TIME && fresh.all(|(_, other)| is_apart(other))
    }

    fn end(&mut self, started: &Started) {
        let is_it =
            |(at, wanted): &(Instant, Wanted)| (*at, wanted) == (started.at, &started.wanted);
        if let Some(at) = self.running.iter().position(is_it) {
            self.running.swap_remove(at);
        }
    }

    /// Counts a lookup, and returns how many regions it asks for.
    fn start(&mut self, wanted: &Wanted, now: Instant) -> u32 {
        self.running.push((now, wanted.clone()));
        if let Some(flight) = self.flights.get_mut(wanted) {
            flight.started = Some(now);
        }
        let rows = match self.last {
            Some((rows, at)) if now < at + GROWS_WITHIN => (rows + MORE_ROWS).min(MOST_ROWS),
            _ => FIRST_ROWS,
        };
        self.last = Some((rows, now));
        rows
    }

    /// Answers every caller whose region is this one.
    fn answer(&mut self, location: &Arc<Location>) {
        let end = match location.end().is_empty() {
            true => Bound::Unbounded,
            false => Bound::Included(Wanted { row: location.end_key(), before: true }),
        };
        let start = Wanted { row: location.start_key(), before: false };
        let mut found: Vec<Wanted> = Vec::new();
        let within = self.flights.range((Bound::Included(start), end));
        found.extend(within.map(|(wanted, _)| wanted).filter(|w| w.is(location)).cloned());
        // What is before the end of the table.
        let last = Wanted { row: bytes::Bytes::new(), before: true };
        if location.end().is_empty() && self.flights.contains_key(&last) && !found.contains(&last) {
            found.push(last);
        }
        for wanted in found {
            let flight = self.flights.remove(&wanted).unwrap_or_default();
            for waiter in flight.waiters {
                // One that left is not interested.
                let _ = waiter.send(Ok(location.clone()));
            }
        }
    }

    fn fail(&mut self, wanted: &Wanted, error: &LocateError) {
        let flight = self.flights.remove(wanted).unwrap_or_default();
        for waiter in flight.waiters {
            let _ = waiter.send(Err(error.clone()));
        }
    }

    /// The next lookup that somebody still waits for and that may be started.
    fn next(&mut self, now: Instant, separates: &impl Separates) -> Option<Wanted> {
        let mut at = 0;
        while at < CONSIDERED
            && let Some(wanted) = self.queue.get(at)
        {
            let flight = self.flights.get_mut(wanted).filter(|flight| flight.started.is_none());
            let is_awaited = flight.is_some_and(|flight| {
                flight.waiters.retain(|waiter| !waiter.is_closed());
                !flight.waiters.is_empty()
            });
            if !is_awaited {
                if let Some(wanted) = self.queue.remove(at) {
                    self.give_up(&wanted);
                }
            } else if self.may_start(wanted, now, separates) {
                return self.queue.remove(at);
            } else {
                at += 1;
            }
        }
        None
    }

    /// Forgets a lookup that was never started, if nobody waits for it.
    fn give_up(&mut self, wanted: &Wanted) {
        if self.flights.get(wanted).is_some_and(|flight| flight.waiters.is_empty()) {
            self.flights.remove(wanted);
        }
    }
}

impl Started {
    /// Ends the lookup with the regions it brought, and returns the next ones that its holder must
    /// make.
    pub(super) fn finish(
        mut self,
        result: Result<Vec<Arc<Location>>, LocateError>,
        separates: impl Separates,
    ) -> Vec<Started> {
        self.is_done = true;
        let mut next = Vec::new();
        let mut tables = self.lookups.lock();
        let Some(table) = tables.get_mut(&self.table) else { return next };
        table.end(&self);
        match result {
            Ok(found) => found.iter().for_each(|location| table.answer(location)),
            Err(error) => {
                table.fail(&self.wanted, &error);
                // Who waits for its turn would learn the same, only later.
                if matches!(error, LocateError::Call { .. } | LocateError::NoSuchTable) {
                    for wanted in std::mem::take(&mut table.queue) {
                        table.fail(&wanted, &error);
                    }
                }
            }
        }
        let now = Instant::now();
        while let Some(wanted) = table.next(now, &separates) {
            let rows = table.start(&wanted, now);
            next.push(self.lookups.started(&self.table, wanted, (rows, now)));
        }
        next
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if self.is_done {
            return;
        }
        // Its runtime has ended. The callers, of other runtimes, look again: those that wait for
        // their turn too.
        let mut tables = self.lookups.lock();
        if let Some(table) = tables.get_mut(&self.table) {
            table.end(self);
            table.flights.remove(&self.wanted);
            for wanted in std::mem::take(&mut table.queue) {
                table.flights.remove(&wanted);
            }
        }
    }
}

#[cfg(test)]
mod tests;
