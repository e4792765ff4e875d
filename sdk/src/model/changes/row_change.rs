//! A change of a row, as a change stream shows it.

use std::time::SystemTime;

use bytes::Bytes;

use super::ChangePartition;
use crate::Timestamp;
use crate::model::query::SqlValue;

/// The changes of a row that were made in one step.
///
/// See [`ChangeStream`](crate::changes::ChangeStream) for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RowChanges {
    /// The row key.
    pub row: Bytes,
    /// The changes of cells, in the order in which they were made.
    pub cells: Vec<CellChange>,
    /// Who made the changes.
    pub source: ChangeSource,
    /// When the changes were made, by the clock of the cluster that was written to. The changes of
    /// one row that were made in one cluster are returned in the order of these times.
    pub committed_at: SystemTime,
    /// If several clusters have changed a cell at the same time, the change with the largest
    /// number remains.
    pub tiebreaker: i32,
    /// An estimate of the time up to which all changes of the partition have been returned.
    pub low_watermark: Option<SystemTime>,
    /// The partition that the change was read from.
    pub partition: ChangePartition,
}

/// Who made a change.
///
/// See [`ChangeStream`](crate::changes::ChangeStream) for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeSource {
    /// A client, which wrote to the cluster with this id.
    User {
        /// The id of the cluster.
        cluster: String,
    },
    /// The service, which removed cells by the rules of their families.
    GarbageCollection,
}

/// The change of one cell, or of several that were deleted together.
///
/// The change of a cell contains the new value only, never the old one. An increment or an append
/// is a `Set` with the result, and the deletion of a row is a `DeleteFamily` for each family.
///
/// See [`ChangeStream`](crate::changes::ChangeStream) for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CellChange {
    /// A cell was written.
    Set {
        /// The family.
        family: String,
        /// The qualifier.
        qualifier: Bytes,
        /// The timestamp of the cell.
        timestamp: Timestamp,
        /// The value.
        value: Bytes,
    },
    /// A value was added to a cell of an aggregate family.
    Add {
        /// The family.
        family: String,
        /// The qualifier.
        qualifier: Bytes,
        /// The timestamp of the cell.
        timestamp: Timestamp,
        /// What was added: an integer for sums and extrema, and the element for a sketch.
        input: SqlValue,
    },
    /// The state of another aggregate was merged into a cell of an aggregate family.
    Merge {
        /// The family.
        family: String,
        /// The qualifier.
        qualifier: Bytes,
        /// The timestamp of the cell.
        timestamp: Timestamp,
        /// The state.
        state: SqlValue,
    },
    /// The cells of a column were deleted: all of them, or those with certain timestamps.
    DeleteColumn {
        /// The family.
        family: String,
        /// The qualifier.
        qualifier: Bytes,
        /// The earliest timestamp of the cells that were deleted, if there is one.
        from: Option<Timestamp>,
        /// The timestamp before which the cells were deleted, if there is one.
        to: Option<Timestamp>,
    },
    /// The cells of a family were deleted.
    DeleteFamily {
        /// The family.
        family: String,
    },
    /// All cells of the row were deleted.
    DeleteRow,
}
