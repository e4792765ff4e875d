//! The settings for what a client reports to its program, and for how it shows row keys.

use std::sync::Arc;
use std::time::Duration;

use super::Config;
use crate::RowKeyDisplay;
use crate::observe::{Observer, SlowOperation, TraceContext};

impl Config {
    /// Sets how row keys are shown in errors, in reports of slow operations, in spans and in the
    /// state of a client. By default they are shown unchanged.
    ///
    /// See [`RowKeyDisplay`] for an example.
    pub fn row_keys(self, row_keys: RowKeyDisplay) -> Self {
        let mut config = self.given("row_keys");
        config.observation.row_keys = row_keys;
        config
    }

    /// Sets a function that is called for each operation that takes `threshold` or longer. By
    /// default no function is called (`hbase.ipc.warn.response.time` is the servers' own limit, 10
    /// s).
    ///
    /// The task that runs the operation calls the function when the operation has succeeded or
    /// failed. The function is not called for an operation whose future was dropped.
    ///
    /// See [`SlowOperation`] for an example.
    pub fn slow_operations(
        mut self,
        threshold: Duration,
        tell: impl Fn(&SlowOperation<'_>) + Send + Sync + 'static,
    ) -> Self {
        self.observation.slow = Some((threshold, Arc::new(tell)));
        self
    }

    /// Sets a function that returns the trace that a call belongs to. By default a call belongs to
    /// no trace or, with the feature `opentelemetry-033`, to the trace of the current
    /// `opentelemetry::Context`. Java's client gets the trace from its OpenTelemetry agent.
    ///
    /// The task that makes a call calls the function, in the operation's span of `tracing` (feature
    /// `tracing`). The function should return soon. The returned context is sent in the header of
    /// the call, and the spans of the server are its children. If operations of several tasks share
    /// a call, it belongs to the first of their traces that is sampled, or to the first trace if
    /// none is sampled. Lookups in `hbase:meta` belong to no trace, because any number of
    /// operations may wait for a lookup.
    ///
    /// ```
    /// use tallrow::observe::TraceContext;
    /// use tallrow::{Client, Config};
    ///
    /// tokio::task_local! { static TRACE: TraceContext; }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let config = Config::new().trace_context(|| TRACE.try_with(Clone::clone).ok());
    /// let client = Client::connect_with("mock:", config).await?;
    /// let trace =
    ///     TraceContext::new("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01").unwrap();
    /// TRACE.scope(trace.clone(), client.admin().list_tables()).await?;
    /// let sent = client.mock_cluster().unwrap().trace_headers("GetTableNames");
    /// assert_eq!(sent[0]["traceparent"], trace.traceparent());
    /// # Ok(())
    /// # }
    /// ```
    pub fn trace_context(
        mut self,
        current: impl Fn() -> Option<TraceContext> + Send + Sync + 'static,
    ) -> Self {
        self.observation.trace_context = Some(Arc::new(current));
        self
    }

    /// Adds an observer that is notified of what the client does, in addition to the client's own
    /// [metrics](crate::observe). By default there are no observers. Each call adds an observer.
    ///
    /// See [`Observer`] for an example.
    pub fn observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observation.observers.push(observer);
        self
    }
}
