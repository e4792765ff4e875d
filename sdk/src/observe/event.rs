//! The events that a client reports while it works. Each kind of event is a struct or an enum; most
//! structs borrow from an operation or a connection.

use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "metrics")]
use super::series::{OperationSeries, ServerSeries};
use crate::model::error::Overload;
use crate::{Error, TableName};

/// An operation that starts or ends.
#[derive(Clone, Copy, Debug)]
pub struct OperationInfo<'a> {
    pub(super) operation: &'static str,
    pub(super) table: Option<&'a TableName>,
    pub(super) operations: usize,
    pub(super) server: Option<&'a str>,
    #[cfg(feature = "opentelemetry-033")]
    pub(super) system: &'static str,
    #[cfg(feature = "metrics")]
    pub(super) series: &'a OperationSeries,
}

impl<'a> OperationInfo<'a> {
    /// The name of the operation, such as `put`, `scan` or `create table`; errors of the operation
    /// have the same name ([`Error::operation`]).
    ///
    /// See [`Observer`](super::Observer) for an example of this and the other parts of events.
    pub fn name(&self) -> &'static str {
        self.operation
    }

    /// The table of the operation; `None` for an operation of the whole cluster.
    pub fn table(&self) -> Option<&'a TableName> {
        self.table
    }

    /// The number of operations on rows: the size of a batch, or 1.
    pub fn batch_size(&self) -> usize {
        self.operations
    }

    /// The server to which the latest attempt was sent, as `host:port`; `None` if no attempt has
    /// been sent yet.
    pub fn server(&self) -> Option<&'a str> {
        self.server
    }
}

/// How an operation ended.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum OperationEnd<'a> {
    /// The operation succeeded.
    Done,
    /// The operation failed, with this error.
    Failed(&'a Error),
    /// The future of the operation was dropped before it ended.
    Dropped,
}

/// The end of an attempt of an operation.
#[derive(Clone, Copy, Debug)]
pub struct AttemptEvent<'a> {
    pub(super) of: OperationInfo<'a>,
    pub(super) number: u32,
    pub(super) server: Option<&'a str>,
    pub(super) elapsed: Duration,
    pub(super) error: Option<&'a Error>,
    pub(super) error_type: &'a str,
    pub(super) retry_after: Option<Duration>,
}

impl<'a> AttemptEvent<'a> {
    /// The operation that the attempt belongs to.
    pub fn operation(&self) -> OperationInfo<'a> {
        self.of
    }

    /// The number of the attempt, from 1.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The server to which the attempt was sent, as `host:port`; `None` if no server was found.
    pub fn server(&self) -> Option<&'a str> {
        self.server
    }

    /// How long the attempt took.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Why the attempt failed; `None` if it was answered.
    pub fn error(&self) -> Option<&'a Error> {
        self.error
    }

    /// The cause of the failure, as one of a small set of words: the class of the exception without
    /// its package, or else the [`ErrorKind`](crate::ErrorKind), such as `Unreachable` or
    /// `Timeout`; empty if the attempt was answered.
    pub fn error_type(&self) -> &'a str {
        self.error_type
    }

    /// The pause before the next attempt; `None` if there is no next attempt.
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }
}

/// What the client learned about the location of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegionCacheEvent {
    /// The location of an operation's region was known.
    Hit,
    /// The location of an operation's region was not known, and is looked up in `hbase:meta`.
    Miss,
    /// The location of one region was found to be wrong, and forgotten.
    Forgotten,
    /// All locations on a server were forgotten, because the server failed.
    ServerForgotten,
    /// The server of a region said where the region was moved to.
    Moved,
}

/// An event of a read that secondary replicas may answer: see
/// [`Consistency`](crate::op::Consistency).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReplicaEvent {
    /// The primary replica is late, and a secondary one is asked too.
    Hedged,
    /// The primary replica is late, and no secondary one is asked, because
    /// [`hedged_reads`](crate::Config::hedged_reads) allows no more calls.
    Limited,
    /// The primary replica has failed, and a secondary one is asked instead.
    FailedOver,
    /// The answer of a secondary replica arrived first.
    Won,
    /// A get, or a call of a scan, got an answer that may be stale.
    Stale,
}

/// One call to the server that holds `hbase:meta`, to look up regions or the state of a table.
#[derive(Clone, Copy, Debug)]
pub struct MetaLookupEvent<'a> {
    pub(super) server: &'a str,
    pub(super) elapsed: Duration,
    pub(super) failed: bool,
}

impl<'a> MetaLookupEvent<'a> {
    /// The server that was asked, as `host:port`.
    pub fn server(&self) -> &'a str {
        self.server
    }

    /// How long the call took.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Whether the call was not answered, or was answered with an exception.
    pub fn has_failed(&self) -> bool {
        self.failed
    }
}

/// The connection on which an event happens.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionInfo<'a> {
    pub(super) server: &'a Arc<str>,
    pub(super) service: &'static str,
    #[cfg(feature = "metrics")]
    pub(super) series: &'a ServerSeries,
}

impl<'a> ConnectionInfo<'a> {
    /// The server, as `host:port`.
    pub fn server(&self) -> &'a str {
        self.server
    }

    /// HBase's name of the service that the connection is for: `ClientService`, `AdminService`,
    /// `MasterService`, `ClientMetaService`.
    pub fn service(&self) -> &'static str {
        self.service
    }
}

/// A change of how many calls with operations on rows may be outstanding at a server: see
/// [`Config::adaptive_window`](crate::Config::adaptive_window).
///
/// The event is reported each time the number decreases, when the number has doubled after a
/// decrease, and when the limit is lifted.
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use tallrow::observe::{ConnectionInfo, Observer, WindowCause, WindowEvent};
/// use tallrow::{Client, Config, FamilyDescriptor, TableDescriptor};
/// use tallrow_mock::{Fault, MockCluster};
///
/// #[derive(Default)]
/// struct Windows(Mutex<Vec<WindowEvent>>);
///
/// impl Observer for Windows {
///     fn window_changed(&self, _: &ConnectionInfo<'_>, window: WindowEvent) {
///         self.0.lock().unwrap().push(window);
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mock = MockCluster::start().await?;
/// let windows = Arc::new(Windows::default());
/// let client = Client::connect_with(&mock.url(), Config::new().observer(windows.clone())).await?;
/// client
///     .admin()
///     .create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")))
///     .await?;
/// let table = client.raw_table("t")?;
///
/// mock.inject(
///     Fault::on("Get").times(1).throw("org.apache.hadoop.hbase.CallQueueTooBigException", "full"),
/// );
/// for _ in 0..10 {
///     table.get("r").await?;
/// }
/// let events = windows.0.lock().unwrap();
/// assert_eq!((events[0].calls, events[0].cause), (Some(1), Some(WindowCause::QueueFull)));
/// let last = events.last().unwrap();
/// assert_eq!((last.calls, last.cause), (None, None));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WindowEvent {
    /// How many calls may be outstanding now; `None` if there is no limit.
    pub calls: Option<usize>,
    /// Why the number decreased; `None` if it increased.
    pub cause: Option<WindowCause>,
}

/// The reason for reducing the number of calls that may be outstanding at a server. See
/// [`WindowEvent`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WindowCause {
    /// The call queue of the server is full: `CallQueueTooBigException`, `CallDroppedException`, or
    /// another exception with the mark `server_overloaded`.
    QueueFull,
    /// The server is too busy with a region: `RegionTooBusyException`.
    RegionBusy,
    /// A quota is used up: `RpcThrottlingException`.
    Throttled,
    /// The server answered more than four times as late as it usually does, and after more than 100
    /// ms.
    Late,
    /// The server did not answer in time.
    NoAnswer,
}

impl WindowCause {
    pub(crate) const ALL: [Self; 5] =
        [Self::QueueFull, Self::RegionBusy, Self::Throttled, Self::Late, Self::NoAnswer];

    /// Returns the cause that corresponds to a refusal by an overloaded server.
    pub(crate) fn of(overload: Overload) -> Self {
        match overload {
            Overload::QueueFull => Self::QueueFull,
            Overload::RegionBusy => Self::RegionBusy,
            Overload::Throttled => Self::Throttled,
        }
    }

    /// The cause in a word or two.
    #[cfg(feature = "metrics")]
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::QueueFull => "queue full",
            Self::RegionBusy => "region busy",
            Self::Throttled => "throttled",
            Self::Late => "late",
            Self::NoAnswer => "no answer",
        }
    }
}

/// A call that is handed to a connection.
#[derive(Clone, Copy, Debug)]
pub struct CallEvent {
    /// How many operations on rows the call carries; 0 for a call of another kind, such as a page
    /// of a scan, a lookup or an admin call.
    pub operations: usize,
    /// The size of the frame in bytes.
    pub bytes: usize,
}

/// The answer to a call.
#[derive(Clone, Copy, Debug)]
pub struct AnswerEvent {
    /// The size of the frame in bytes.
    pub bytes: usize,
    /// The time from handing the call to the connection until its answer came.
    pub elapsed: Duration,
    /// Whether the answer is an exception.
    pub failed: bool,
}
