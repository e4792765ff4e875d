//! The position at which a scan starts within its range: after a row or cell, or after the end of a
//! page.

use bytes::Bytes;

use super::PageToken;
use crate::{Error, Result};

/// The position at which a scan starts, if that is not its first row or cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Position {
    /// The scan starts after this row key or qualifier.
    After(Bytes),
    Token(PageToken),
}

impl Position {
    /// Returns the row key or qualifier after which a scan starts, and how many rows or cells were
    /// returned before. A token must be of a scan with the same fingerprint; the error names
    /// `parts`, from which the fingerprint is computed.
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
