//! The error of a text that is not a dump of tables.

use std::fmt;

/// Where a dump is wrong, what was found there, and what is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DumpError {
    line: usize,
    column: usize,
    text: String,
}

impl DumpError {
    /// Makes the error of a place; lines and columns are counted from 1.
    pub(super) fn new(line: usize, column: usize, text: impl Into<String>) -> Self {
        Self { line, column, text: text.into() }
    }
}

impl fmt::Display for DumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.text)
    }
}
