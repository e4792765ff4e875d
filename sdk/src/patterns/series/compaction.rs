//! Compacts the cells of a row into one cell.
//!
//! # Invariants
//!
//! - No point is lost by a compaction: one step writes the new cell and deletes the old cells, each
//!   up to the timestamp that was read. Tests:
//!   `tests/suites/client/series.rs::no_point_is_lost_while_hours_are_compacted`,
//!   `tests/suites/faults/series.rs::a_point_written_within_a_compaction_stays`,
//!   `tests/suites/faults/series.rs::recent_cells_are_left`.

use std::time::Duration;

use bytes::Bytes;

use super::FAMILY;
use super::hour_cells::{has_points, points_of};
use super::stored_point::StoredPoint;
use crate::model::cell::Cell;
use crate::request::op::RowMutations;
use crate::{Delete, Put, Result, Row, Timestamp};

/// The result of [`Series::compact`](super::Series::compact).
///
/// See [`Series::compact`](super::Series::compact) for an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compaction {
    /// How many points the row has in the compacted cell, or in its old cells if these were not
    /// replaced.
    pub points: usize,
    /// How many cells were replaced by one cell; 0 if there was nothing to do.
    pub cells_replaced: usize,
    /// How many cells were not replaced because they were written too recently.
    pub cells_too_recent: usize,
}

/// A planned compaction of a row: its result, and the mutation that makes it, if there is anything
/// to do.
pub(super) struct Plan {
    pub(super) compaction: Compaction,
    pub(super) mutation: Option<RowMutations>,
}

impl Plan {
    /// Plans the compaction of a row. Cells that were written within the time `age` before `now`
    /// are not replaced.
    pub(super) fn of(row: &Row, now: Timestamp, age: Duration) -> Result<Self> {
        let age = u64::try_from(age.as_millis()).unwrap_or(u64::MAX);
        let is_old =
            |cell: &Cell| cell.timestamp().as_millis().saturating_add(age) < now.as_millis();
        let with_points = || row.cells().iter().filter(|cell| has_points(cell));
        let cells: Vec<_> = with_points().filter(|cell| is_old(cell)).collect();
        let points = points_of(cells.iter().copied())?;
        let cells_too_recent = with_points().count() - cells.len();
        let mutation = if cells.len() > 1 { replace(row.key(), &cells, &points) } else { None };
        let cells_replaced = if mutation.is_some() { cells.len() } else { 0 };
        Ok(Self {
            compaction: Compaction { points: points.len(), cells_replaced, cells_too_recent },
            mutation,
        })
    }
}

/// Returns the mutation that writes the points as one cell and deletes the other cells.
fn replace(row: &[u8], cells: &[&Cell], points: &[StoredPoint]) -> Option<RowMutations> {
    let (qualifier, value) = compacted(points);
    // The new cell gets the newest timestamp of the cells that it replaces, not the current time:
    // cells that are written from now on must be newer than the new cell, and cells that were
    // written before must be older or be included in it.
    let written = cells.iter().map(|cell| cell.timestamp()).max()?;
    let mut delete = Delete::new(row);
    for cell in cells.iter().filter(|cell| cell.qualifier() != qualifier) {
        delete = delete.column_until(FAMILY, cell.qualifier(), cell.timestamp());
    }
    let put = Put::new(row).cell_at(FAMILY, qualifier, written, value);
    Some(RowMutations::new(row).add(put).add(delete))
}

/// Returns the qualifier and the value of a cell with these points.
fn compacted(points: &[StoredPoint]) -> (Bytes, Bytes) {
    let (mut qualifier, mut value) = (Vec::new(), Vec::new());
    for point in points {
        point.put_qualifier(&mut qualifier);
        value.extend_from_slice(point.value());
    }
    if points.len() > 1 {
        let mixed = points.iter().any(|point| point.is_millis())
            && points.iter().any(|point| !point.is_millis());
        value.push(u8::from(mixed));
    }
    (qualifier.into(), value.into())
}
