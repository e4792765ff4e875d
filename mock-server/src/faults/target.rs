//! The target of a call: its method, server and tables.

use bytes::Bytes;
use prost::Message;
use tallrow_wire::proto::{MultiRequest, RegionSpecifier, ScanRequest, TableName};
use tallrow_wire::region;

use crate::hbase::{ClientInfo, Service};
use crate::state::{Role, Server};

/// The properties of a call that decide whether a fault is for it.
pub(crate) struct CallTarget<'a> {
    /// The method.
    pub(crate) method: &'a str,
    /// The server.
    pub(crate) role: Role,
    /// The tables that the call is about.
    pub(crate) tables: Vec<Vec<u8>>,
}

impl<'a> CallTarget<'a> {
    /// Returns the target of a call with this parameter message.
    pub(crate) fn of(server: &Server, peer: &ClientInfo, method: &'a str, param: &Bytes) -> Self {
        Self { method, role: server.role, tables: tables_of(server, peer, method, param) }
    }
}

/// The tables that the call is about.
fn tables_of(server: &Server, peer: &ClientInfo, method: &str, param: &Bytes) -> Vec<Vec<u8>> {
    let of_region = |name: &[u8]| name.split(|b| *b == b',').next().unwrap_or_default().to_vec();
    match (peer.service, method) {
        (Service::Client, "Multi") => {
            let request = MultiRequest::decode(param.clone()).unwrap_or_default();
            request.region_action.iter().map(|a| of_region(&a.region.value)).collect()
        }
        (Service::Client | Service::Admin, _) => {
            vec![of_region(&region_name_of(server, peer, method, param))]
        }
        (Service::Master, _) => match FirstTable::decode(param.clone()) {
            Ok(FirstTable { table: Some(name) }) => vec![region::format_table_name(&name)],
            _ => Vec::new(),
        },
        (Service::Registry, _) => Vec::new(),
    }
}

/// Returns the name of the region that a call is about; for a batch, the name of the first region.
pub(crate) fn region_name_of(
    server: &Server,
    peer: &ClientInfo,
    method: &str,
    param: &Bytes,
) -> Bytes {
    if !matches!(peer.service, Service::Client | Service::Admin) || server.role == Role::Master {
        return Bytes::new();
    }
    match method {
        "Scan" => {
            let request = ScanRequest::decode(param.clone()).unwrap_or_default();
            match (request.region, request.scanner_id) {
                (Some(region), _) => region.value,
                (None, Some(id)) => {
                    server.scanners().region_of(id).map(|r| r.name.clone()).unwrap_or_default()
                }
                (None, None) => Bytes::new(),
            }
        }
        "Multi" => {
            let request = MultiRequest::decode(param.clone()).unwrap_or_default();
            request.region_action.first().map(|a| a.region.value.clone()).unwrap_or_default()
        }
        _ => FirstRegion::decode(param.clone()).unwrap_or_default().region.value,
    }
}

/// The first field of most requests to a region server: the region.
#[derive(Clone, PartialEq, prost::Message)]
struct FirstRegion {
    #[prost(message, required, tag = "1")]
    region: RegionSpecifier,
}

/// The first field of most requests about a table: the name of the table, or its schema, of which
/// the first field is the name.
#[derive(Clone, PartialEq, prost::Message)]
struct FirstTable {
    #[prost(message, optional, tag = "1")]
    table: Option<TableName>,
}
