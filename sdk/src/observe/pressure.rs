//! What can hold operations back: limits of the client, and servers with too much to do.

use crate::model::error::Overload;

/// What holds operations back: a limit that the client has, or a server that has too much to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backpressure {
    /// An operation waits, or is refused, because as many bytes are in flight as
    /// [`Config::in_flight_bytes`](crate::Config::in_flight_bytes) allows.
    InFlightBytes,
    /// An operation waits, or is refused, because as many as fit wait for the connection to its
    /// server.
    Connection,
    /// A retry waits for its turn in the [`Config::retry_budget`](crate::Config::retry_budget), or
    /// is not made because its turn comes too late.
    RetryBudget,
    /// A server's queue of calls is full: `CallQueueTooBigException`, `CallDroppedException`, or
    /// another exception with the mark `server_overloaded`.
    QueueFull,
    /// A region takes no writes until it has flushed (`RegionTooBusyException`).
    RegionBusy,
}

impl Backpressure {
    /// Its name in metrics: `in_flight_bytes`, `connection`, `retry_budget`, `queue_full`,
    /// `region_busy`.
    ///
    /// ```
    /// assert_eq!(tallrow::observe::Backpressure::QueueFull.name(), "queue_full");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::InFlightBytes => "in_flight_bytes",
            Self::Connection => "connection",
            Self::RetryBudget => "retry_budget",
            Self::QueueFull => "queue_full",
            Self::RegionBusy => "region_busy",
        }
    }

    /// What a server that is overloaded does to operations. One that is throttled is told of by
    /// itself, with how long it waits.
    pub(super) fn of(overload: Overload) -> Option<Self> {
        match overload {
            Overload::QueueFull => Some(Self::QueueFull),
            Overload::RegionBusy => Some(Self::RegionBusy),
            Overload::Throttled => None,
        }
    }
}
