//! Shares region lookups among callers, and limits how many lookups of a table run concurrently.
//!
//! A lookup does not belong to a caller: each caller may stop waiting at any time, and the lookup
//! continues even if no caller waits any more. The page of regions that a lookup finds answers
//! every caller whose region is on that page. Two rows may belong to the same region if no known
//! region starts between them; such rows are not looked up concurrently. No lock is held across an
//! await.
//!
//! # Invariants
//!
//! - Rows that may belong to one region are not looked up concurrently, even after errors and
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

use super::lookup_target::{LocateError, OwnedLookupTarget};
use crate::TableName;
use crate::backend::hbase::location::Location;

/// How many lookups of one table may run concurrently; corresponds to
/// `hbase.client.meta.max.concurrent.locate.per.table`.
const AT_A_TIME: usize = 8;
/// How many of the waiting lookups are considered when the next one is chosen.
const CONSIDERED: usize = 64;
/// How many regions the first lookup asks for; corresponds to `hbase.client.locate.prefetch.limit`.
const FIRST_ROWS: u32 = 10;
/// How many regions a lookup asks for at most.
pub(super) const MOST_ROWS: u32 = 100;
/// How many more regions a lookup asks for than the previous lookup, if it starts within
/// [`GROWS_WITHIN`] after the previous lookup. So a few lookups of rows all over a large table
/// fetch few unneeded regions, and many lookups fetch the whole table.
const MORE_ROWS: u32 = 2;
const GROWS_WITHIN: Duration = Duration::from_secs(1);
/// Callers no longer join a lookup that has had no answer for this long, because its call or the
/// answer may be lost.
const JOINED_WITHIN: Duration = Duration::from_secs(1);

type Found = Result<Arc<Location>, LocateError>;

/// A function that returns whether a known region of the table starts after the first row and at or
/// before the second row.
pub(super) trait HasRegionStartBetween: Fn(&[u8], &[u8]) -> bool {}

impl<F: Fn(&[u8], &[u8]) -> bool> HasRegionStartBetween for F {}

/// The lookups of all tables.
#[derive(Default)]
pub(super) struct Lookups {
    tables: Mutex<HashMap<TableName, Table>>,
}

#[derive(Default)]
struct Table {
    /// The lookups under way, and when they were started.
    running: Vec<(Instant, OwnedLookupTarget)>,
    flights: BTreeMap<OwnedLookupTarget, Flight>,
    /// The lookups that are not started yet, oldest first.
    queue: VecDeque<OwnedLookupTarget>,
    /// How many regions the last lookup asked for, and when it was started.
    last: Option<(u32, Instant)>,
}

/// The callers that wait for one region.
#[derive(Default)]
struct Flight {
    started: Option<Instant>,
    waiters: Vec<oneshot::Sender<Found>>,
}

/// A lookup that the holder of this value must perform. If the value is dropped before the lookup
/// is finished, the callers that wait for the lookup try again.
pub(super) struct StartedLookup {
    lookups: Arc<Lookups>,
    pub(super) table: TableName,
    pub(super) wanted: OwnedLookupTarget,
    /// How many regions to ask for.
    pub(super) rows: u32,
    at: Instant,
    is_done: bool,
}

impl Lookups {
    /// Adds a caller that waits for a region, and returns the receiver of the result. Also returns
    /// the lookup itself if this caller has to perform it.
    pub(super) fn join(
        self: &Arc<Self>,
        table: &TableName,
        wanted: OwnedLookupTarget,
        separates: impl HasRegionStartBetween,
    ) -> (oneshot::Receiver<Found>, Option<StartedLookup>) {
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
        wanted: OwnedLookupTarget,
        (rows, at): (u32, Instant),
    ) -> StartedLookup {
        StartedLookup {
            lookups: self.clone(),
            table: table.clone(),
            wanted,
            rows,
            at,
            is_done: false,
        }
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

    /// Whether a lookup may be started: fewer than the maximum number of lookups are running, and
    /// none of them can be for the same region. The second condition ignores lookups that were
    /// started longer than [`JOINED_WITHIN`] ago.
    fn may_start(
        &self,
        wanted: &OwnedLookupTarget,
        now: Instant,
        separates: &impl HasRegionStartBetween,
    ) -> bool {
        let is_apart = |other: &OwnedLookupTarget| match wanted.cmp(other) {
            Ordering::Less => separates(&wanted.row, &other.row),
            Ordering::Equal => false,
            Ordering::Greater => separates(&other.row, &wanted.row),
        };
        let mut fresh = self.running.iter().filter(|(at, _)| now < *at + JOINED_WITHIN);
        self.running.len() < AT_A_TIME && fresh.all(|(_, other)| is_apart(other))
    }

    fn end(&mut self, started: &StartedLookup) {
        let is_it = |(at, wanted): &(Instant, OwnedLookupTarget)| {
            (*at, wanted) == (started.at, &started.wanted)
        };
        if let Some(at) = self.running.iter().position(is_it) {
            self.running.swap_remove(at);
        }
    }

    /// Registers a lookup as running, and returns how many regions the lookup asks for.
    fn start(&mut self, wanted: &OwnedLookupTarget, now: Instant) -> u32 {
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

    /// Sends the location to every caller that waits for this region.
    fn answer(&mut self, location: &Arc<Location>) {
        let end = match location.end().is_empty() {
            true => Bound::Unbounded,
            false => {
                Bound::Included(OwnedLookupTarget { row: location.end_key_bytes(), before: true })
            }
        };
        let start = OwnedLookupTarget { row: location.start_key_bytes(), before: false };
        let mut found: Vec<OwnedLookupTarget> = Vec::new();
        let within = self.flights.range((Bound::Included(start), end));
        found.extend(within.map(|(wanted, _)| wanted).filter(|w| w.matches(location)).cloned());
        // The lookup of the last region of the table.
        let last = OwnedLookupTarget { row: bytes::Bytes::new(), before: true };
        if location.end().is_empty() && self.flights.contains_key(&last) && !found.contains(&last) {
            found.push(last);
        }
        for wanted in found {
            let flight = self.flights.remove(&wanted).unwrap_or_default();
            for waiter in flight.waiters {
                // A caller that no longer waits needs no answer.
                let _ = waiter.send(Ok(location.clone()));
            }
        }
    }

    fn fail(&mut self, wanted: &OwnedLookupTarget, error: &LocateError) {
        let flight = self.flights.remove(wanted).unwrap_or_default();
        for waiter in flight.waiters {
            let _ = waiter.send(Err(error.clone()));
        }
    }

    /// Takes from the queue the next lookup that a caller still waits for and that may be started.
    fn next(
        &mut self,
        now: Instant,
        separates: &impl HasRegionStartBetween,
    ) -> Option<OwnedLookupTarget> {
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
    fn give_up(&mut self, wanted: &OwnedLookupTarget) {
        if self.flights.get(wanted).is_some_and(|flight| flight.waiters.is_empty()) {
            self.flights.remove(wanted);
        }
    }
}

impl StartedLookup {
    /// Ends the lookup: sends the regions that it found, or its error, to the waiting callers.
    /// Returns the lookups that are started next, which the caller must perform.
    pub(super) fn finish(
        mut self,
        result: Result<Vec<Arc<Location>>, LocateError>,
        separates: impl HasRegionStartBetween,
    ) -> Vec<StartedLookup> {
        self.is_done = true;
        let mut next = Vec::new();
        let mut tables = self.lookups.lock();
        let Some(table) = tables.get_mut(&self.table) else { return next };
        table.end(&self);
        match result {
            Ok(found) => found.iter().for_each(|location| table.answer(location)),
            Err(error) => {
                table.fail(&self.wanted, &error);
                // The queued lookups would fail in the same way, only later.
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

impl Drop for StartedLookup {
    fn drop(&mut self) {
        if self.is_done {
            return;
        }
        // The runtime of the lookup has ended. All waiting callers, including the callers of queued
        // lookups, are on other runtimes, and try again.
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
