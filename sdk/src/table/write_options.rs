//! How a typed row is written: with which timestamp, time to live and delivery guarantee.

use std::time::Duration;

use crate::{DeliveryGuarantee, Timestamp};

/// The options for writing a row: the timestamp and the time to live of the cells, and what happens
/// if the reply is lost.
///
/// ```
/// use std::time::Duration;
/// use tallrow::{Timestamp, table::WriteOptions};
///
/// let options =
///     WriteOptions::new().timestamp(Timestamp::from_millis(10)).ttl(Duration::from_secs(60));
/// assert_ne!(options, WriteOptions::new());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    pub(super) timestamp: Option<Timestamp>,
    pub(super) ttl: Option<Duration>,
    pub(super) delivery: Option<DeliveryGuarantee>,
}

impl WriteOptions {
    /// Creates the default options: the server's time as timestamp, the family's time to live, and
    /// the table's delivery guarantee.
    ///
    /// See [`WriteOptions`] for an example of this and the other functions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the timestamp of the cells.
    pub fn timestamp(self, timestamp: Timestamp) -> Self {
        Self { timestamp: Some(timestamp), ..self }
    }

    /// Makes the cells expire when `ttl` has passed since their timestamp, or earlier if the
    /// family's time to live is shorter.
    pub fn ttl(self, ttl: Duration) -> Self {
        Self { ttl: Some(ttl), ..self }
    }

    /// Sets what happens if the reply is lost; this takes precedence over the table's setting.
    ///
    /// ```
    /// use tallrow::{DeliveryGuarantee, table::WriteOptions};
    /// assert_ne!(
    ///     WriteOptions::new().delivery(DeliveryGuarantee::AtLeastOnce),
    ///     WriteOptions::new()
    /// );
    /// ```
    pub fn delivery(self, delivery: DeliveryGuarantee) -> Self {
        Self { delivery: Some(delivery), ..self }
    }
}
