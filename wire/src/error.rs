//! The error of all functions of this crate that decode or encode.

use std::fmt;

/// Bytes that cannot be decoded, or values that cannot be encoded.
///
/// ```
/// use tallrow_wire::preamble;
///
/// let error = preamble::decode(b"GET / ").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     r#"read preamble: expected "HBas" and two more bytes, found "GET / ""#
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireError {
    what: &'static str,
    found: String,
}

impl WireError {
    /// Makes an error for reading `what`, with a description of what was found.
    ///
    /// ```
    /// let error = tallrow_wire::WireError::new("cell", "2 bytes are left over");
    /// assert_eq!(error.to_string(), "read cell: 2 bytes are left over");
    /// ```
    pub fn new(what: &'static str, found: impl Into<String>) -> Self {
        Self { what, found: found.into() }
    }

    /// The name of what was being read.
    ///
    /// ```
    /// assert_eq!(tallrow_wire::WireError::new("cell", "").what(), "cell");
    /// ```
    pub fn what(&self) -> &'static str {
        self.what
    }
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "read {}: {}", self.what, self.found)
    }
}

impl std::error::Error for WireError {}
