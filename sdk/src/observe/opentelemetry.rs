//! An observer that records metrics through OpenTelemetry's API, and the function that takes the
//! trace of calls from OpenTelemetry's current context.

use std::time::Duration;

use opentelemetry_033::metrics::{Counter, Histogram, Meter, UpDownCounter};
use opentelemetry_033::trace::TraceContextExt;
use opentelemetry_033::{Context, KeyValue};

use super::event::{
    AnswerEvent, AttemptEvent, CallEvent, ConnectionInfo, MetaLookupEvent, OperationEnd,
    OperationInfo, RegionCacheEvent,
};
use super::observer::Observer;
use super::pressure::Backpressure;
use super::trace_context::TraceContext;
use crate::TableName;

/// The bounds of buckets of times, in s, as OpenTelemetry's conventions advise.
const TIMES: [f64; 9] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0];
/// The bounds of buckets of numbers of operations.
const NUMBERS: [f64; 7] = [1.0, 2.0, 5.0, 10.0, 100.0, 300.0, 1_000.0];

/// An [`Observer`] that records metrics through OpenTelemetry's API, with the names of
/// OpenTelemetry's conventions for database clients.
///
/// | instrument | kind, unit | attributes |
/// |---|---|---|
/// | `db.client.operation.duration` | histogram, s | `db.system.name`, `db.namespace`, `db.collection.name`, `db.operation.name`, `server.address`, `server.port`, `error.type` |
/// | `tallrow.batch.size` | histogram, operations | `db.namespace`, `db.collection.name` |
/// | `tallrow.retries` | counter, attempts | `error.type` |
/// | `tallrow.throttle.wait` | histogram, s | |
/// | `tallrow.held_back` | counter, operations | `tallrow.pressure`: the [`Backpressure`] |
/// | `tallrow.call.duration` | histogram, s | `server.address`, `server.port` |
/// | `tallrow.call.operations` | histogram, operations | the same |
/// | `tallrow.io` | counter, bytes | the same, and `network.io.direction`: `transmit` or `receive` |
/// | `tallrow.connections` | up-down counter, connections | the same |
/// | `tallrow.region.locations` | counter, locations | `tallrow.location`: the [`RegionCacheEvent`] |
/// | `tallrow.meta.lookup.duration` | histogram, s | `server.address`, `server.port`, `error.type` |
///
/// `db.system.name` is `hbase` or `gcp.bigtable`. `error.type` is the class of the exception
/// without its package, or the kind of the error. It is `dropped` for an operation whose future was
/// dropped, and `failed` for a lookup that failed; it is absent if there was no failure. Each
/// measurement takes time in the program's OpenTelemetry SDK, more than one of the client's own
/// [metrics](crate::Client::metrics) takes.
///
/// ```
/// use std::sync::Arc;
///
/// use tallrow::observe::OpenTelemetry;
/// use tallrow::{Client, Config};
///
/// # use opentelemetry_033 as opentelemetry;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let meter = opentelemetry::global::meter("tallrow");
/// let config = Config::new().observer(Arc::new(OpenTelemetry::new(&meter)));
/// let client = Client::connect_with("mock:", config).await?;
/// assert!(client.admin().list_tables().await?.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct OpenTelemetry {
    operations: Histogram<f64>,
    batches: Histogram<u64>,
    retries: Counter<u64>,
    throttled: Histogram<f64>,
    held_back: Counter<u64>,
    calls: Histogram<f64>,
    call_operations: Histogram<u64>,
    io: Counter<u64>,
    connections: UpDownCounter<i64>,
    locations: Counter<u64>,
    lookups: Histogram<f64>,
}

impl OpenTelemetry {
    /// Makes an observer that records in instruments of this meter.
    ///
    /// See [`OpenTelemetry`] for an example.
    pub fn new(meter: &Meter) -> Self {
        let times = |name: &'static str, what: &'static str| {
            let times = meter.f64_histogram(name).with_description(what).with_unit("s");
            times.with_boundaries(TIMES.to_vec()).build()
        };
        let numbers = |name: &'static str, what: &'static str| {
            let numbers = meter.u64_histogram(name).with_description(what);
            numbers.with_unit("{operation}").with_boundaries(NUMBERS.to_vec()).build()
        };
        let counter = |name: &'static str, unit: &'static str, what: &'static str| {
            meter.u64_counter(name).with_description(what).with_unit(unit).build()
        };
        let connections = meter.i64_up_down_counter("tallrow.connections");
        Self {
            operations: times(
                "db.client.operation.duration",
                "Duration of database client operations.",
            ),
            batches: numbers("tallrow.batch.size", "Operations of each batch."),
            retries: counter("tallrow.retries", "{attempt}", "Attempts that were made again."),
            throttled: times("tallrow.throttle.wait", "Pauses that a server's quota demanded."),
            held_back: counter(
                "tallrow.held_back",
                "{operation}",
                "Operations that something held back.",
            ),
            calls: times("tallrow.call.duration", "From handing over a call to its answer."),
            call_operations: numbers("tallrow.call.operations", "Operations of each call."),
            io: counter("tallrow.io", "By", "The size of calls and answers."),
            connections: connections
                .with_description("Open connections.")
                .with_unit("{connection}")
                .build(),
            locations: counter(
                "tallrow.region.locations",
                "{location}",
                "What became known about where regions are.",
            ),
            lookups: times("tallrow.meta.lookup.duration", "Calls to the server of hbase:meta."),
        }
    }
}

/// Returns the trace of the current `opentelemetry::Context`.
pub(super) fn current_trace() -> Option<TraceContext> {
    Context::map_current(|context| {
        let span = context.span();
        let span = span.span_context();
        if !span.is_valid() {
            return None;
        }
        let (trace, id, flags) = (span.trace_id(), span.span_id(), span.trace_flags().to_u8());
        let trace = TraceContext::new(format!("00-{trace}-{id}-{flags:02x}"))?;
        let state = span.trace_state().header();
        Some(if state.is_empty() { trace } else { trace.with_tracestate(state) })
    })
}

fn table(table: Option<&TableName>) -> impl Iterator<Item = KeyValue> {
    table.into_iter().flat_map(|table| {
        [
            KeyValue::new("db.namespace", table.namespace().to_owned()),
            KeyValue::new("db.collection.name", table.qualifier().to_owned()),
        ]
    })
}

fn server(server: Option<&str>) -> impl Iterator<Item = KeyValue> {
    let (host, port) = server.map(crate::model::hosts::split).unzip();
    let host = host.map(|host| KeyValue::new("server.address", host.to_owned()));
    let port = port.flatten().map(|port| KeyValue::new("server.port", i64::from(port)));
    host.into_iter().chain(port)
}

fn error_type(cause: impl Into<String>) -> KeyValue {
    KeyValue::new("error.type", cause.into())
}

impl Observer for OpenTelemetry {
    fn operation_finished(
        &self,
        operation: &OperationInfo<'_>,
        end: OperationEnd<'_>,
        elapsed: Duration,
    ) {
        let (error, at) = match end {
            OperationEnd::Done => (None, operation.server()),
            OperationEnd::Failed(error) => {
                (Some(error.error_type().into_owned()), error.server().or(operation.server()))
            }
            OperationEnd::Dropped => (Some("dropped".to_owned()), operation.server()),
        };
        let mut attributes = vec![
            KeyValue::new("db.system.name", operation.system),
            KeyValue::new("db.operation.name", operation.name()),
        ];
        attributes.extend(table(operation.table()));
        attributes.extend(server(at));
        attributes.extend(error.map(error_type));
        self.operations.record(elapsed.as_secs_f64(), &attributes);
        if operation.name() == "batch" {
            let table: Vec<_> = table(operation.table()).collect();
            self.batches.record(operation.batch_size() as u64, &table);
        }
    }

    fn attempt_finished(&self, attempt: &AttemptEvent<'_>) {
        if attempt.retry_after().is_some() {
            self.retries.add(1, &[error_type(attempt.error_type())]);
        }
    }

    fn region_cache_used(&self, _: &TableName, event: RegionCacheEvent) {
        let event = match event {
            RegionCacheEvent::Hit => "hit",
            RegionCacheEvent::Miss => "miss",
            RegionCacheEvent::Forgotten => "forgotten",
            RegionCacheEvent::ServerForgotten => "server forgotten",
            RegionCacheEvent::Moved => "moved",
        };
        self.locations.add(1, &[KeyValue::new("tallrow.location", event)]);
    }

    fn meta_looked_up(&self, lookup: &MetaLookupEvent<'_>) {
        let mut attributes: Vec<_> = server(Some(lookup.server())).collect();
        attributes.extend(lookup.has_failed().then(|| error_type("failed")));
        self.lookups.record(lookup.elapsed().as_secs_f64(), &attributes);
    }

    fn call_sent(&self, connection: &ConnectionInfo<'_>, call: CallEvent) {
        let mut attributes: Vec<_> = server(Some(connection.server())).collect();
        if call.operations > 0 {
            self.call_operations.record(call.operations as u64, &attributes);
        }
        attributes.push(KeyValue::new("network.io.direction", "transmit"));
        self.io.add(call.bytes as u64, &attributes);
    }

    fn call_answered(&self, connection: &ConnectionInfo<'_>, answer: AnswerEvent) {
        let mut attributes: Vec<_> = server(Some(connection.server())).collect();
        self.calls.record(answer.elapsed.as_secs_f64(), &attributes);
        attributes.push(KeyValue::new("network.io.direction", "receive"));
        self.io.add(answer.bytes as u64, &attributes);
    }

    fn connection_opened(&self, connection: &ConnectionInfo<'_>, _: Duration) {
        self.connections.add(1, &server(Some(connection.server())).collect::<Vec<_>>());
    }

    fn connection_closed(&self, connection: &ConnectionInfo<'_>, _: Option<&str>) {
        self.connections.add(-1, &server(Some(connection.server())).collect::<Vec<_>>());
    }

    fn throttled(&self, _: &OperationInfo<'_>, wait: Duration) {
        self.throttled.record(wait.as_secs_f64(), &[]);
    }

    fn held_back(&self, _: &OperationInfo<'_>, by: Backpressure) {
        self.held_back.add(1, &[KeyValue::new("tallrow.pressure", by.name())]);
    }
}
