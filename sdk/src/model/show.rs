//! The display of row keys, values and columns where no configuration applies.

use std::fmt;

use crate::RowKeyDisplay;
use crate::key::show::shell;

/// Shows a row key for which no configuration is known; the row keys of operations are shown by
/// [`TableName::show_row`](crate::TableName::show_row).
pub(crate) fn row_key(key: &[u8]) -> impl fmt::Display + '_ {
    RowKeyDisplay::Shown.display(key)
}

/// Shows the bytes of a value or qualifier in the same way as a row key.
pub(crate) fn bytes(bytes: &[u8]) -> impl fmt::Display + '_ {
    RowKeyDisplay::Shown.display(bytes)
}

/// Returns the name of a column, as the shell writes it.
pub(crate) fn column(family: &[u8], qualifier: &[u8]) -> String {
    format!("{}:{}", shell(family), shell(qualifier))
}
