//! The steps of a scan that reports its progress: a row, or how far a server has looked without
//! finding one.

use bytes::Bytes;

use crate::Row;

/// What [`RowStream::next_step`](crate::scan::RowStream::next_step) returns: a row, or that there
/// is none yet.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ScanStep {
    /// A row, or a part of one.
    Row(Row),
    /// A server has looked as far as this row key and has found nothing since the last step
    /// (`Result.getCursor`).
    Cursor(Bytes),
}
