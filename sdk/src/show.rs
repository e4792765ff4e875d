//! How bytes are shown to people.

use std::fmt;

/// A row key as a byte string, cut after 64 bytes.
pub(crate) fn row_key(key: &[u8]) -> impl fmt::Display + '_ {
    Shown(key)
}

struct Shown<'a>(&'a [u8]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 64;
        let head = self.0.get(..MOST).unwrap_or(self.0);
        write!(f, "\"{}\"", head.escape_ascii())?;
        if self.0.len() > MOST {
            write!(f, "... ({} bytes)", self.0.len())?;
        }
        Ok(())
    }
}
