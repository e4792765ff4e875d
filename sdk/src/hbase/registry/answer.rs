use crate::hbase::location::Location;
use crate::hbase::rpc::CallError;
use crate::wire::proto::{RegionInfo, ServerName};
use crate::wire::{meta::RegionRow, region};

/// The location of `hbase:meta`, of which only the server ever differs.
pub(super) fn meta_on(server: ServerName) -> Option<Location> {
    let info = RegionInfo {
        region_id: 1,
        table_name: region::parse_table_name(b"hbase:meta"),
        ..Default::default()
    };
    Location::from_row(&RegionRow { info, server: Some(server), sequence: 0 })
}

/// That a host does not know what it was asked.
pub(super) fn not_told(who: &str, what: &str) -> CallError {
    CallError::Unreachable {
        why: format!("{who} knows no {what}; is the cluster still starting?"),
        refused: false,
    }
}
