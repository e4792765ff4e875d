//! Turns the answer of a registry into the location of `hbase:meta`, or into an error if the answer
//! lacks what was asked for.

use bytes::Bytes;

use crate::backend::hbase::location::Location;
use crate::backend::hbase::rpc::CallError;
use crate::wire::proto::{RegionInfo, ServerName};
use crate::wire::{meta::RegionRow, region};

/// Returns the location of `hbase:meta` on `server`. All other parts of the location are constant.
pub(super) fn meta_on(server: ServerName) -> Option<Location> {
    let info = RegionInfo {
        region_id: 1,
        table_name: region::parse_table_name(b"hbase:meta"),
        ..Default::default()
    };
    let name = Bytes::from_static(region::META_REGION_NAME);
    let (server, replicas) = (Some(server), Vec::new());
    Location::from_row(&RegionRow { name, info, server, sequence: 0, replicas })
}

/// Returns the error for the host `who`, which answered that it does not know `what`.
pub(super) fn unknown_to(who: &str, what: &str) -> CallError {
    CallError::Unreachable {
        why: format!("{who} reports no {what}; is the cluster still starting?"),
        refused: false,
    }
}
