//! Writes the rows of `hbase:meta`, as the master does.

use std::collections::BTreeMap;

use bytes::Bytes;
use prost::Message;
use tallrow_wire::cell::CellType;
use tallrow_wire::meta;
use tallrow_wire::proto::{RegionInfo, ServerName, TableName, TableState, TableStateKind};
use tallrow_wire::region;

use crate::cells::{NewCell, StoredCell};
use crate::regions::{CellWrite, Region};
use crate::state::{Cluster, server_text};

/// The number of older versions that are kept of each column. Together with the newest version,
/// these are as many as `hbase:meta` shows.
const KEPT: Option<usize> = Some(2);

/// The size of new cells, in bytes, from which on `hbase:meta` is flushed and compacted, as a real
/// server does from time to time. Without it, the rows of dropped tables would be kept forever.
const FLUSHED_FROM: usize = 64 * 1024;

/// The rows get a timestamp that is this number of ms before the response of the master. A
/// procedure of a real master takes longer than that. The Java client reads the state of a table
/// only up to the millisecond of its read.
const BEFORE_THE_ANSWER: u64 = 100;

/// Cells that are written to `hbase:meta` in one step.
#[derive(Debug)]
#[must_use]
pub(super) struct MetaUpdate<'a> {
    cluster: &'a Cluster,
    writes: Vec<CellWrite>,
}

impl<'a> MetaUpdate<'a> {
    /// Makes an update without cells.
    pub(super) fn new(cluster: &'a Cluster) -> Self {
        Self { cluster, writes: Vec::new() }
    }

    /// Writes the cells. All cells of a row get the same timestamp. It is later than the timestamps
    /// of all cells that the row already has, because a delete marker would hide a put of the same
    /// millisecond.
    pub(super) fn write(mut self) {
        let mut meta = self.cluster.meta.lock();
        let earliest = self.cluster.clock.now().saturating_sub(BEFORE_THE_ANSWER);
        let mut rows: BTreeMap<Bytes, u64> = BTreeMap::new();
        for write in &mut self.writes {
            let row = rows.entry(write.row.clone()).or_insert_with(|| {
                let cells = meta.store.cells().cursor_from_row(&write.row);
                let of_row = cells.take_while(|cell| cell.row() == write.row);
                let newest = of_row.map(StoredCell::timestamp).max();
                newest.map_or(earliest, |newest| earliest.max(newest + 1))
            });
            write.cell.timestamp = *row;
        }
        // This cannot fail: the names of regions are checked before their rows are written, and the
        // cells are small.
        let _ = meta.store.write(&self.writes);
        if meta.store.is_mostly_unflushed(FLUSHED_FROM) {
            meta.flush_and_compact(self.cluster.clock.now());
        }
    }

    /// Adds a new, closed region.
    pub(super) fn new_region(mut self, region: &Region) -> Self {
        self.put(&region.name, b"regioninfo", meta::encode_region_info(&region.info));
        self.put(&region.name, b"state", "CLOSED");
        self
    }

    /// Adds that a region was opened on a server.
    pub(super) fn opened(mut self, region: &Region, server: &ServerName, sequence_id: u64) -> Self {
        let address = format!("{}:{}", server.host_name, server.port.unwrap_or(0));
        if region.replica_id() == 0 {
            self.put(&region.name, b"regioninfo", meta::encode_region_info(&region.info));
        }
        self.put_of(region, "seqnumDuringOpen", sequence_id.to_be_bytes().to_vec());
        self.put_of(region, "server", address);
        let start_code = server.start_code.unwrap_or(0);
        self.put_of(region, "serverstartcode", start_code.to_be_bytes().to_vec());
        self.put_of(region, "state", "OPEN");
        self
    }

    /// Adds that a region is being opened on a server.
    pub(super) fn opening(mut self, region: &Region, server: &ServerName) -> Self {
        self.put_of(region, "sn", server_text(server));
        self.put_of(region, "state", "OPENING");
        self
    }

    /// Adds that a region was closed. The columns with the last server of the region are kept.
    pub(super) fn closed(mut self, region: &Region) -> Self {
        self.put_of(region, "state", "CLOSED");
        self
    }

    /// Adds that a secondary replica was deleted.
    pub(super) fn delete_replica(mut self, replica: &Region) -> Self {
        for column in ["seqnumDuringOpen", "server", "serverstartcode", "sn", "state"] {
            let column = column_of(replica, column);
            let (row, kind) = (replica.primary_name(), CellType::DeleteColumn);
            self.push(&row, meta::FAMILY, column.as_bytes(), kind, Bytes::new());
        }
        self
    }

    /// Adds that a region was split in two.
    pub(super) fn split(mut self, parent: &Region, daughters: [&RegionInfo; 2]) -> Self {
        let info = RegionInfo { offline: Some(true), split: Some(true), ..parent.info.clone() };
        self.put(&parent.name, b"regioninfo", meta::encode_region_info(&info));
        self.put(&parent.name, b"splitA", meta::encode_region_info(daughters[0]));
        self.put(&parent.name, b"splitB", meta::encode_region_info(daughters[1]));
        self.put(&parent.name, b"state", "SPLIT");
        self
    }

    /// Adds that a region was merged from others.
    pub(super) fn merged(mut self, region: &Region, parents: &[&RegionInfo]) -> Self {
        for (n, parent) in parents.iter().enumerate() {
            let qualifier = format!("merge{n:04}");
            let value = meta::encode_region_info(parent);
            self.put(&region.name, qualifier.as_bytes(), value);
        }
        self
    }

    /// Adds that a region was deleted.
    pub(super) fn delete_region(self, region: &Region) -> Self {
        self.delete_region_row(&region.name)
    }

    /// Adds that all regions of a table were deleted, including the parents of splits, which only
    /// `hbase:meta` has.
    pub(super) fn delete_regions_of(mut self, table: &TableName) -> Self {
        let prefix = [&region::format_table_name(table)[..], b","].concat();
        let mut rows: Vec<Bytes> = Vec::new();
        let meta = self.cluster.meta.lock();
        // A row with two commas: one with a single comma sorts after those of the first region.
        let of_table = meta.store.cells().cursor_from_row(&[&prefix[..], b","].concat());
        for cell in of_table.take_while(|cell| cell.row().starts_with(&prefix)) {
            if rows.last().is_none_or(|row| row != cell.row()) {
                rows.push(Bytes::copy_from_slice(cell.row()));
            }
        }
        drop(meta);
        for row in rows {
            self = self.delete_region_row(&row);
        }
        self
    }

    fn delete_region_row(mut self, row: &[u8]) -> Self {
        self.push(row, meta::FAMILY, b"", CellType::DeleteFamily, Bytes::new());
        self
    }

    /// Adds the state of a table.
    pub(super) fn table_state(mut self, table: &TableName, state: TableStateKind) -> Self {
        let value = TableState { state: state as i32 }.encode_to_vec().into();
        let row = region::format_table_name(table);
        self.push(&row, meta::TABLE_FAMILY, meta::TABLE_STATE_QUALIFIER, CellType::Put, value);
        self
    }

    /// Adds that a table was deleted.
    pub(super) fn delete_table(mut self, table: &TableName) -> Self {
        let row = region::format_table_name(table);
        self.push(&row, meta::TABLE_FAMILY, b"", CellType::DeleteFamily, Bytes::new());
        self
    }

    /// Adds a column of a region. The columns of a secondary replica are in the row of the primary
    /// replica.
    fn put_of(&mut self, region: &Region, column: &str, value: impl Into<Bytes>) {
        let column = column_of(region, column);
        self.put(&region.primary_name(), column.as_bytes(), value);
    }

    fn put(&mut self, row: &[u8], qualifier: &[u8], value: impl Into<Bytes>) {
        self.push(row, meta::FAMILY, qualifier, CellType::Put, value.into());
    }

    fn push(&mut self, row: &[u8], family: &[u8], qualifier: &[u8], kind: CellType, value: Bytes) {
        let copy = Bytes::copy_from_slice;
        let (family, qualifier) = (copy(family), copy(qualifier));
        let cell = NewCell { family, qualifier, timestamp: 0, kind, value };
        self.writes.push(CellWrite { row: copy(row), cell, ttl: None, keep_older_versions: KEPT });
    }
}

/// Returns the name of a column for a replica: for a secondary replica, it ends with the replica
/// id.
fn column_of(region: &Region, column: &str) -> String {
    match region.replica_id() {
        0 => column.to_owned(),
        id => format!("{column}_{id:04X}"),
    }
}
