//! Making one cell of the cells of a row.
//!
//! # Invariants
//!
//! - No point is lost by a compaction: one step writes the new cell and deletes columns up to the
//!   times that were read. Tests:
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

/// What [`Series::compact`](super::Series::compact) did.
///
/// See [`Series::compact`](super::Series::compact) for an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compaction {
    /// How many points the row has in its one cell, or had in its cells if they were left.
    pub points: usize,
    /// How many cells were replaced by one; 0 if there was nothing to do.
    pub replaced: usize,
    /// How many cells were left because they were written too recently.
    pub recent: usize,
}

/// What a row needs to become one cell.
pub(super) struct Plan {
    pub(super) compaction: Compaction,
    pub(super) step: Option<RowMutations>,
}

impl Plan {
    /// Cells that were written within this time before now are left.
    pub(super) fn of(row: &Row, now: Timestamp, age: Duration) -> Result<Self> {
        let age = u64::try_from(age.as_millis()).unwrap_or(u64::MAX);
        let is_old =
            |cell: &Cell| cell.timestamp().as_millis().saturating_add(age) < now.as_millis();
        let with_points = || row.cells().iter().filter(|cell| has_points(cell));
        let cells: Vec<_> = with_points().filter(|cell| is_old(cell)).collect();
        let points = points_of(cells.iter().copied())?;
        let recent = with_points().count() - cells.len();
        let step = if cells.len() > 1 { replace(row.key(), &cells, &points) } else { None };
        let replaced = if step.is_some() { cells.len() } else { 0 };
        Ok(Self { compaction: Compaction { points: points.len(), replaced, recent }, step })
    }
}

/// Writes the points as one cell, and deletes the others, in one step.
fn replace(row: &[u8], cells: &[&Cell], points: &[StoredPoint]) -> Option<RowMutations> {
    let (qualifier, value) = compacted(points);
    // Not now: what is written from now on has to be newer, and what was written before has to be
    // older or in it.
    let written = cells.iter().map(|cell| cell.timestamp()).max()?;
    let mut delete = Delete::new(row);
    for cell in cells.iter().filter(|cell| cell.qualifier() != qualifier) {
        delete = delete.column_until(FAMILY, cell.qualifier(), cell.timestamp());
    }
    let put = Put::new(row).cell_at(FAMILY, qualifier, written, value);
    Some(RowMutations::new(row).add(put).add(delete))
}

/// The qualifier and the value of a cell with these points.
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
