//! How bytes are shown.

use std::fmt;

use crate::key::show::shell;

/// A row key as the HBase shell shows it, cut after 64 bytes.
pub(crate) fn row_key(key: &[u8]) -> impl fmt::Display + '_ {
    Shown(key)
}

/// The bytes of a value or qualifier, shown in the same way.
pub(crate) fn bytes(bytes: &[u8]) -> impl fmt::Display + '_ {
    Shown(bytes)
}

/// A column, as the shell names it.
pub(crate) fn column(family: &[u8], qualifier: &[u8]) -> String {
    format!("{}:{}", shell(family), shell(qualifier))
}

struct Shown<'a>(&'a [u8]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX: usize = 64;
        let head = self.0.get(..MAX).unwrap_or(self.0);
        write!(f, "\"{}\"", shell(head))?;
        if self.0.len() > MAX {
            write!(f, "... ({} bytes)", self.0.len())?;
        }
        Ok(())
    }
}
