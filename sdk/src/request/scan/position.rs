//! Where a scan starts within its range: after a row or cell, or where a page ended.

use bytes::Bytes;

use super::PageToken;
use crate::{Error, Result};

/// Where a scan starts, if not at its first row or cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Position {
    /// The scan starts after this row key or qualifier.
    After(Bytes),
    Token(PageToken),
}

impl Position {
    /// The row key or qualifier that a scan starts after, and how many rows or cells there were
    /// before. A token must be of a scan with the same fingerprint, so with the same `parts`.
    pub(super) fn resolve(self, fingerprint: u64, parts: &str) -> Result<(Bytes, u64)> {
        match self {
            Self::After(last) => Ok((last, 0)),
            Self::Token(token) if token.scan == fingerprint => Ok((token.row, token.rows)),
            Self::Token(_) => Err(Error::invalid(format!(
                "the page token is of another scan; {parts} must be those of the scan that returned it"
            ))),
        }
    }
}
