//! The parts of a request that gets and scans share: columns, time range and number of versions.

use crate::Timestamp;
use crate::model::columns::{CellSelection, FamilyColumns, TimeRange};
use crate::wire::cell::LATEST_TIMESTAMP;
use crate::wire::proto;

pub(super) fn columns(families: Vec<FamilyColumns>) -> Vec<proto::Column> {
    let column =
        |FamilyColumns { family, qualifiers }| proto::Column { family, qualifier: qualifiers };
    families.into_iter().map(column).collect()
}

pub(super) fn time_range(range: TimeRange) -> proto::TimeRange {
    proto::TimeRange {
        from: Some(range.from.map_or(0, Timestamp::as_millis)),
        to: Some(range.to.map_or(LATEST_TIMESTAMP, Timestamp::as_millis)),
    }
}

/// Returns the number of versions, limited to Java's largest `int`: a server reads a larger number
/// as a negative one, and finds nothing.
pub(super) fn max_versions(columns: &CellSelection) -> u32 {
    columns.versions.min(i32::MAX as u32)
}
