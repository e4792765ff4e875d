//! Metrics in Prometheus's text format.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::histogram::Histogram;
use super::snapshot::{Metrics, ServerMetrics};

/// The bounds of buckets, as powers of two. Those of times are in ns, from 65 µs to 34 s; those of
/// numbers are from 1 to 1,023.
const TIMES: std::ops::RangeInclusive<u32> = 16..=35;
const NUMBERS: std::ops::RangeInclusive<u32> = 1..=10;

impl Metrics {
    /// Returns the metrics in Prometheus's text format (version 0.0.4), for an HTTP endpoint that
    /// Prometheus scrapes.
    ///
    /// All names begin with `tallrow_`; times are in seconds. `labels` are added to every line, to
    /// distinguish several clients of a process. Each bound of a bucket (of times in ns) is one
    /// less than a power of two, because the counts at these bounds are exact.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = tallrow::Client::connect("mock:").await?;
    /// client.admin().list_tables().await?;
    /// let text = client.metrics().to_prometheus(&[("cluster", "test")]);
    /// let line = r#"tallrow_operation_duration_seconds_count{cluster="test",operation="list tables",table=""} 1"#;
    /// assert!(text.lines().any(|found| found == line), "{text}");
    /// # Ok(())
    /// # }
    /// ```
    pub fn to_prometheus(&self, labels: &[(&str, &str)]) -> String {
        let mut out = Exposition { text: String::new(), labels };
        self.write_operations(&mut out);
        self.write_servers(&mut out);
        out.family(
            "retries_total",
            "counter",
            "Attempts that were made again, by the cause of the failure.",
        );
        for (cause, n) in &self.retries {
            out.line("retries_total", &[("cause", cause)], *n as f64);
        }
        out.family("throttle_wait_seconds", "histogram", "Pauses that a server's quota demanded.");
        out.histogram("throttle_wait_seconds", &[], &self.throttle_waits);
        out.family(
            "region_locations_total",
            "counter",
            "What became known about where regions are.",
        );
        let r = &self.regions;
        for (event, n) in [
            ("hit", r.hits),
            ("miss", r.misses),
            ("forgotten", r.forgotten),
            ("server forgotten", r.servers_forgotten),
            ("moved", r.moved),
        ] {
            out.line("region_locations_total", &[("event", event)], n as f64);
        }
        out.family(
            "replica_reads_total",
            "counter",
            "Reads that secondary replicas may answer: what became of them.",
        );
        let r = &self.replicas;
        for (event, n) in [
            ("hedged", r.hedged),
            ("limited", r.limited),
            ("failed over", r.failed_over),
            ("won", r.won),
            ("stale", r.stale),
        ] {
            out.line("replica_reads_total", &[("event", event)], n as f64);
        }
        out.family(
            "meta_lookup_duration_seconds",
            "histogram",
            "Calls to the server of hbase:meta.",
        );
        out.histogram("meta_lookup_duration_seconds", &[], &self.meta_lookups);
        out.family(
            "meta_lookups_failed_total",
            "counter",
            "Calls to the server of hbase:meta that failed.",
        );
        out.line("meta_lookups_failed_total", &[], self.meta_lookups_failed as f64);
        out.family(
            "held_back_total",
            "counter",
            "How often operations were held back, and by what.",
        );
        for (by, n) in self.pressure.all() {
            out.line("held_back_total", &[("by", by)], n as f64);
        }
        out.text
    }

    fn write_operations(&self, out: &mut Exposition<'_>) {
        let name = "operation_duration_seconds";
        out.family(
            name,
            "histogram",
            "Operations that were done, all attempts and pauses together.",
        );
        for o in &self.operations {
            out.histogram(name, &[("operation", &o.operation), ("table", &o.table)], &o.done);
        }
        out.family("operations_in_flight", "gauge", "Operations that have not ended.");
        for o in &self.operations {
            let labels = [("operation", &*o.operation), ("table", &*o.table)];
            out.line("operations_in_flight", &labels, o.in_flight as f64);
        }
        let name = "operations_failed_total";
        out.family(name, "counter", "Operations that failed, by the kind of the error.");
        for o in &self.operations {
            for (kind, n) in &o.failed {
                let labels = [("operation", &*o.operation), ("table", &*o.table), ("kind", kind)];
                out.line(name, &labels, *n as f64);
            }
        }
        let name = "operations_dropped_total";
        out.family(name, "counter", "Operations whose future was dropped before they ended.");
        for o in &self.operations {
            let labels = [("operation", &*o.operation), ("table", &*o.table)];
            out.line(name, &labels, o.dropped as f64);
        }
    }

    fn write_servers(&self, out: &mut Exposition<'_>) {
        type Value = fn(&ServerMetrics) -> u64;
        let numbers: [(&str, &str, &str, Value); 9] = [
            ("calls_total", "counter", "Calls handed to connections.", |s| s.calls),
            ("calls_in_flight", "gauge", "Calls without an answer.", |s| s.calls_in_flight),
            ("call_exceptions_total", "counter", "Answers that were an exception.", |s| {
                s.exceptions
            }),
            ("sent_bytes_total", "counter", "The size of all calls.", |s| s.bytes_sent),
            ("received_bytes_total", "counter", "The size of all answers.", |s| s.bytes_received),
            ("connections", "gauge", "Open connections.", |s| s.connections),
            ("connections_opened_total", "counter", "Connections that were opened.", |s| {
                s.connections_opened
            }),
            (
                "connections_refused_total",
                "counter",
                "Connections that could not be opened.",
                |s| s.connections_refused,
            ),
            ("connections_broken_total", "counter", "Connections that ended in use.", |s| {
                s.connections_broken
            }),
        ];
        for (name, kind, help, value) in numbers {
            out.family(name, kind, help);
            for server in &self.servers {
                out.line(name, &[("server", &server.server)], value(server) as f64);
            }
        }
        let name = "server_window_calls";
        out.family(name, "gauge", "Calls that may be outstanding at a server that is limited.");
        for server in &self.servers {
            if let Some(window) = server.window {
                out.line(name, &[("server", &server.server)], window as f64);
            }
        }
        let name = "server_window_reductions_total";
        out.family(name, "counter", "How often they became fewer, by cause.");
        for server in &self.servers {
            for (cause, n) in &server.window_reductions {
                out.line(name, &[("server", &server.server), ("cause", cause)], *n as f64);
            }
        }
        let name = "call_duration_seconds";
        out.family(name, "histogram", "From handing a call to its connection to the answer.");
        for server in &self.servers {
            out.histogram(name, &[("server", &server.server)], &server.answers);
        }
        let name = "call_operations";
        out.family(name, "histogram", "Operations in each call with operations on rows.");
        for server in &self.servers {
            out.histogram(name, &[("server", &server.server)], &server.operations_per_call);
        }
    }
}

/// A text under construction.
struct Exposition<'a> {
    text: String,
    labels: &'a [(&'a str, &'a str)],
}

impl Exposition<'_> {
    /// Adds the lines that precede the values of a name.
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.text, "# HELP tallrow_{name} {help}");
        let _ = writeln!(self.text, "# TYPE tallrow_{name} {kind}");
    }

    fn line(&mut self, name: &str, labels: &[(&str, &str)], value: f64) {
        let _ = write!(self.text, "tallrow_{name}");
        let all: BTreeMap<_, _> = self.labels.iter().chain(labels).copied().collect();
        for (at, (label, value)) in all.iter().enumerate() {
            self.text.push(if at == 0 { '{' } else { ',' });
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            let _ = write!(self.text, "{label}=\"{value}\"");
        }
        if !all.is_empty() {
            self.text.push('}');
        }
        let _ = writeln!(self.text, " {value}");
    }

    fn histogram(&mut self, name: &str, labels: &[(&str, &str)], histogram: &Histogram) {
        let (bounds, unit) = match histogram.is_of_times() {
            true => (TIMES, 1e9),
            false => (NUMBERS, 1.0),
        };
        let bucket = format!("{name}_bucket");
        for power in bounds {
            let bound = 1_u64 << power;
            let le = ((bound - 1) as f64 / unit).to_string();
            let labels = [labels, &[("le", &le)]].concat();
            self.line(&bucket, &labels, histogram.count_below(bound) as f64);
        }
        let count = histogram.count() as f64;
        self.line(&bucket, &[labels, &[("le", "+Inf")]].concat(), count);
        self.line(&format!("{name}_sum"), labels, histogram.sum() as f64 / unit);
        self.line(&format!("{name}_count"), labels, count);
    }
}
