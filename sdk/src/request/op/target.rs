//! The table that an operation is for, with the settings of its handle that say how it is sent.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use crate::request::call_options::CallOptions;
use crate::request::consistency::Consistency;
use crate::{DeliveryGuarantee, Error, TableName};

/// Which table an operation is for, and how it is to be sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<'a> {
    pub(crate) table: &'a TableName,
    pub(crate) timeout: Duration,
    /// The most that the own timeout of an operation of a batch may be.
    pub(crate) most: Duration,
    pub(crate) delivery: DeliveryGuarantee,
    /// Whether it waits if too much is in flight.
    pub(crate) waits: bool,
    /// What the caller called, if its name differs from that of the operation it became.
    pub(crate) called: Option<&'static str>,
    /// Which replicas answer a read whose options do not say it.
    pub(crate) consistency: Consistency,
    pub(crate) options: Option<&'a Arc<CallOptions>>,
}

/// A [`Target`] that owns what it has, for a future that outlives the borrowed one.
#[cfg(feature = "bigtable")]
pub(crate) struct OwnedTarget {
    table: TableName,
    options: Option<Arc<CallOptions>>,
    timeout: Duration,
    most: Duration,
    delivery: DeliveryGuarantee,
    waits: bool,
    called: Option<&'static str>,
    consistency: Consistency,
}

#[cfg(feature = "bigtable")]
impl OwnedTarget {
    pub(crate) fn target(&self) -> Target<'_> {
        let &Self { timeout, most, delivery, waits, called, consistency, .. } = self;
        let (table, options) = (&self.table, self.options.as_ref());
        Target { table, timeout, most, delivery, waits, called, consistency, options }
    }
}

impl Target<'_> {
    #[cfg(feature = "bigtable")]
    pub(crate) fn into_owned(self) -> OwnedTarget {
        let Self { timeout, most, delivery, waits, called, consistency, .. } = self;
        let (table, options) = (self.table.clone(), self.options.cloned());
        OwnedTarget { table, timeout, most, delivery, waits, called, consistency, options }
    }

    pub(crate) fn attempt_timeout(&self) -> Option<Duration> {
        self.options.and_then(|options| options.attempt_timeout)
    }

    pub(crate) fn priority(&self) -> u32 {
        self.options.and_then(|options| options.priority).unwrap_or(0)
    }

    /// The error of an invalid operation.
    pub(crate) fn invalid(&self, name: &'static str, row: &Bytes, why: String) -> Error {
        Error::invalid(why).during(self.called.unwrap_or(name)).on_table(self.table).on_row(row)
    }
}
