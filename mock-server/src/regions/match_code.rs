//! What a read does with a cell, and with the rest of its column.

/// What is done with a cell, as HBase's `ScanQueryMatcher.MatchCode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MatchCode {
    /// It is included.
    Include,
    /// It is included, and the rest of its column is skipped.
    IncludeAndSeekNextCol,
    /// It is skipped.
    Skip,
    /// It and the rest of its column are skipped.
    SeekNextCol,
}
