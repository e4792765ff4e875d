use bytes::Bytes;

use super::PageToken;

/// Where a scan starts, if not at its first row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Position {
    /// After a row with this key.
    After(Bytes),
    Token(PageToken),
}
