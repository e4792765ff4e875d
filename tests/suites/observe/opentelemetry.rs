//! OpenTelemetry: metrics as its SDK collects them, and the context of its spans on the wire.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use opentelemetry_033::metrics::MeterProvider;
use opentelemetry_033::trace::{FutureExt, SpanKind, TraceContextExt, Tracer, TracerProvider};
use opentelemetry_033::{Context, KeyValue, Value};
use opentelemetry_sdk::metrics::data::{AggregatedMetrics, MetricData};
use opentelemetry_sdk::metrics::{InMemoryMetricExporter, PeriodicReader, SdkMeterProvider};
use opentelemetry_sdk::trace::{InMemorySpanExporter, SdkTracerProvider, SpanData};
use tallrow::observe::OpenTelemetry;
use tallrow::{Put, Scan};
use tallrow_mock::Fault;
use tracing_subscriber::layer::SubscriberExt;

use crate::observe::{Site, bigtable_site_with, class, config, site_with};

fn put(row: &str) -> Put {
    Put::new(row).cell("f", "q", "v")
}

fn attributes<'a>(all: impl Iterator<Item = &'a KeyValue>) -> BTreeMap<String, String> {
    all.map(|pair| (pair.key.to_string(), pair.value.to_string())).collect()
}

/// The points of each instrument: attributes, count or value, sum.
type Points = BTreeMap<String, Vec<(BTreeMap<String, String>, f64, f64)>>;

fn collect(provider: &SdkMeterProvider, exporter: &InMemoryMetricExporter) -> Points {
    provider.force_flush().unwrap();
    let all = exporter.get_finished_metrics().unwrap();
    let mut points = Points::new();
    for metric in all.last().unwrap().scope_metrics().flat_map(|scope| scope.metrics()) {
        let of = points.entry(metric.name().to_owned()).or_default();
        match metric.data() {
            AggregatedMetrics::F64(MetricData::Histogram(times)) => {
                assert_eq!(metric.unit(), "s", "{metric:?}");
                for p in times.data_points() {
                    of.push((attributes(p.attributes()), p.count() as f64, p.sum()));
                }
            }
            AggregatedMetrics::U64(MetricData::Histogram(numbers)) => {
                for p in numbers.data_points() {
                    of.push((attributes(p.attributes()), p.count() as f64, p.sum() as f64));
                }
            }
            AggregatedMetrics::U64(MetricData::Sum(sum)) => {
                for p in sum.data_points() {
                    of.push((attributes(p.attributes()), p.value() as f64, p.value() as f64));
                }
            }
            AggregatedMetrics::I64(MetricData::Sum(sum)) => {
                for p in sum.data_points() {
                    of.push((attributes(p.attributes()), p.value() as f64, p.value() as f64));
                }
            }
            other => panic!("{other:?}"),
        }
    }
    points
}

#[tokio::test(start_paused = true)]
async fn operations_are_recorded_by_the_names_of_the_conventions() {
    let exporter = InMemoryMetricExporter::default();
    let reader = PeriodicReader::builder(exporter.clone()).build();
    let provider = SdkMeterProvider::builder().with_reader(reader).build();
    let observer = Arc::new(OpenTelemetry::new(&provider.meter("tallrow")));
    let Site { mock, table, client } = site_with(config().observer(observer), &["m"]).await;
    for row in ["a", "b", "x"] {
        table.put(put(row)).await.unwrap();
    }
    table.put(Put::new("a").cell("nosuch", "q", "v")).await.unwrap_err();
    mock.inject(Fault::on("Mutate").times(1).throw(&class("RegionTooBusyException"), "full"));
    table.put(put("a")).await.unwrap();
    table.put_all(["a", "b", "x"].map(put)).await.into_result().unwrap();
    assert_eq!(table.count(Scan::all()).await.unwrap(), 3);
    tokio::select! {
        _ = async { mock.inject(Fault::on("Get").times(1).pause_handler(Duration::from_secs(9))); table.get("a").await } => panic!("no answer yet"),
        () = tokio::time::sleep(Duration::from_millis(100)) => {}
    }

    let points = collect(&provider, &exporter);
    let operations = &points["db.client.operation.duration"];
    let count = |operation: &str, error: Option<&str>| -> f64 {
        let found = operations.iter().filter(|(attributes, ..)| {
            attributes["db.operation.name"] == operation
                && attributes.get("error.type").map(String::as_str) == error
        });
        found.map(|(_, count, _)| count).sum()
    };
    assert_eq!(count("put", None), 4.0);
    assert_eq!(count("put", Some("NoSuchColumnFamilyException")), 1.0);
    assert_eq!(count("batch", None), 1.0);
    assert_eq!(count("get", Some("dropped")), 1.0);
    assert!(count("scan", None) >= 1.0);
    for (attributes, ..) in operations {
        assert_eq!(attributes["db.system.name"], "hbase");
        if attributes["db.operation.name"] == "put" {
            assert_eq!(
                (&*attributes["db.namespace"], &*attributes["db.collection.name"]),
                ("default", "t")
            );
            assert!(attributes["server.port"].parse::<u16>().is_ok(), "{attributes:?}");
            assert!(!attributes["server.address"].contains(':'), "{attributes:?}");
        }
    }
    assert_eq!(
        points["tallrow.batch.size"].iter().map(|p| (p.1, p.2)).collect::<Vec<_>>(),
        [(1.0, 3.0)]
    );
    let busy = BTreeMap::from([("error.type".to_owned(), "RegionTooBusyException".to_owned())]);
    assert!(points["tallrow.retries"].contains(&(busy, 1.0, 1.0)), "{points:#?}");
    let held = BTreeMap::from([("tallrow.pressure".to_owned(), "region_busy".to_owned())]);
    assert_eq!(points["tallrow.held_back"], [(held, 1.0, 1.0)]);

    // The same numbers as the client's own.
    let own = client.metrics();
    let total = |name: &str, direction: Option<&str>| -> f64 {
        let of = points[name].iter().filter(|(attributes, ..)| {
            direction.is_none_or(|way| attributes["network.io.direction"] == way)
        });
        of.map(|(_, _, value)| value).sum()
    };
    let sum = |value: fn(&tallrow::observe::ServerMetrics) -> u64| -> f64 {
        own.servers.iter().map(value).sum::<u64>() as f64
    };
    assert_eq!(total("tallrow.io", Some("transmit")), sum(|s| s.bytes_sent));
    assert_eq!(total("tallrow.io", Some("receive")), sum(|s| s.bytes_received));
    assert_eq!(total("tallrow.connections", None), sum(|s| s.connections));
    assert_eq!(total("tallrow.call.operations", None), sum(|s| s.operations_per_call.sum()));
}

#[tokio::test(start_paused = true)]
async fn operations_on_bigtable_are_those_of_bigtable() {
    let exporter = InMemoryMetricExporter::default();
    let reader = PeriodicReader::builder(exporter.clone()).build();
    let provider = SdkMeterProvider::builder().with_reader(reader).build();
    let observer = Arc::new(OpenTelemetry::new(&provider.meter("tallrow")));
    let site = bigtable_site_with(config().observer(observer)).await;
    site.table.put(put("a")).await.unwrap();
    let points = collect(&provider, &exporter);
    let operations = &points["db.client.operation.duration"];
    assert!(operations.iter().any(|(attributes, ..)| attributes["db.operation.name"] == "put"));
    for (attributes, ..) in operations {
        assert_eq!(attributes["db.system.name"], "gcp.bigtable");
    }
}

/// The spans that were exported, by name.
fn spans(exporter: &InMemorySpanExporter) -> BTreeMap<String, SpanData> {
    let all = exporter.get_finished_spans().unwrap();
    all.into_iter().map(|span| (span.name.to_string(), span)).collect()
}

#[tokio::test(start_paused = true)]
async fn the_span_of_the_attempt_is_the_parent_of_the_servers() {
    let exporter = InMemorySpanExporter::default();
    let provider = SdkTracerProvider::builder().with_simple_exporter(exporter.clone()).build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("test"));
    let Site { mock, table, .. } = site_with(config(), &["m"]).await;
    table.put_all(["a", "x"].map(put)).await.into_result().unwrap();
    let before = ["Mutate", "Multi", "Scan"].map(|method| mock.trace_headers(method).len());
    assert_eq!(before, [0; 3], "no span");

    let _guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(layer));
    table.put(put("a")).await.unwrap();
    let seen = spans(&exporter);
    let (operation, attempt) = (&seen["put t"], &seen["attempt"]);
    assert_eq!(attempt.parent_span_id, operation.span_context.span_id());
    assert_eq!((&operation.span_kind, &attempt.span_kind), (&SpanKind::Client, &SpanKind::Client));
    let sent = &mock.trace_headers("Mutate")[0]["traceparent"];
    let (trace, span) = (attempt.span_context.trace_id(), attempt.span_context.span_id());
    assert_eq!(*sent, format!("00-{trace}-{span}-01"));
    let server = attempt.attributes.iter().find(|pair| pair.key.as_str() == "server.port");
    assert!(matches!(server.unwrap().value, Value::I64(1..)), "{attempt:#?}");

    table.put_all(["a", "b", "x"].map(put)).await.into_result().unwrap();
    let seen = spans(&exporter);
    let size =
        seen["batch t"].attributes.iter().find(|p| p.key.as_str() == "db.operation.batch.size");
    assert_eq!(size.unwrap().value, Value::I64(3));
    assert_eq!(table.count(Scan::all()).await.unwrap(), 3);
    let of_scans = mock.trace_headers("Scan");
    let scans: Vec<SpanData> = exporter.get_finished_spans().unwrap();
    let is_attempt = |id: &str| {
        scans
            .iter()
            .any(|span| span.name == "attempt" && span.span_context.span_id().to_string() == id)
    };
    assert!(!of_scans.is_empty());
    for headers in of_scans {
        let parent = headers["traceparent"].split('-').nth(2).unwrap();
        assert!(is_attempt(parent), "{headers:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_current_context_is_the_trace_without_a_subscriber_too() {
    let provider = SdkTracerProvider::builder().build();
    let Site { mock, table, .. } = site_with(config(), &[]).await;
    let span = provider.tracer("test").start("request");
    let context = Context::new().with_span(span);
    let id = context.span().span_context().span_id();
    table.put(put("a")).with_context(context).await.unwrap();
    let sent = mock.trace_headers("Mutate");
    assert_eq!(sent.len(), 1);
    assert!(sent[0]["traceparent"].contains(&id.to_string()), "{sent:?}");
}

#[tokio::test]
async fn an_exported_span_lasts_as_long_as_its_operation() {
    let exporter = InMemorySpanExporter::default();
    let provider = SdkTracerProvider::builder().with_simple_exporter(exporter.clone()).build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("test"));
    // In real time, which is that of spans: a second attempt would be shorter.
    let Site { mock, table, .. } = site_with(tallrow_tests::patient(), &[]).await;
    table.get("a").await.unwrap();
    let _guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(layer));
    mock.inject(Fault::on("Get").times(1).pause_handler(Duration::from_millis(60)));
    table.get("a").await.unwrap();
    for (name, span) in spans(&exporter) {
        let took = span.end_time.duration_since(span.start_time).unwrap();
        assert!(took >= Duration::from_millis(60), "{name}: {took:?}");
    }
}
