//! The metrics of a client at one moment, as plain data.

use std::collections::BTreeMap;
use std::fmt;

use super::histogram::Histogram;
use super::json::Json;
use super::pressure::Backpressure;

/// What a client did since it was connected.
///
/// [`Client::metrics`](crate::Client::metrics) returns it; nothing is ever reset, so the difference
/// of two of them is what happened between. It is shown as text by `{}`, and by
/// [`to_json`](Self::to_json). The chapter on observability of the book lists each number with its
/// unit and meaning.
///
/// ```
/// use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client
///     .admin()
///     .create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")))
///     .await?;
/// let table = client.raw_table("t")?;
/// for row in ["a", "b", "c"] {
///     table.put(Put::new(row).cell("d", "q", "v")).await?;
/// }
/// let metrics = client.metrics();
/// let puts = metrics.operation("put", "t").unwrap();
/// assert_eq!((puts.done.count(), puts.in_flight, puts.failures()), (3, 0, 0));
/// assert_eq!((metrics.regions.misses, metrics.regions.hits), (1, 2));
/// assert!(metrics.servers.iter().map(|server| server.bytes_sent).sum::<u64>() > 300);
/// assert!(metrics.to_string().contains("put t: 3"), "{metrics}");
/// assert!(metrics.to_json().starts_with(r#"{"operations":[{"operation":"#));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Metrics {
    /// Each operation on each table that was used, in the order of tables and names.
    pub operations: Vec<OperationMetrics>,
    /// Each server that was connected to, in the order of addresses.
    pub servers: Vec<ServerMetrics>,
    /// Attempts that were made again, by the cause of the failure: the class of an exception
    /// without its package, or the kind of the error.
    pub retries: BTreeMap<String, u64>,
    /// How long the pauses were that servers demanded (`RpcThrottlingException`).
    pub throttle_waits: Histogram,
    /// How often locations of regions were known.
    pub regions: RegionMetrics,
    /// Reads that secondary replicas may answer.
    pub replicas: ReplicaMetrics,
    /// Calls to the server of `hbase:meta` that were answered, with their times.
    pub meta_lookups: Histogram,
    /// Calls to the server of `hbase:meta` that failed.
    pub meta_lookups_failed: u64,
    /// How often operations were held back.
    pub pressure: PressureMetrics,
}

/// An operation on a table. See [`Metrics`] for an example.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct OperationMetrics {
    /// The operation as errors name it: `get`, `put`, `scan`, `create table`, ... A `scan` is one
    /// page of a scan.
    pub operation: String,
    /// The table; empty for operations of the whole cluster, `other` for all tables after the
    /// first 500.
    pub table: String,
    /// How many operations have not ended yet.
    pub in_flight: u64,
    /// How long the operations took that were done, all attempts and pauses together.
    pub done: Histogram,
    /// How many operations failed, by the kind of the error.
    pub failed: BTreeMap<String, u64>,
    /// How many operations ended because their future was dropped.
    pub dropped: u64,
}

impl OperationMetrics {
    /// How many failed.
    pub fn failures(&self) -> u64 {
        self.failed.values().sum()
    }
}

/// A server. See [`Metrics`] for an example.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ServerMetrics {
    /// The address of the server, as `host:port`; `other` for all servers after the first 2,000.
    pub server: String,
    /// Calls handed to its connections, of all kinds.
    pub calls: u64,
    /// Calls without an answer, whose connection is open.
    pub calls_in_flight: u64,
    /// How many operations were in each call with operations on rows.
    pub operations_per_call: Histogram,
    /// The times from handing a call to its connection to the answer.
    pub answers: Histogram,
    /// Answers that were an exception about the whole call.
    pub exceptions: u64,
    /// The size of all calls.
    pub bytes_sent: u64,
    /// The size of all answers.
    pub bytes_received: u64,
    /// Open connections now: one for each of HBase's services that is used.
    pub connections: u64,
    /// Connections that were ever opened.
    pub connections_opened: u64,
    /// Attempts to open a connection that failed.
    pub connections_refused: u64,
    /// Connections that ended while they were in use.
    pub connections_broken: u64,
    /// How many calls with operations on rows may be outstanding at it, when that was last told
    /// ([`WindowEvent`](super::WindowEvent)); `None` if there is no limit.
    pub window: Option<u64>,
    /// How often they became fewer, by cause: `queue full`, `region busy`, `throttled`, `late`,
    /// `no answer`.
    pub window_reductions: BTreeMap<String, u64>,
}

/// The locations of regions that operations needed. See [`Metrics`] for an example.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RegionMetrics {
    /// How often a location was known.
    pub hits: u64,
    /// How often a location was not known, or just found to be wrong: it was looked up in
    /// `hbase:meta`, or the lookup of another task was awaited.
    pub misses: u64,
    /// Locations that a server refused, and that were forgotten.
    pub forgotten: u64,
    /// Failures of a server, after which all locations on it were forgotten.
    pub servers_forgotten: u64,
    /// Locations that a server corrected itself.
    pub moved: u64,
}

/// What held operations back, and how often: [`Backpressure`]. See [`Metrics`] for an example.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PressureMetrics {
    /// Operations that found as many bytes in flight as
    /// [`Config::in_flight_bytes`](crate::Config::in_flight_bytes) allows.
    pub in_flight_bytes: u64,
    /// Operations that found a connection full.
    pub connection: u64,
    /// Retries that waited for their turn in the
    /// [`Config::retry_budget`](crate::Config::retry_budget), or were not made because it was
    /// spent.
    pub retry_budget: u64,
    /// Attempts that a server refused because its queue of calls was full.
    pub queue_full: u64,
    /// Attempts that a region refused until it has flushed.
    pub region_busy: u64,
}

impl PressureMetrics {
    /// The numbers with their names.
    pub(super) fn all(&self) -> [(&'static str, u64); 5] {
        [
            (Backpressure::InFlightBytes.name(), self.in_flight_bytes),
            (Backpressure::Connection.name(), self.connection),
            (Backpressure::RetryBudget.name(), self.retry_budget),
            (Backpressure::QueueFull.name(), self.queue_full),
            (Backpressure::RegionBusy.name(), self.region_busy),
        ]
    }
}

/// Reads that secondary replicas may answer. See [`Metrics`] for an example, and
/// [`Consistency`](crate::op::Consistency).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ReplicaMetrics {
    /// Calls to secondary replicas because the primary one was late.
    pub hedged: u64,
    /// Reads that waited for a late primary replica, because
    /// [`hedged_reads`](crate::Config::hedged_reads) allowed no more.
    pub limited: u64,
    /// Calls to secondary replicas because the primary one had failed.
    pub failed_over: u64,
    /// Answers of secondary replicas that came before that of the primary one.
    pub won: u64,
    /// Gets, and calls of scans, whose answer may be stale.
    pub stale: u64,
}

impl Metrics {
    /// The metrics of an operation on a table, if it was ever started; the table is empty for
    /// operations of the cluster.
    ///
    /// See [`Metrics`] for an example.
    pub fn operation(&self, operation: &str, table: &str) -> Option<&OperationMetrics> {
        self.operations.iter().find(|found| found.operation == operation && found.table == table)
    }

    /// How many operations have not ended yet.
    pub fn in_flight(&self) -> u64 {
        self.operations.iter().map(|operation| operation.in_flight).sum()
    }

    /// The metrics as JSON: objects and arrays with the names of the fields. Histograms have
    /// `count`, `sum`, `max`, `p50`, `p95`, `p99` and `p999`; times are in ns.
    ///
    /// See [`Metrics`] for an example.
    pub fn to_json(&self) -> String {
        let mut json = Json::new();
        self.write(&mut json);
        json.into_text()
    }

    /// As an object.
    pub(crate) fn write(&self, json: &mut Json) {
        json.object(|json| {
            json.array("operations", &self.operations, |json, o| {
                json.text("operation", &o.operation);
                json.text("table", &o.table);
                json.number("in_flight", o.in_flight);
                histogram(json, "done", &o.done);
                counts(json, "failed", &o.failed);
                json.number("dropped", o.dropped);
            });
            json.array("servers", &self.servers, |json, s| {
                json.text("server", &s.server);
                json.number("calls", s.calls);
                json.number("calls_in_flight", s.calls_in_flight);
                histogram(json, "operations_per_call", &s.operations_per_call);
                histogram(json, "answers", &s.answers);
                json.number("exceptions", s.exceptions);
                json.number("bytes_sent", s.bytes_sent);
                json.number("bytes_received", s.bytes_received);
                json.number("connections", s.connections);
                json.number("connections_opened", s.connections_opened);
                json.number("connections_refused", s.connections_refused);
                json.number("connections_broken", s.connections_broken);
                s.window.iter().for_each(|window| json.number("window", *window));
                counts(json, "window_reductions", &s.window_reductions);
            });
            counts(json, "retries", &self.retries);
            histogram(json, "throttle_waits", &self.throttle_waits);
            json.member("regions", |json| {
                json.object(|json| {
                    json.number("hits", self.regions.hits);
                    json.number("misses", self.regions.misses);
                    json.number("forgotten", self.regions.forgotten);
                    json.number("servers_forgotten", self.regions.servers_forgotten);
                    json.number("moved", self.regions.moved);
                });
            });
            json.member("replicas", |json| {
                json.object(|json| {
                    json.number("hedged", self.replicas.hedged);
                    json.number("limited", self.replicas.limited);
                    json.number("failed_over", self.replicas.failed_over);
                    json.number("won", self.replicas.won);
                    json.number("stale", self.replicas.stale);
                });
            });
            histogram(json, "meta_lookups", &self.meta_lookups);
            json.number("meta_lookups_failed", self.meta_lookups_failed);
            json.member("pressure", |json| {
                json.object(|json| {
                    self.pressure.all().into_iter().for_each(|(by, n)| json.number(by, n));
                });
            });
        });
    }
}

fn histogram(json: &mut Json, name: &str, histogram: &Histogram) {
    json.member(name, |json| {
        json.object(|json| {
            json.number("count", histogram.count());
            json.number("sum", histogram.sum());
            json.number("max", histogram.max());
            json.number("p50", histogram.percentile(50.0));
            json.number("p95", histogram.percentile(95.0));
            json.number("p99", histogram.percentile(99.0));
            json.number("p999", histogram.percentile(99.9));
        });
    });
}

fn counts(json: &mut Json, name: &str, counts: &BTreeMap<String, u64>) {
    json.member(name, |json| {
        json.object(|json| counts.iter().for_each(|(word, n)| json.number(word, *n)));
    });
}

/// Each operation, each server and what else happened, a line each.
impl fmt::Display for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for o in &self.operations {
            let on = if o.table.is_empty() { "" } else { " " };
            write!(f, "{}{on}{}: {}", o.operation, o.table, o.done)?;
            for (what, n) in [("in flight", o.in_flight), ("dropped", o.dropped)] {
                if n > 0 {
                    write!(f, ", {n} {what}")?;
                }
            }
            if !o.failed.is_empty() {
                write!(f, ", failed: {}", words(&o.failed))?;
            }
            writeln!(f)?;
        }
        for s in &self.servers {
            let (server, calls, answers) = (&s.server, s.calls, &s.answers);
            write!(f, "server {server}: {calls} calls ({} in flight)", s.calls_in_flight)?;
            writeln!(f, ", answered {answers}")?;
            write!(f, "  operations per call {}", s.operations_per_call)?;
            write!(f, ", exceptions {}, bytes sent {}", s.exceptions, s.bytes_sent)?;
            write!(f, ", received {}, connections {}", s.bytes_received, s.connections)?;
            writeln!(f, " (refused {}, broken {})", s.connections_refused, s.connections_broken)?;
            if !s.window_reductions.is_empty() {
                let now = s.window.map_or_else(|| "no limit".into(), |window| window.to_string());
                writeln!(f, "  window: {now}, reduced: {}", words(&s.window_reductions))?;
            }
        }
        let r = &self.regions;
        write!(f, "regions: known {}, not known {}, forgotten {}", r.hits, r.misses, r.forgotten)?;
        writeln!(f, ", corrected {}, servers forgotten {}", r.moved, r.servers_forgotten)?;
        let r = &self.replicas;
        write!(
            f,
            "replicas: hedged {}, limited {}, failed over {}",
            r.hedged, r.limited, r.failed_over
        )?;
        writeln!(f, ", won {}, stale {}", r.won, r.stale)?;
        let failed = self.meta_lookups_failed;
        writeln!(f, "lookups in hbase:meta: {}, failed {failed}", self.meta_lookups)?;
        writeln!(f, "retries: {}", words(&self.retries))?;
        write!(f, "throttled: {}", self.throttle_waits)?;
        for (by, n) in self.pressure.all().into_iter().filter(|(_, n)| *n > 0) {
            write!(f, "\nheld back by {}: {n}", by.replace('_', " "))?;
        }
        Ok(())
    }
}

fn words(counts: &BTreeMap<String, u64>) -> String {
    if counts.is_empty() {
        return "none".into();
    }
    counts.iter().map(|(word, n)| format!("{word} {n}")).collect::<Vec<_>>().join(", ")
}
