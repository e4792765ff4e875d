use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

use crate::wire::proto::{RegionInfo, ServerName};
use crate::wire::{meta::RegionRow, region};

/// A region and the server that holds it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Location {
    /// The full region name.
    pub(crate) region: Bytes,
    /// The first row key, inclusive; empty for the first region.
    pub(crate) start: Bytes,
    /// The row key after the last, exclusive; empty for the last region.
    pub(crate) end: Bytes,
    /// `host:port`
    pub(crate) server: Arc<str>,
    /// When the server started; another server at the same address has another one.
    pub(crate) start_code: u64,
    /// Of two locations of a region, the higher is the newer.
    pub(crate) sequence: u64,
}

impl Location {
    /// The location in a row of `hbase:meta`; `None` while the region has no server.
    pub(crate) fn from_row(row: &RegionRow) -> Option<Self> {
        let server = row.server.as_ref()?;
        let RegionInfo { start_key, end_key, .. } = &row.info;
        let region = Bytes::from(region::name(&row.info));
        // The name is `table,start,..`, and a location is kept for a long time: its start key shares the name's memory.
        let start = region::format_table_name(&row.info.table_name).len() + 1;
        let start = region.slice(start..start + start_key.as_ref().map_or(0, Bytes::len));
        Some(Self {
            start,
            end: end_key.clone().unwrap_or_default(),
            region,
            server: address(server),
            start_code: server.start_code.unwrap_or(0),
            sequence: row.sequence,
        })
    }

    pub(crate) fn contains(&self, row: &[u8]) -> bool {
        *self.start <= *row && (self.end.is_empty() || *row < *self.end)
    }

    pub(crate) fn is_on(&self, server: &str, start_code: u64) -> bool {
        *self.server == *server && self.start_code == start_code
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {},{}", self.region.escape_ascii(), self.server, self.start_code)
    }
}

/// A server's address as `host:port`.
pub(crate) fn address(server: &ServerName) -> Arc<str> {
    let port = server.port.unwrap_or(0);
    match server.host_name.contains(':') {
        true => format!("[{}]:{port}", server.host_name).into(),
        false => format!("{}:{port}", server.host_name).into(),
    }
}
