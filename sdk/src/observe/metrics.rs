//! The built-in observer: it counts each event with a few atomic additions. An operation that
//! succeeds at its first attempt takes only one lock, a shared one, at its start.

use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::event::{
    AnswerEvent, AttemptEvent, CallEvent, ConnectionInfo, MetaLookupEvent, OperationEnd,
    OperationInfo, RegionCacheEvent, ReplicaEvent, WindowEvent,
};
use super::observer::Observer;
use super::pressure::Backpressure;
use super::recorder::{Count, Recorder};
use super::series::{OperationSeries, ServerSeries, Tally};
use super::snapshot::{Metrics, PressureMetrics, RegionCacheMetrics, ReplicaMetrics};
use crate::TableName;

/// How many tables and servers have counters of their own; all further tables or servers share the
/// counters of `other`.
const TABLES: usize = 500;
const SERVERS: usize = 2_000;
const OTHER: &str = "other";

/// The name of an operation, and its counters on one table.
type OfOperation = (&'static str, Arc<OperationSeries>);

/// The counters of a client.
#[derive(Debug)]
pub(super) struct Counters {
    tables: RwLock<FxHashMap<Arc<str>, Vec<OfOperation>>>,
    servers: Mutex<FxHashMap<Arc<str>, Arc<ServerSeries>>>,
    retries: Tally,
    throttle_waits: Recorder,
    hits: Count,
    misses: Count,
    forgotten: Count,
    servers_forgotten: Count,
    moved: Count,
    hedged: Count,
    limited: Count,
    failed_over: Count,
    won: Count,
    stale: Count,
    meta_lookups: Recorder,
    meta_lookups_failed: Count,
    full_in_flight_bytes: Count,
    full_connections: Count,
    spent_retry_budgets: Count,
    full_queues: Count,
    busy_regions: Count,
}

impl Counters {
    pub(super) fn new() -> Self {
        Self {
            tables: RwLock::default(),
            servers: Mutex::default(),
            retries: Tally::default(),
            throttle_waits: Recorder::of_times(),
            hits: Count::default(),
            misses: Count::default(),
            forgotten: Count::default(),
            servers_forgotten: Count::default(),
            moved: Count::default(),
            hedged: Count::default(),
            limited: Count::default(),
            failed_over: Count::default(),
            won: Count::default(),
            stale: Count::default(),
            meta_lookups: Recorder::of_times(),
            meta_lookups_failed: Count::default(),
            full_in_flight_bytes: Count::default(),
            full_connections: Count::default(),
            spent_retry_budgets: Count::default(),
            full_queues: Count::default(),
            busy_regions: Count::default(),
        }
    }

    /// Returns the counters of an operation on a table.
    pub(super) fn operation(
        &self,
        operation: &'static str,
        table: Option<&TableName>,
    ) -> Arc<OperationSeries> {
        let table = table.map_or("", TableName::as_str);
        let of = |all: &[OfOperation]| {
            all.iter().find(|(name, _)| *name == operation).map(|(_, series)| series.clone())
        };
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(series) = tables.get(table).and_then(|all| of(all)) {
            return series;
        }
        drop(tables);
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        let table = if tables.len() < TABLES || tables.contains_key(table) { table } else { OTHER };
        let all = tables.entry(table.into()).or_default();
        of(all).unwrap_or_else(|| {
            let series = Arc::new(OperationSeries::new(operation, table));
            all.push((operation, series.clone()));
            series
        })
    }

    /// Returns the counters of a server.
    pub(super) fn server(&self, address: &Arc<str>) -> Arc<ServerSeries> {
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        let is_known = servers.len() < SERVERS || servers.contains_key(address);
        let address = if is_known { address.clone() } else { OTHER.into() };
        let new = || Arc::new(ServerSeries::new(&address));
        servers.entry(address.clone()).or_insert_with(new).clone()
    }

    pub(super) fn snapshot(&self) -> Metrics {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        let series: Vec<_> = tables.values().flatten().map(|(_, series)| series.clone()).collect();
        drop(tables);
        let mut operations: Vec<_> = series.iter().map(|series| series.snapshot()).collect();
        operations.sort_by(|a, b| (&a.table, &a.operation).cmp(&(&b.table, &b.operation)));
        let servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        let series: Vec<_> = servers.values().cloned().collect();
        drop(servers);
        let mut servers: Vec<_> = series.iter().map(|series| series.snapshot()).collect();
        servers.sort_by(|a, b| a.server.cmp(&b.server));
        Metrics {
            operations,
            servers,
            retries: self.retries.get(),
            throttle_waits: self.throttle_waits.snapshot(),
            regions: RegionCacheMetrics {
                hits: self.hits.get(),
                misses: self.misses.get(),
                forgotten: self.forgotten.get(),
                servers_forgotten: self.servers_forgotten.get(),
                moved: self.moved.get(),
            },
            replicas: ReplicaMetrics {
                hedged: self.hedged.get(),
                limited: self.limited.get(),
                failed_over: self.failed_over.get(),
                won: self.won.get(),
                stale: self.stale.get(),
            },
            meta_lookups: self.meta_lookups.snapshot(),
            meta_lookups_failed: self.meta_lookups_failed.get(),
            pressure: PressureMetrics {
                in_flight_bytes: self.full_in_flight_bytes.get(),
                connection: self.full_connections.get(),
                retry_budget: self.spent_retry_budgets.get(),
                queue_full: self.full_queues.get(),
                region_busy: self.busy_regions.get(),
            },
        }
    }
}

impl Observer for Counters {
    fn operation_started(&self, operation: &OperationInfo<'_>) {
        operation.series.started.add(1);
    }

    fn operation_finished(
        &self,
        operation: &OperationInfo<'_>,
        end: OperationEnd<'_>,
        elapsed: Duration,
    ) {
        match end {
            OperationEnd::Done => operation.series.done.record_time(elapsed),
            OperationEnd::Failed(error) => {
                operation.series.count_failure(&format!("{:?}", error.kind()))
            }
            OperationEnd::Dropped => operation.series.dropped.add(1),
        }
    }

    fn attempt_finished(&self, attempt: &AttemptEvent<'_>) {
        if attempt.retry_after.is_some() {
            self.retries.add(attempt.error_type);
        }
    }

    fn region_cache_used(&self, _: &TableName, event: RegionCacheEvent) {
        match event {
            RegionCacheEvent::Hit => &self.hits,
            RegionCacheEvent::Miss => &self.misses,
            RegionCacheEvent::Forgotten => &self.forgotten,
            RegionCacheEvent::ServerForgotten => &self.servers_forgotten,
            RegionCacheEvent::Moved => &self.moved,
        }
        .add(1);
    }

    fn replica_considered(&self, _: &TableName, event: ReplicaEvent) {
        match event {
            ReplicaEvent::Hedged => &self.hedged,
            ReplicaEvent::Limited => &self.limited,
            ReplicaEvent::FailedOver => &self.failed_over,
            ReplicaEvent::Won => &self.won,
            ReplicaEvent::Stale => &self.stale,
        }
        .add(1);
    }

    fn meta_looked_up(&self, lookup: &MetaLookupEvent<'_>) {
        match lookup.failed {
            false => self.meta_lookups.record_time(lookup.elapsed),
            true => self.meta_lookups_failed.add(1),
        }
    }

    fn call_sent(&self, connection: &ConnectionInfo<'_>, call: CallEvent) {
        let server = connection.series;
        server.calls.add(1);
        server.bytes_sent.add(call.bytes as u64);
        if call.operations > 0 {
            server.operations.record(call.operations as u64);
        }
    }

    fn call_answered(&self, connection: &ConnectionInfo<'_>, answer: AnswerEvent) {
        let server = connection.series;
        server.answers.record_time(answer.elapsed);
        server.bytes_received.add(answer.bytes as u64);
        if answer.failed {
            server.exceptions.add(1);
        }
    }

    fn connection_opened(&self, connection: &ConnectionInfo<'_>, _: Duration) {
        connection.series.opened.add(1);
    }

    fn connection_refused(&self, connection: &ConnectionInfo<'_>, _: &str) {
        connection.series.refused.add(1);
    }

    fn connection_closed(&self, connection: &ConnectionInfo<'_>, why: Option<&str>) {
        connection.series.closed.add(1);
        if why.is_some() {
            connection.series.broken.add(1);
        }
    }

    fn calls_abandoned(&self, connection: &ConnectionInfo<'_>, calls: usize) {
        connection.series.abandoned.add(calls as u64);
    }

    fn window_changed(&self, connection: &ConnectionInfo<'_>, window: WindowEvent) {
        let server = connection.series;
        server.window.set(window.calls.map_or(u64::MAX, |calls| calls as u64));
        if let Some(cause) = window.cause {
            server.window_reductions.add(cause.name());
        }
    }

    fn throttled(&self, _: &OperationInfo<'_>, wait: Duration) {
        self.throttle_waits.record_time(wait);
    }

    fn held_back(&self, _: &OperationInfo<'_>, by: Backpressure) {
        match by {
            Backpressure::InFlightBytes => &self.full_in_flight_bytes,
            Backpressure::ConnectionQueue => &self.full_connections,
            Backpressure::RetryBudget => &self.spent_retry_budgets,
            Backpressure::QueueFull => &self.full_queues,
            Backpressure::RegionBusy => &self.busy_regions,
        }
        .add(1);
    }
}
