//! Turns the answer of a registry into the location of `hbase:meta`, or into an error if the answer
//! lacks what was asked for.

use std::collections::BTreeMap;

use crate::backend::hbase::location::{Location, meta_region_row};
use crate::backend::hbase::rpc::CallError;
use crate::wire::proto::ServerName;

/// Returns the location of `hbase:meta`, given the server of each of its replicas by the number of
/// the replica; `None` if the server of the primary replica is not among them.
pub(super) fn meta_location(mut servers: BTreeMap<u16, ServerName>) -> Option<Location> {
    let primary = servers.remove(&0)?;
    Location::from_row(&meta_region_row(primary, servers))
}

/// Returns the error for the host `who`, which answered that it does not know `what`.
pub(super) fn unknown_to(who: &str, what: &str) -> CallError {
    CallError::Unreachable {
        why: format!("{who} reports no {what}; is the cluster still starting?"),
        refused: false,
    }
}
