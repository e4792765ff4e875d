//! What a read does with a cell, and with the rest of its column.

/// What is done with a cell, as HBase's `ScanQueryMatcher.MatchCode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MatchCode {
    /// The cell is included.
    Include,
    /// The cell is included, and the rest of its column is skipped.
    IncludeAndSeekNextCol,
    /// The cell is skipped.
    Skip,
    /// The cell and the rest of its column are skipped.
    SeekNextCol,
}
