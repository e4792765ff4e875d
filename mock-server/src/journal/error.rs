//! The error of data that cannot be read or written.

use std::fmt::{self, Display};
use std::path::Path;

/// What was attempted on which file, and why it failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DataError(String);

impl DataError {
    /// Makes the error of an attempt on a path.
    pub(crate) fn new(attempt: &str, path: &Path, reason: impl Display) -> Self {
        Self(format!("{attempt} {}: {reason}", path.display()))
    }
}

impl Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DataError {}
