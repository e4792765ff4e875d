//! How bytes are shown.

use std::fmt;

use crate::RowKeyDisplay;
use crate::key::show::shell;

/// A row key that no configuration is known for; those of operations are shown by
/// [`TableName::show_row`](crate::TableName::show_row).
pub(crate) fn row_key(key: &[u8]) -> impl fmt::Display + '_ {
    RowKeyDisplay::Shown.of(key)
}

/// The bytes of a value or qualifier, shown in the same way.
pub(crate) fn bytes(bytes: &[u8]) -> impl fmt::Display + '_ {
    RowKeyDisplay::Shown.of(bytes)
}

/// A column, as the shell names it.
pub(crate) fn column(family: &[u8], qualifier: &[u8]) -> String {
    format!("{}:{}", shell(family), shell(qualifier))
}
