//! Turns the answer of a registry into the location of `hbase:meta`, or into an error if the answer
//! lacks what was asked for.

use crate::backend::hbase::location::{Location, meta_region_row};
use crate::backend::hbase::rpc::CallError;
use crate::wire::proto::ServerName;

/// Returns the location of `hbase:meta` on `server`.
pub(super) fn meta_on(server: ServerName) -> Option<Location> {
    Location::from_row(&meta_region_row(server))
}

/// Returns the error for the host `who`, which answered that it does not know `what`.
pub(super) fn unknown_to(who: &str, what: &str) -> CallError {
    CallError::Unreachable {
        why: format!("{who} reports no {what}; is the cluster still starting?"),
        refused: false,
    }
}
