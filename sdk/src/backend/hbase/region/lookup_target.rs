//! The region that a lookup is for, and the reasons why the lookup may fail.

use std::sync::Arc;

use bytes::Bytes;

use crate::backend::hbase::location::Location;
use crate::backend::hbase::rpc::CallError;

/// The region that a lookup is for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LookupTarget<'a> {
    /// The region that holds this row.
    Containing(&'a [u8]),
    /// The region that holds the rows right before this row; if the row is empty, the last region
    /// of the table.
    Preceding(&'a [u8]),
}

impl LookupTarget<'_> {
    pub(super) fn to_owned(self) -> OwnedLookupTarget {
        match self {
            Self::Containing(row) => {
                OwnedLookupTarget { row: Bytes::copy_from_slice(row), before: false }
            }
            Self::Preceding(row) => {
                OwnedLookupTarget { row: Bytes::copy_from_slice(row), before: true }
            }
        }
    }
}

/// A [`LookupTarget`] that owns its row, and so can outlive the caller.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OwnedLookupTarget {
    pub(super) row: Bytes,
    pub(super) before: bool,
}

impl OwnedLookupTarget {
    pub(super) fn borrow(&self) -> LookupTarget<'_> {
        match self.before {
            false => LookupTarget::Containing(&self.row),
            true => LookupTarget::Preceding(&self.row),
        }
    }

    pub(super) fn matches(&self, location: &Location) -> bool {
        match self.before {
            false => location.contains(&self.row),
            true => location.holds_rows_before(&self.row),
        }
    }
}

/// The reason why a region could not be located.
#[derive(Clone, Debug)]
pub(crate) enum LocateError {
    NoSuchTable,
    Disabled,
    /// According to `hbase:meta`, no region holds the row at the moment, or the region that holds
    /// the row is on no server; `server` is the server of `hbase:meta`.
    NotNow {
        server: Arc<str>,
        why: String,
    },
    /// The call to the server of `hbase:meta` or to the registry failed; `server` is the address of
    /// that server, or the hosts of the registry.
    Call {
        server: Arc<str>,
        error: CallError,
    },
}
