//! The steps of a scan that reports its progress: a step is a row, or the row key up to which a
//! server has looked without finding a row.

use bytes::Bytes;

use crate::Row;

/// The result of [`RowStream::next_step`](crate::scan::RowStream::next_step): a row, or a cursor if
/// no row has been found yet.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ScanStep {
    /// A row, or a part of a row.
    Row(Row),
    /// A server has looked as far as this row key and has found nothing since the last step
    /// (`Result.getCursor`).
    Cursor(Bytes),
}
