//! The failure of a test: a property that a key does not have.

use alloc::string::String;
use core::fmt;

/// The test name in a [`Failure`] if the library cannot make keys for the tests.
pub(super) const NOT_TESTABLE: &str = "sampled";

/// A failed test of a row key: the name of the test, the fields of the keys on which it failed, and
/// the rows of these keys as the HBase shell prints them.
///
/// `Debug` prints the text of `Display`, so that the output of a test that returns the failure is
/// readable.
#[derive(Clone, PartialEq, Eq)]
pub struct Failure {
    test: &'static str,
    key: String,
    how: String,
}

impl Failure {
    pub(super) fn new(test: &'static str, key: &str, how: String) -> Self {
        Self { test, key: key.into(), how }
    }

    /// Returns the name of the test. Returns `sampled` if the key type cannot be tested, which is
    /// no error of the type: too few values were found for a field, or a field has a compatibility
    /// encoding.
    pub fn test(&self) -> &'static str {
        self.test
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.test {
            NOT_TESTABLE => write!(f, "{} cannot be tested: {}", self.key, self.how),
            test => write!(f, "{} fails the test {test}: {}", self.key, self.how),
        }
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for Failure {}
