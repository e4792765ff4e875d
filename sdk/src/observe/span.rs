//! Spans of `tracing`, with the names that OpenTelemetry's conventions for database clients give
//! them.
//!
//! Numbers are `i64`, because `tracing-opentelemetry` turns all other numbers into texts. Without
//! the feature `tracing` all of this does nothing.

use std::sync::Arc;

use bytes::Bytes;

use crate::{Error, TableName};

/// The span of an operation, and that of its current attempt.
#[derive(Debug)]
pub(super) struct OperationSpan {
    /// The store, as `db.system.name` names it.
    #[cfg(feature = "tracing")]
    system: &'static str,
    #[cfg(feature = "tracing")]
    operation: tracing::Span,
    #[cfg(feature = "tracing")]
    attempt: tracing::Span,
    /// Whether the span is entered for each call, so that the call belongs to the trace of the
    /// span.
    #[cfg(feature = "tracing")]
    is_entered: bool,
}

/// The name of a span in OpenTelemetry, which is formatted only if it is read.
#[cfg(feature = "tracing")]
struct Title<'a>(&'static str, Option<&'a TableName>);

#[cfg(feature = "tracing")]
impl std::fmt::Display for Title<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)?;
        match self.1 {
            Some(table) => write!(f, " {table}"),
            None => Ok(()),
        }
    }
}

#[cfg(feature = "tracing")]
impl OperationSpan {
    /// Returns the span of the same operation for a part of it that has attempts of its own.
    pub(super) fn part(&self) -> Self {
        Self {
            system: self.system,
            operation: self.operation.clone(),
            attempt: tracing::Span::none(),
            is_entered: self.is_entered,
        }
    }

    pub(super) fn start(
        system: &'static str,
        name: &'static str,
        table: Option<&TableName>,
        is_entered: bool,
    ) -> Self {
        use tracing::field::Empty;

        let operation = tracing::info_span!(
            target: "tallrow",
            "operation",
            otel.name = tracing::field::display(Title(name, table)),
            otel.kind = "client",
            otel.status_code = Empty,
            otel.status_description = Empty,
            db.system.name = system,
            db.operation.name = name,
            db.namespace = table.map(TableName::namespace),
            db.operation.batch.size = Empty,
            db.collection.name = table.map(TableName::qualifier),
            db.hbase.row = Empty,
            server.address = Empty,
            server.port = Empty,
            error.type = Empty,
        );
        Self { system, operation, attempt: tracing::Span::none(), is_entered }
    }

    /// Records how many operations the batch has; by OpenTelemetry's conventions, a single
    /// operation is no batch.
    pub(super) fn record_batch_size(&self, operations: usize) {
        if operations > 1 && !self.operation.is_disabled() {
            let size = i64::try_from(operations).unwrap_or(i64::MAX);
            self.operation.record("db.operation.batch.size", size);
        }
    }

    /// Records the row key, in the form in which row keys are shown.
    pub(super) fn record_row(&self, row: &Bytes, table: Option<&TableName>) {
        if !self.operation.is_disabled() {
            let keys = table.map(TableName::row_key_display).unwrap_or_default();
            self.operation.record("db.hbase.row", tracing::field::display(keys.display(row)));
        }
    }

    pub(super) fn begin_attempt(&mut self, number: u32) {
        use tracing::field::Empty;

        self.attempt = tracing::debug_span!(
            target: "tallrow",
            parent: &self.operation,
            "attempt",
            otel.kind = "client",
            otel.status_code = Empty,
            db.system.name = self.system,
            tallrow.attempt = i64::from(number),
            server.address = Empty,
            server.port = Empty,
            error.type = Empty,
        );
    }

    /// Calls `f` in the innermost span.
    pub(super) fn in_scope<T>(&self, f: impl FnOnce() -> T) -> T {
        match self.is_entered {
            true => self.innermost().in_scope(f),
            false => f(),
        }
    }

    /// Returns `future`, which is then polled in the innermost span.
    pub(super) fn instrument<F: Future>(
        &self,
        future: F,
    ) -> impl Future<Output = F::Output> + use<F> {
        let span = match self.is_entered {
            true => self.innermost().clone(),
            false => tracing::Span::none(),
        };
        tracing::Instrument::instrument(future, span)
    }

    /// Enters a span that ends, and leaves it at once. If a span was ever entered,
    /// `tracing-opentelemetry` takes the time at which the span was last left as its end.
    fn leave(&self, span: &tracing::Span) {
        if self.is_entered {
            span.in_scope(|| {});
        }
    }

    fn innermost(&self) -> &tracing::Span {
        if self.attempt.is_disabled() { &self.operation } else { &self.attempt }
    }

    pub(super) fn record_server(&self, server: &Arc<str>) {
        for span in [&self.operation, &self.attempt] {
            if !span.is_disabled() {
                let (host, port) = crate::model::hosts::split(server);
                span.record("server.address", host);
                span.record("server.port", port.map(i64::from));
            }
        }
    }

    pub(super) fn end_attempt(&mut self, error: Option<&Error>) {
        if let Some(error) = error.filter(|_| !self.attempt.is_disabled()) {
            self.attempt.record("error.type", &*error.error_type());
            self.attempt.record("otel.status_code", "ERROR");
        }
        self.leave(&self.attempt);
        self.attempt = tracing::Span::none();
    }

    pub(super) fn end(&mut self, error: Option<&Error>) {
        if let Some(error) = error.filter(|_| !self.operation.is_disabled()) {
            self.operation.record("error.type", &*error.error_type());
            self.operation.record("otel.status_code", "ERROR");
            self.operation.record("otel.status_description", tracing::field::display(error));
        }
        self.leave(&self.operation);
        self.operation = tracing::Span::none();
    }
}

#[cfg(not(feature = "tracing"))]
impl OperationSpan {
    pub(super) fn part(&self) -> Self {
        Self {}
    }

    pub(super) fn start(_: &'static str, _: &'static str, _: Option<&TableName>, _: bool) -> Self {
        Self {}
    }

    pub(super) fn record_batch_size(&self, _: usize) {}

    pub(super) fn record_row(&self, _: &Bytes, _: Option<&TableName>) {}

    pub(super) fn begin_attempt(&mut self, _: u32) {}

    pub(super) fn in_scope<T>(&self, f: impl FnOnce() -> T) -> T {
        f()
    }

    pub(super) fn instrument<F: Future>(
        &self,
        future: F,
    ) -> impl Future<Output = F::Output> + use<F> {
        future
    }

    pub(super) fn record_server(&self, _: &Arc<str>) {}

    pub(super) fn end_attempt(&mut self, _: Option<&Error>) {}

    pub(super) fn end(&mut self, _: Option<&Error>) {}
}
