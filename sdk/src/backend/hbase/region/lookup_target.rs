//! What a lookup of a region asks for, and the reasons why it may fail.

use std::sync::Arc;

use bytes::Bytes;

use crate::backend::hbase::location::Location;
use crate::backend::hbase::rpc::CallError;

/// The region that is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lookup<'a> {
    /// The region that holds this row.
    Containing(&'a [u8]),
    /// The region with the rows right before this row; the last region of the table if the row is
    /// empty.
    Preceding(&'a [u8]),
}

impl Lookup<'_> {
    pub(super) fn to_owned(self) -> Wanted {
        match self {
            Self::Containing(row) => Wanted { row: Bytes::copy_from_slice(row), before: false },
            Self::Preceding(row) => Wanted { row: Bytes::copy_from_slice(row), before: true },
        }
    }
}

/// A [`Lookup`] that outlives the caller.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wanted {
    pub(super) row: Bytes,
    pub(super) before: bool,
}

impl Wanted {
    pub(super) fn borrow(&self) -> Lookup<'_> {
        match self.before {
            false => Lookup::Containing(&self.row),
            true => Lookup::Preceding(&self.row),
        }
    }

    pub(super) fn is(&self, location: &Location) -> bool {
        match self.before {
            false => location.contains(&self.row),
            true => location.precedes(&self.row),
        }
    }
}

/// Why a region could not be located.
#[derive(Clone, Debug)]
pub(crate) enum LocateError {
    NoSuchTable,
    Disabled,
    /// No region holds the row right now, or the region that holds it has no server, as the server
    /// of `hbase:meta` reports.
    NotNow {
        server: Arc<str>,
        why: String,
    },
    /// `hbase:meta` or the registry did not answer; `server` is the server, or the hosts, that were
    /// asked.
    Call {
        server: Arc<str>,
        error: CallError,
    },
}
