//! The spans of `tracing`, as a subscriber sees them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use tallrow::{Put, RowKeyDisplay};
use tallrow_mock::Fault;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::observe::{Site, bigtable_site_with, class, config, site_with};

/// A span: its name, its parent, what was recorded in it, and whether it is closed.
#[derive(Clone, Debug, Default)]
struct Seen {
    name: &'static str,
    parent: Option<u64>,
    fields: BTreeMap<&'static str, String>,
    closed: bool,
}

#[derive(Clone, Default)]
struct Spans(Arc<Mutex<Vec<Seen>>>);

struct Fields<'a>(&'a mut BTreeMap<&'static str, String>);

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }
}

impl Subscriber for Spans {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "tallrow"
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut seen = Seen { name: span.metadata().name(), ..Seen::default() };
        seen.parent = span.parent().map(Id::into_u64);
        span.record(&mut Fields(&mut seen.fields));
        let mut spans = self.0.lock().unwrap();
        spans.push(seen);
        Id::from_u64(spans.len() as u64)
    }

    fn record(&self, id: &Id, values: &Record<'_>) {
        let mut spans = self.0.lock().unwrap();
        values.record(&mut Fields(&mut spans[id.into_u64() as usize - 1].fields));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}

    fn try_close(&self, id: Id) -> bool {
        self.0.lock().unwrap()[id.into_u64() as usize - 1].closed = true;
        true
    }
}

#[tokio::test(start_paused = true)]
async fn an_operation_is_a_span_with_a_child_for_each_attempt() {
    let Site { mock, table, .. } = site_with(config().row_keys(RowKeyDisplay::Hashed), &[]).await;
    let put = || Put::new("ada").cell("f", "q", "v");
    table.put(put()).await.unwrap();

    let spans = Spans::default();
    let _guard = tracing::subscriber::set_default(spans.clone());
    mock.inject(Fault::on("Mutate").times(1).throw(&class("RegionTooBusyException"), "full"));
    table.put(put()).await.unwrap();
    let seen = std::mem::take(&mut *spans.0.lock().unwrap());
    let [operation, first, second] = &seen[..] else { panic!("{seen:#?}") };
    assert!(seen.iter().all(|span| span.closed), "{seen:#?}");
    assert_eq!((operation.name, operation.parent), ("operation", None));
    for (field, value) in [
        ("otel.name", "put t"),
        ("otel.kind", "client"),
        ("db.system.name", "hbase"),
        ("db.operation.name", "put"),
        ("db.namespace", "default"),
        ("db.collection.name", "t"),
        ("db.hbase.row", "#8c8d357b5e87"),
    ] {
        assert_eq!(operation.fields.get(field).map(String::as_str), Some(value), "{field}");
    }
    assert!(!operation.fields.contains_key("error.type"), "it was done in the end");
    for attempt in [first, second] {
        assert_eq!((attempt.name, attempt.parent), ("attempt", Some(1)));
        let port = attempt.fields["server.port"].parse::<u16>();
        assert!(!attempt.fields["server.address"].is_empty() && port.is_ok(), "{attempt:?}");
    }
    assert_eq!(first.fields["error.type"], "RegionTooBusyException");
    assert!(!second.fields.contains_key("error.type"), "{second:?}");
}

#[tokio::test(start_paused = true)]
async fn the_span_of_a_failed_operation_has_its_error() {
    let Site { table, .. } = site_with(config().row_keys(RowKeyDisplay::Hidden), &[]).await;
    let spans = Spans::default();
    let _guard = tracing::subscriber::set_default(spans.clone());
    let put = Put::new("ada").cell("nosuch", "q", "v");
    table.put(put).await.unwrap_err();
    let seen = std::mem::take(&mut *spans.0.lock().unwrap());
    assert_eq!(seen.len(), 2, "{seen:#?}");
    for span in &seen {
        assert_eq!(span.fields["error.type"], "NoSuchColumnFamilyException", "{span:?}");
        assert_eq!(span.fields["otel.status_code"], "ERROR", "{span:?}");
        assert!(!span.fields.values().any(|value| value.contains("ada")), "{span:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn spans_name_the_store() {
    let sites = [
        (site_with(config(), &[]).await, "hbase"),
        (bigtable_site_with(config()).await, "gcp.bigtable"),
    ];
    for (site, system) in sites {
        let spans = Spans::default();
        let _guard = tracing::subscriber::set_default(spans.clone());
        site.table.put(Put::new("ada").cell("f", "q", "v")).await.unwrap();
        let seen = spans.0.lock().unwrap().clone();
        for name in ["operation", "attempt"] {
            assert!(seen.iter().any(|span| span.name == name), "{name}: {seen:#?}");
        }
        for span in &seen {
            assert_eq!(span.fields["db.system.name"], system, "{span:?}");
        }
    }
}
