//! The `Observer` trait, through which a client reports each event to the program.

use std::time::Duration;

use super::event::{
    AnswerEvent, AttemptEvent, CallEvent, ConnectionInfo, MetaLookupEvent, OperationEnd,
    OperationInfo, RegionCacheEvent, ReplicaEvent, WindowEvent,
};
use super::pressure::Backpressure;
use crate::TableName;

/// An observer of a client. The client calls these functions while it works.
///
/// By default each function does nothing. The functions are called by the task that does the work,
/// never while a lock of the client is held, and they should return quickly: a slow function makes
/// the client slow. An observer is set with [`Config::observer`](crate::Config::observer). The
/// client's own [metrics](crate::Client::metrics) are collected in the same way.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
/// use std::time::Duration;
///
/// use tallrow::observe::{AttemptEvent, Observer, OperationEnd, OperationInfo};
/// use tallrow::{Client, Config, FamilyDescriptor, Put, TableDescriptor};
///
/// /// Counts the puts that failed, and what was retried.
/// #[derive(Default)]
/// struct Failures {
///     puts: AtomicU64,
///     retries: AtomicU64,
/// }
///
/// impl Observer for Failures {
///     fn operation_finished(
///         &self,
///         operation: &OperationInfo<'_>,
///         end: OperationEnd<'_>,
///         _: Duration,
///     ) {
///         if operation.name() == "put" && matches!(end, OperationEnd::Failed(_)) {
///             self.puts.fetch_add(1, Relaxed);
///         }
///     }
///
///     fn attempt_finished(&self, attempt: &AttemptEvent<'_>) {
///         if attempt.retry_after().is_some() {
///             self.retries.fetch_add(1, Relaxed);
///         }
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let failures = Arc::new(Failures::default());
/// let client = Client::connect_with("mock:", Config::new().observer(failures.clone())).await?;
/// client
///     .admin()
///     .create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")))
///     .await?;
/// let table = client.raw_table("t")?;
/// table.put(Put::new("r").cell("d", "q", "v")).await?;
/// table.put(Put::new("r").cell("nosuch", "q", "v")).await.unwrap_err();
/// assert_eq!((failures.puts.load(Relaxed), failures.retries.load(Relaxed)), (1, 0));
/// # Ok(())
/// # }
/// ```
pub trait Observer: Send + Sync + 'static {
    /// An operation starts: an operation on a row, a batch, a page of a scan or an admin operation.
    fn operation_started(&self, operation: &OperationInfo<'_>) {
        let _ = operation;
    }

    /// An operation ended; `elapsed` is the time since its start.
    fn operation_finished(
        &self,
        operation: &OperationInfo<'_>,
        end: OperationEnd<'_>,
        elapsed: Duration,
    ) {
        let _ = (operation, end, elapsed);
    }

    /// An attempt of an operation was answered, or failed.
    fn attempt_finished(&self, attempt: &AttemptEvent<'_>) {
        let _ = attempt;
    }

    /// The location of a region was known, was not known, was forgotten, or was corrected.
    fn region_cache_used(&self, table: &TableName, event: RegionCacheEvent) {
        let _ = (table, event);
    }

    /// A read of this table asked a secondary replica, was answered by one, or was not allowed to
    /// ask one.
    fn replica_considered(&self, table: &TableName, event: ReplicaEvent) {
        let _ = (table, event);
    }

    /// A call to the server of `hbase:meta` was answered, or failed.
    fn meta_looked_up(&self, lookup: &MetaLookupEvent<'_>) {
        let _ = lookup;
    }

    /// A call is handed to a connection.
    fn call_sent(&self, connection: &ConnectionInfo<'_>, call: CallEvent) {
        let _ = (connection, call);
    }

    /// A call was answered.
    fn call_answered(&self, connection: &ConnectionInfo<'_>, answer: AnswerEvent) {
        let _ = (connection, answer);
    }

    /// Calls are no longer expected to be answered, because their connection ended, or because
    /// their callers gave them up some time ago.
    fn calls_abandoned(&self, connection: &ConnectionInfo<'_>, calls: usize) {
        let _ = (connection, calls);
    }

    /// A connection was opened; opening it took the time `elapsed`.
    fn connection_opened(&self, connection: &ConnectionInfo<'_>, elapsed: Duration) {
        let _ = (connection, elapsed);
    }

    /// A connection could not be opened.
    fn connection_refused(&self, connection: &ConnectionInfo<'_>, why: &str) {
        let _ = (connection, why);
    }

    /// A connection ended. `why` says why it broke, and is `None` if it was closed because it was
    /// no longer used.
    fn connection_closed(&self, connection: &ConnectionInfo<'_>, why: Option<&str>) {
        let _ = (connection, why);
    }

    /// The number of calls that may be outstanding at a server changed. `connection` is the
    /// connection for data to this server, whether it is open or not.
    fn window_changed(&self, connection: &ConnectionInfo<'_>, window: WindowEvent) {
        let _ = (connection, window);
    }

    /// A server demanded a pause before the next attempt, as HBase's quotas do
    /// (`RpcThrottlingException`).
    fn throttled(&self, operation: &OperationInfo<'_>, wait: Duration) {
        let _ = (operation, wait);
    }

    /// A limit of the client or an overloaded server holds an operation back: the operation waits,
    /// is refused, or is retried later.
    fn held_back(&self, operation: &OperationInfo<'_>, by: Backpressure) {
        let _ = (operation, by);
    }
}
