//! A law that does not hold.

use alloc::string::String;
use core::fmt;

/// A law that a row key breaks: which one, the keys it breaks at as fields, and their rows in the form
/// the HBase shell shows.
///
/// Its `Debug` form is the text itself, so that a test that returns it shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct Broken {
    law: &'static str,
    key: String,
    how: String,
}

impl Broken {
    pub(super) fn new(law: &'static str, key: &str, how: String) -> Self {
        Self { law, key: key.into(), how }
    }

    /// Returns the name of the law: that of its test.
    pub fn law(&self) -> &'static str {
        self.law
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} breaks the law {}: {}", self.key, self.law, self.how)
    }
}

impl fmt::Debug for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for Broken {}
