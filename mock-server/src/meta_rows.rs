//! The rows of `hbase:meta`, as the master writes them.

use bytes::Bytes;
use prost::Message;
use tallrow_wire::cell::CellType;
use tallrow_wire::meta;
use tallrow_wire::proto::{RegionInfo, ServerName, TableName, TableState, TableStateKind};
use tallrow_wire::region;

use crate::cell::NewCell;
use crate::region::Region;
use crate::server::server_text;
use crate::store::Write;

/// Writes that make up one change of `hbase:meta`.
#[derive(Debug)]
pub(crate) struct MetaChange {
    now: u64,
    writes: Vec<Write>,
}

impl MetaChange {
    /// No writes yet; all of them get the timestamp `now`.
    pub(crate) fn at(now: u64) -> Self {
        Self { now, writes: Vec::new() }
    }

    /// The writes.
    pub(crate) fn into_writes(self) -> Vec<Write> {
        self.writes
    }

    /// A region that is there and closed.
    pub(crate) fn region(mut self, region: &Region) -> Self {
        self.put(&region.name, b"regioninfo", meta::encode_region_info(&region.info));
        self.put(&region.name, b"state", "CLOSED");
        self
    }

    /// A region that was opened on a server.
    pub(crate) fn opened(mut self, region: &Region, server: &ServerName, sequence_id: u64) -> Self {
        let address = format!("{}:{}", server.host_name, server.port.unwrap_or(0));
        let row = &region.name;
        self.put(row, b"regioninfo", meta::encode_region_info(&region.info));
        self.put(row, b"seqnumDuringOpen", sequence_id.to_be_bytes().to_vec());
        self.put(row, b"server", address);
        let start_code = server.start_code.unwrap_or(0);
        self.put(row, b"serverstartcode", start_code.to_be_bytes().to_vec());
        self.put(row, b"sn", server_text(server));
        self.put(row, b"state", "OPEN");
        self
    }

    /// A region that was closed; where it was stays.
    pub(crate) fn closed(mut self, region: &Region) -> Self {
        self.put(&region.name, b"state", "CLOSED");
        self
    }

    /// A region that no server has.
    pub(crate) fn unassigned(mut self, region: &Region) -> Self {
        for qualifier in [&b"server"[..], b"serverstartcode"] {
            self.push(&region.name, meta::FAMILY, qualifier, CellType::DeleteColumn, Bytes::new());
        }
        self.put(&region.name, b"state", "OPENING");
        self
    }

    /// A region that was split into two.
    pub(crate) fn split(mut self, parent: &Region, daughters: [&RegionInfo; 2]) -> Self {
        let info = RegionInfo { offline: Some(true), split: Some(true), ..parent.info.clone() };
        self.put(&parent.name, b"regioninfo", meta::encode_region_info(&info));
        self.put(&parent.name, b"splitA", meta::encode_region_info(daughters[0]));
        self.put(&parent.name, b"splitB", meta::encode_region_info(daughters[1]));
        self.put(&parent.name, b"state", "SPLIT");
        self
    }

    /// A region that was merged from others.
    pub(crate) fn merged(mut self, region: &Region, parents: &[&RegionInfo]) -> Self {
        for (n, parent) in parents.iter().enumerate() {
            let qualifier = format!("merge{n:04}");
            let value = meta::encode_region_info(parent);
            self.put(&region.name, qualifier.as_bytes(), value);
        }
        self
    }

    /// A region that is gone.
    pub(crate) fn no_region(mut self, region: &Region) -> Self {
        self.push(&region.name, meta::FAMILY, b"", CellType::DeleteFamily, Bytes::new());
        self
    }

    /// A table in this state.
    pub(crate) fn table(mut self, table: &TableName, state: TableStateKind) -> Self {
        let value = TableState { state: state as i32 }.encode_to_vec().into();
        let row = region::table_text(table);
        self.push(&row, meta::TABLE_FAMILY, meta::TABLE_STATE, CellType::Put, value);
        self
    }

    /// A table that is gone.
    pub(crate) fn no_table(mut self, table: &TableName) -> Self {
        let row = region::table_text(table);
        self.push(&row, meta::TABLE_FAMILY, b"", CellType::DeleteFamily, Bytes::new());
        self
    }

    fn put(&mut self, row: &[u8], qualifier: &[u8], value: impl Into<Bytes>) {
        self.push(row, meta::FAMILY, qualifier, CellType::Put, value.into());
    }

    fn push(&mut self, row: &[u8], family: &[u8], qualifier: &[u8], kind: CellType, value: Bytes) {
        let copy = Bytes::copy_from_slice;
        let (family, qualifier) = (copy(family), copy(qualifier));
        let cell = NewCell { family, qualifier, timestamp: self.now, kind, value };
        self.writes.push(Write { row: copy(row), cell, ttl: None, replaces: true });
    }
}
