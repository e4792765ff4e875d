//! Passes each event to the metrics and to the observers of the configuration, and holds the log of
//! slow operations.

use std::sync::Arc;
use std::time::Duration;

use super::caller;
use super::event::{
    AnswerEvent, AttemptEvent, CallEvent, ConnectionInfo, MetaLookupEvent, OperationEnd,
    OperationInfo, RegionCacheEvent, ReplicaEvent, WindowEvent,
};
use super::json::JsonWriter;
#[cfg(feature = "metrics")]
use super::metrics::Counters;
use super::observer::Observer;
use super::pressure::Backpressure;
use super::settings::ObserverSettings;
use super::slow_log::RecentSlowOperations;
use super::trace_context::TraceContext;
use crate::TableName;

/// All observers of a client: its metrics, and the observers of its configuration.
#[derive(Debug)]
pub(crate) struct Observers {
    #[cfg(feature = "metrics")]
    pub(super) counters: Counters,
    pub(super) slow: RecentSlowOperations,
    pub(crate) settings: ObserverSettings,
    /// The store of the client, as OpenTelemetry's attribute `db.system.name` names it.
    pub(super) system: &'static str,
}

impl Observers {
    pub(crate) fn new(settings: ObserverSettings, system: &'static str) -> Self {
        Self {
            #[cfg(feature = "metrics")]
            counters: Counters::new(),
            slow: RecentSlowOperations::default(),
            settings,
            system,
        }
    }

    /// Returns the metrics that were collected until now.
    #[cfg(feature = "metrics")]
    pub(crate) fn metrics(&self) -> super::Metrics {
        self.counters.snapshot()
    }

    /// Adds the latest slow operations to the current object.
    pub(crate) fn write_slow(&self, json: &mut JsonWriter) {
        self.slow.write(json);
    }

    /// Returns whether calls may belong to a trace.
    pub(super) fn has_traces(&self) -> bool {
        cfg!(feature = "opentelemetry-033") || self.settings.trace_context.is_some()
    }

    /// Returns the trace that the current task works for.
    pub(crate) fn trace_context(&self) -> Option<TraceContext> {
        let current = match &self.settings.trace_context {
            Some(current) => current(),
            #[cfg(feature = "opentelemetry-033")]
            None => super::opentelemetry::current_trace(),
            #[cfg(not(feature = "opentelemetry-033"))]
            None => return None,
        };
        current.or_else(caller::inherited_trace)
    }

    /// Reports that a call to the server of `hbase:meta` ended.
    pub(crate) fn report_meta_lookup(&self, server: &Arc<str>, elapsed: Duration, failed: bool) {
        self.meta_looked_up(&MetaLookupEvent { server, elapsed, failed });
    }

    fn each(&self, tell: impl Fn(&dyn Observer)) {
        #[cfg(feature = "metrics")]
        tell(&self.counters);
        for observer in &self.settings.observers {
            tell(&**observer);
        }
    }
}

impl Observer for Observers {
    fn operation_started(&self, operation: &OperationInfo<'_>) {
        self.each(|o| o.operation_started(operation));
    }

    fn operation_finished(
        &self,
        operation: &OperationInfo<'_>,
        end: OperationEnd<'_>,
        elapsed: Duration,
    ) {
        self.each(|o| o.operation_finished(operation, end, elapsed));
    }

    fn attempt_finished(&self, attempt: &AttemptEvent<'_>) {
        self.each(|o| o.attempt_finished(attempt));
    }

    fn region_cache_used(&self, table: &TableName, event: RegionCacheEvent) {
        self.each(|o| o.region_cache_used(table, event));
    }

    fn replica_considered(&self, table: &TableName, event: ReplicaEvent) {
        self.each(|o| o.replica_considered(table, event));
    }

    fn meta_looked_up(&self, lookup: &MetaLookupEvent<'_>) {
        self.each(|o| o.meta_looked_up(lookup));
    }

    fn call_sent(&self, connection: &ConnectionInfo<'_>, call: CallEvent) {
        self.each(|o| o.call_sent(connection, call));
    }

    fn call_answered(&self, connection: &ConnectionInfo<'_>, answer: AnswerEvent) {
        self.each(|o| o.call_answered(connection, answer));
    }

    fn calls_abandoned(&self, connection: &ConnectionInfo<'_>, calls: usize) {
        self.each(|o| o.calls_abandoned(connection, calls));
    }

    fn connection_opened(&self, connection: &ConnectionInfo<'_>, elapsed: Duration) {
        self.each(|o| o.connection_opened(connection, elapsed));
    }

    fn connection_refused(&self, connection: &ConnectionInfo<'_>, why: &str) {
        self.each(|o| o.connection_refused(connection, why));
    }

    fn connection_closed(&self, connection: &ConnectionInfo<'_>, why: Option<&str>) {
        self.each(|o| o.connection_closed(connection, why));
    }

    fn window_changed(&self, connection: &ConnectionInfo<'_>, window: WindowEvent) {
        self.each(|o| o.window_changed(connection, window));
    }

    fn throttled(&self, operation: &OperationInfo<'_>, wait: Duration) {
        self.each(|o| o.throttled(operation, wait));
    }

    fn held_back(&self, operation: &OperationInfo<'_>, by: Backpressure) {
        self.each(|o| o.held_back(operation, by));
    }
}
