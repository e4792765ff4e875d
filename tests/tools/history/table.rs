//! The table that the calls use, and its record of when writes were applied.
//!
//! Each put and delete also writes to a separate column in a second family, so every application of
//! it leaves a version there, with the server's timestamp.

use tallrow::{
    Admin, Delete, FamilyDescriptor, Get, Put, RawTable, Scan, TableDescriptor, Timestamp,
    admin::KeepDeletedCells, op::CheckAndMutate,
};

use crate::log::Version;
use crate::rows::Rows;

pub(crate) const TABLE: &str = "tallrow_history";
/// The family of the values.
pub(crate) const VALUE: (&str, &str) = ("v", "x");
/// All versions: a server reads a larger number as negative.
const ALL: u32 = i32::MAX as u32;
/// The family of the versions, in columns named after the calls.
const WRITES: &str = "w";

/// Creates the table, empty.
pub(crate) async fn make(admin: &Admin) -> tallrow::Result<()> {
    if admin.table_exists(TABLE).await? {
        admin.hbase()?.disable_table(TABLE).await?;
        admin.delete_table(TABLE).await?;
    }
    let writes =
        FamilyDescriptor::new(WRITES).versions(ALL).keep_deleted_cells(KeepDeletedCells::Yes);
    let descriptor =
        TableDescriptor::new(TABLE)?.family(FamilyDescriptor::new(VALUE.0)).family(writes);
    admin.create_table_with_splits(&descriptor, &Rows::splits()).await
}

/// Writes a very old cell into the registers of this many calls: a major compaction drops delete
/// markers that are older than every put of the region.
pub(crate) async fn prepare(table: &RawTable, calls: u64) -> tallrow::Result<()> {
    let old = Timestamp::from_millis(1);
    let puts = Rows::registers(calls).map(|row| Put::new(row).cell_at(WRITES, "", old, ""));
    table.put_all(puts).await.into_iter().collect()
}

/// A put of a value by this call.
pub(crate) fn put(row: &str, call: u64, value: &str) -> Put {
    Put::new(row).cell(VALUE.0, VALUE.1, value).cell(WRITES, call.to_string(), "")
}

/// A delete of the value by this call.
pub(crate) fn delete(row: &str, call: u64) -> Delete {
    Delete::new(row).column(VALUE.0, VALUE.1).column(WRITES, call.to_string())
}

/// A condition on the value.
pub(crate) fn check(row: &str, expect: Option<&str>) -> CheckAndMutate {
    let check = tallrow::op::Check::new(row, VALUE.0, VALUE.1);
    match expect {
        Some(value) => check.if_equals(value),
        None => check.if_not_exists(),
    }
}

/// Reads only the value.
pub(crate) fn get(row: &str) -> Get {
    Get::new(row).column(VALUE.0, VALUE.1)
}

/// When each write was applied.
pub(crate) async fn versions(table: &RawTable) -> tallrow::Result<Vec<Version>> {
    let scan = Scan::prefix("r").family(WRITES).versions(ALL).raw();
    let mut rows = table.scan(scan)?;
    let mut versions = Vec::new();
    while let Some(row) = rows.next_row().await? {
        for cell in row.cells() {
            let call = std::str::from_utf8(cell.qualifier()).ok().and_then(|id| id.parse().ok());
            versions.extend(call.map(|id| Version { id, at: cell.timestamp().as_millis() }));
        }
    }
    Ok(versions)
}
