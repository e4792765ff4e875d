//! What the program is told, and how row keys are shown in it.

use std::sync::Arc;
use std::time::Duration;

use super::Config;
use crate::RowKeyDisplay;
use crate::observe::{Observer, SlowOperation, TraceContext};

impl Config {
    /// How row keys are shown in errors, in what is told about slow operations, in spans and in the
    /// state of a client: as they are.
    ///
    /// See [`RowKeyDisplay`] for an example.
    pub fn row_keys(self, row_keys: RowKeyDisplay) -> Self {
        let mut config = self.given("row_keys");
        config.observation.row_keys = row_keys;
        config
    }

    /// Who is told of each operation that takes `threshold` or longer: nobody
    /// (`hbase.ipc.warn.response.time` is the servers' own limit, 10 s).
    ///
    /// The function is called when the operation ends, done or not, by the task that runs it.
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

    /// Where calls get the trace from that they belong to: nowhere, or with the feature
    /// `opentelemetry-033` from the current `opentelemetry::Context`. Java's client has it from its
    /// OpenTelemetry agent.
    ///
    /// The function is called for each call, by the task that makes it and in the operation's span
    /// of `tracing` (feature `tracing`); it should return soon. What it returns is sent in the
    /// header of the call, and the spans of the server are children of it. Operations of several
    /// tasks that share a call belong to the first trace of them that is sampled. Lookups in
    /// `hbase:meta`, which any number of operations wait for, belong to none.
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

    /// Who is told what the client does, next to its own [metrics](crate::observe): nobody. Each
    /// call adds one.
    ///
    /// See [`Observer`] for an example.
    pub fn observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observation.observers.push(observer);
        self
    }
}
