//! How a typed row is written: with which time, time to live and delivery guarantee.

use std::time::Duration;

use crate::{DeliveryGuarantee, Timestamp};

/// How a row is written: its time, its time to live, and what happens when the reply is lost.
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
    /// The server's time, the family's time to live, and the table's guarantee.
    ///
    /// See [`WriteOptions`] for an example of this and the other functions.
    pub fn new() -> Self {
        Self::default()
    }

    /// The cells get this time.
    pub fn timestamp(self, timestamp: Timestamp) -> Self {
        Self { timestamp: Some(timestamp), ..self }
    }

    /// Makes the cells expire when `ttl` has passed since their time, or earlier if the family's
    /// time to live is shorter.
    pub fn ttl(self, ttl: Duration) -> Self {
        Self { ttl: Some(ttl), ..self }
    }

    /// What happens when the reply is lost, instead of the table's setting.
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
