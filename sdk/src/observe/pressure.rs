//! The reasons for which operations are held back: limits of the client, and overloaded servers.

use crate::model::error::Overload;

/// The reason for which an operation is held back: a limit of the client, or an overloaded server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backpressure {
    /// An operation waits, or is refused, because as many bytes are in flight as
    /// [`Config::in_flight_bytes`](crate::Config::in_flight_bytes) allows.
    InFlightBytes,
    /// An operation waits, or is refused, because the queue of operations for the connection to its
    /// server is full.
    ConnectionQueue,
    /// A retry waits for its turn in the [`Config::retry_budget`](crate::Config::retry_budget), or
    /// is not made because its turn would come too late.
    RetryBudget,
    /// A server's queue of calls is full: `CallQueueTooBigException`, `CallDroppedException`, or
    /// another exception with the mark `server_overloaded`.
    QueueFull,
    /// A region accepts no writes until it has flushed (`RegionTooBusyException`).
    RegionBusy,
}

impl Backpressure {
    /// The name of the reason in metrics: `in_flight_bytes`, `connection`, `retry_budget`,
    /// `queue_full`, `region_busy`.
    ///
    /// ```
    /// assert_eq!(tallrow::observe::Backpressure::QueueFull.name(), "queue_full");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::InFlightBytes => "in_flight_bytes",
            Self::ConnectionQueue => "connection",
            Self::RetryBudget => "retry_budget",
            Self::QueueFull => "queue_full",
            Self::RegionBusy => "region_busy",
        }
    }

    /// Returns the reason that corresponds to an overloaded server's refusal; `None` for a
    /// throttled operation, which is reported by an event of its own, with the length of the pause.
    pub(super) fn of(overload: Overload) -> Option<Self> {
        match overload {
            Overload::QueueFull => Some(Self::QueueFull),
            Overload::RegionBusy => Some(Self::RegionBusy),
            Overload::Throttled => None,
        }
    }
}
