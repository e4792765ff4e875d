use std::time::Duration;

use bytes::Bytes;

use crate::{DeliveryGuarantee, Error, TableName};

/// Which table an operation is for, and how it is to be sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<'a> {
    pub(crate) table: &'a TableName,
    pub(crate) timeout: Duration,
    pub(crate) delivery: DeliveryGuarantee,
    /// What the caller called, if its name differs from that of the operation it became.
    pub(crate) called: Option<&'static str>,
}

impl Target<'_> {
    /// The error of an invalid operation.
    pub(crate) fn invalid(&self, name: &'static str, row: &Bytes, why: String) -> Error {
        Error::invalid(why).during(self.called.unwrap_or(name)).on_table(self.table).on_row(row)
    }
}
