//! The metrics of a client at one moment, as plain data.

use std::collections::BTreeMap;
use std::fmt;

use super::histogram::Histogram;
use super::json::JsonWriter;
use super::pressure::Backpressure;

/// The metrics of a client since it was connected.
///
/// [`Client::metrics`](crate::Client::metrics) returns a snapshot of the metrics. They are never
/// reset, so the difference between two snapshots shows what happened between them. `{}` shows the
/// metrics as text, and [`to_json`](Self::to_json) returns them as JSON. The chapter on
/// observability of the book lists each number with its unit and meaning.
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
    /// The metrics of each operation on each table, ordered by table and then by the name of the
    /// operation.
    pub operations: Vec<OperationMetrics>,
    /// The metrics of each server to which the client has connected, ordered by address.
    pub servers: Vec<ServerMetrics>,
    /// The number of attempts that failed and were retried, by the cause of the failure: the class
    /// of an exception without its package, or the kind of the error.
    pub retries: BTreeMap<String, u64>,
    /// The lengths of the pauses that servers demanded (`RpcThrottlingException`).
    pub throttle_waits: Histogram,
    /// How often the locations of regions were known, looked up or forgotten.
    pub regions: RegionCacheMetrics,
    /// Counts of reads that secondary replicas may answer.
    pub replicas: ReplicaMetrics,
    /// The times of the calls to the server of `hbase:meta` that were answered.
    pub meta_lookups: Histogram,
    /// The number of calls to the server of `hbase:meta` that failed.
    pub meta_lookups_failed: u64,
    /// How often operations were held back, by reason.
    pub pressure: PressureMetrics,
}

/// The metrics of an operation on a table. See [`Metrics`] for an example.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct OperationMetrics {
    /// The name of the operation, as in errors, such as `get`, `put`, `scan` or `create table`. A
    /// `scan` is one page of a scan.
    pub operation: String,
    /// The table; empty for operations of the whole cluster, `other` for all tables after the
    /// first 500.
    pub table: String,
    /// How many operations have not ended yet.
    pub in_flight: u64,
    /// The times of the operations that succeeded, including all attempts and pauses.
    pub done: Histogram,
    /// How many operations failed, by the kind of the error.
    pub failed: BTreeMap<String, u64>,
    /// How many operations ended because their future was dropped.
    pub dropped: u64,
}

impl OperationMetrics {
    /// Returns how many operations failed.
    pub fn failures(&self) -> u64 {
        self.failed.values().sum()
    }
}

/// The metrics of a server. See [`Metrics`] for an example.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ServerMetrics {
    /// The address of the server, as `host:port`; `other` for all servers after the first 2,000.
    pub server: String,
    /// The number of calls of all kinds that were handed to connections to the server.
    pub calls: u64,
    /// The number of calls that have not been answered, on connections that are open.
    pub calls_in_flight: u64,
    /// The number of operations in each call that carries operations on rows.
    pub operations_per_call: Histogram,
    /// The times from handing a call to its connection to the answer.
    pub answers: Histogram,
    /// The number of answers that were an exception for the whole call.
    pub exceptions: u64,
    /// The size of all calls in bytes.
    pub bytes_sent: u64,
    /// The size of all answers in bytes.
    pub bytes_received: u64,
    /// The number of connections that are open now: one for each of HBase's services that is used.
    pub connections: u64,
    /// The number of connections that were ever opened.
    pub connections_opened: u64,
    /// The number of failed attempts to open a connection.
    pub connections_refused: u64,
    /// The number of connections that ended while they were in use.
    pub connections_broken: u64,
    /// How many calls with operations on rows may be outstanding at the server, as of the latest
    /// [`WindowEvent`](super::WindowEvent); `None` if there is no limit.
    pub window: Option<u64>,
    /// How often [`window`](ServerMetrics::window) was reduced, by cause: `queue full`,
    /// `region busy`, `throttled`, `late`, `no answer`.
    pub window_reductions: BTreeMap<String, u64>,
}

/// Counts of how the locations of regions were found and corrected. See [`Metrics`] for an example.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RegionCacheMetrics {
    /// How often a location was known.
    pub hits: u64,
    /// How often a location was not known, or had just been found to be wrong. It was then looked
    /// up in `hbase:meta`, or the lookup of another task was awaited.
    pub misses: u64,
    /// The number of locations that were forgotten because a server refused them.
    pub forgotten: u64,
    /// How often a server failed, so that all locations on it were forgotten.
    pub servers_forgotten: u64,
    /// The number of locations that a server corrected by saying where the region was moved to.
    pub moved: u64,
}

/// How often operations were held back, for each reason in [`Backpressure`]. See [`Metrics`] for an
/// example.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PressureMetrics {
    /// The number of operations that found as many bytes in flight as
    /// [`Config::in_flight_bytes`](crate::Config::in_flight_bytes) allows.
    pub in_flight_bytes: u64,
    /// The number of operations that found the queue of their connection full.
    pub connection: u64,
    /// The number of retries that waited for their turn in the
    /// [`Config::retry_budget`](crate::Config::retry_budget), or were not made because the budget
    /// was spent.
    pub retry_budget: u64,
    /// The number of attempts that a server refused because its queue of calls was full.
    pub queue_full: u64,
    /// The number of attempts that a region refused because it had to flush first.
    pub region_busy: u64,
}

impl PressureMetrics {
    /// Returns the numbers with their names.
    pub(super) fn all(&self) -> [(&'static str, u64); 5] {
        [
            (Backpressure::InFlightBytes.name(), self.in_flight_bytes),
            (Backpressure::ConnectionQueue.name(), self.connection),
            (Backpressure::RetryBudget.name(), self.retry_budget),
            (Backpressure::QueueFull.name(), self.queue_full),
            (Backpressure::RegionBusy.name(), self.region_busy),
        ]
    }
}

/// Counts of reads that secondary replicas may answer, and of the calls for them. See [`Metrics`]
/// for an example, and [`Consistency`](crate::op::Consistency).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ReplicaMetrics {
    /// The number of calls to secondary replicas that were made because the primary replica was
    /// late.
    pub hedged: u64,
    /// The number of reads that waited for a late primary replica, because
    /// [`hedged_reads`](crate::Config::hedged_reads) allowed no more calls.
    pub limited: u64,
    /// The number of calls to secondary replicas that were made because the primary replica had
    /// failed.
    pub failed_over: u64,
    /// The number of answers of secondary replicas that arrived before the answer of the primary
    /// replica.
    pub won: u64,
    /// The number of gets, and of calls of scans, whose answer may be stale.
    pub stale: u64,
}

impl Metrics {
    /// Returns the metrics of an operation on a table, or `None` if the operation was never
    /// started; `table` is empty for operations of the cluster.
    ///
    /// See [`Metrics`] for an example.
    pub fn operation(&self, operation: &str, table: &str) -> Option<&OperationMetrics> {
        self.operations.iter().find(|found| found.operation == operation && found.table == table)
    }

    /// How many operations have not ended yet.
    pub fn in_flight(&self) -> u64 {
        self.operations.iter().map(|operation| operation.in_flight).sum()
    }

    /// Returns the metrics as JSON: objects and arrays with the names of the fields. Histograms
    /// have `count`, `sum`, `max`, `p50`, `p95`, `p99` and `p999`; times are in ns.
    ///
    /// See [`Metrics`] for an example.
    pub fn to_json(&self) -> String {
        let mut json = JsonWriter::new();
        self.write(&mut json);
        json.into_text()
    }

    /// Writes the metrics as an object.
    pub(crate) fn write(&self, json: &mut JsonWriter) {
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

fn histogram(json: &mut JsonWriter, name: &str, histogram: &Histogram) {
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

fn counts(json: &mut JsonWriter, name: &str, counts: &BTreeMap<String, u64>) {
    json.member(name, |json| {
        json.object(|json| counts.iter().for_each(|(word, n)| json.number(word, *n)));
    });
}

/// Shows the metrics as lines of text: each operation, each server, then all other metrics.
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
