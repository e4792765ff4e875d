//! The password of a file with certificates or keys, which `Debug` does not show.

use std::fmt;
use std::sync::Arc;

/// The password of a file, which is never shown.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Password(Arc<str>);

impl Password {
    pub(super) fn new(text: &str) -> Self {
        Self(text.into())
    }

    #[cfg(feature = "java-keystores")]
    pub(super) fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}
