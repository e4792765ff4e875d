//! The table of an operation, with the settings of the table handle for sending the operation.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use crate::request::call_options::CallOptions;
use crate::request::consistency::Consistency;
use crate::{DeliveryGuarantee, Error, TableName};

/// The table of an operation, and the settings for sending the operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallTarget<'a> {
    pub(crate) table: &'a TableName,
    pub(crate) timeout: Duration,
    /// The upper limit for the timeout that an operation of a batch sets for itself.
    pub(crate) max_timeout: Duration,
    pub(crate) delivery: DeliveryGuarantee,
    /// Whether the operation waits if too many bytes are in flight.
    pub(crate) wait_when_full: bool,
    /// The name of the function that the caller called, if it differs from the name of the
    /// operation.
    pub(crate) operation_name: Option<&'static str>,
    /// The replicas that answer a read whose options do not set them.
    pub(crate) consistency: Consistency,
    pub(crate) options: Option<&'a Arc<CallOptions>>,
}

/// A [`CallTarget`] that owns its data, for a future that outlives the borrowed target.
#[cfg(feature = "bigtable")]
pub(crate) struct OwnedTarget {
    table: TableName,
    options: Option<Arc<CallOptions>>,
    timeout: Duration,
    max_timeout: Duration,
    delivery: DeliveryGuarantee,
    wait_when_full: bool,
    operation_name: Option<&'static str>,
    consistency: Consistency,
}

#[cfg(feature = "bigtable")]
impl OwnedTarget {
    pub(crate) fn as_call_target(&self) -> CallTarget<'_> {
        let &Self {
            timeout,
            max_timeout,
            delivery,
            wait_when_full,
            operation_name,
            consistency,
            ..
        } = self;
        let (table, options) = (&self.table, self.options.as_ref());
        CallTarget {
            table,
            timeout,
            max_timeout,
            delivery,
            wait_when_full,
            operation_name,
            consistency,
            options,
        }
    }
}

impl CallTarget<'_> {
    #[cfg(feature = "bigtable")]
    pub(crate) fn into_owned(self) -> OwnedTarget {
        let Self {
            timeout,
            max_timeout,
            delivery,
            wait_when_full,
            operation_name,
            consistency,
            ..
        } = self;
        let (table, options) = (self.table.clone(), self.options.cloned());
        OwnedTarget {
            table,
            timeout,
            max_timeout,
            delivery,
            wait_when_full,
            operation_name,
            consistency,
            options,
        }
    }

    pub(crate) fn attempt_timeout(&self) -> Option<Duration> {
        self.options.and_then(|options| options.attempt_timeout)
    }

    pub(crate) fn priority(&self) -> u32 {
        self.options.and_then(|options| options.priority).unwrap_or(0)
    }

    /// Makes the error of an invalid operation.
    pub(crate) fn invalid(&self, name: &'static str, row: &Bytes, why: String) -> Error {
        self.with_context(name, row, Error::invalid(why))
    }

    /// Adds the operation, the table and the row to an error.
    pub(crate) fn with_context(&self, name: &'static str, row: &Bytes, error: Error) -> Error {
        error
            .with_operation_if_unset(self.operation_name.unwrap_or(name))
            .on_table(self.table)
            .on_row(row)
    }
}
