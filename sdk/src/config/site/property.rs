//! One property of a configuration file with its line, and which properties are secret.

use std::fmt;
use std::sync::Arc;

/// A property as it is written in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Property {
    pub(crate) name: String,
    /// The value as it is written, before its variables are replaced.
    pub(crate) value: String,
    /// Whether later properties of the same name cannot override this one.
    pub(crate) is_final: bool,
    pub(crate) place: FileLine,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileLine {
    pub(crate) file: Arc<str>,
    pub(crate) line: u32,
}

impl fmt::Display for FileLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Whether the values of properties and variables with this name must not be shown.
pub(crate) fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["password", "passwd", "passphrase", "secret", "token", "credential", "keypass", "storepass"]
        .iter()
        .any(|part| name.contains(part))
}
