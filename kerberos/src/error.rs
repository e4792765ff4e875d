//! The errors of this crate.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error that says what was tried, what was found, and what can be done about it. Its text never
/// contains a key, a password or a ticket.
#[derive(Clone, Debug)]
pub struct Error {
    kind: ErrorKind,
    text: String,
    code: Option<i32>,
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// `krb5.conf` cannot be read, or lacks a setting that is needed.
    Config,
    /// There is no ticket cache or keytab, or none for this principal.
    NoCredentials,
    /// The ticket has expired, or is not yet valid.
    Expired,
    /// No KDC of the realm replied.
    Unreachable,
    /// The KDC does not know the principal that logs in.
    UnknownPrincipal,
    /// The KDC does not know the service for which a ticket was requested.
    UnknownService,
    /// The key or the password is not that of the principal.
    WrongKey,
    /// The clocks of this machine and of the other side differ too much.
    ClockSkew,
    /// The KDC or the service refused the request for another reason: see [`Error::code`].
    Refused,
    /// Data that was received or read does not have the required form, or is not what was
    /// requested.
    Malformed,
    /// Something that this crate does not support.
    Unsupported,
    /// The operating system reported an error.
    Io,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), code: None, source: None }
    }

    pub(crate) fn malformed(text: String) -> Self {
        Self::new(ErrorKind::Malformed, text)
    }

    pub(crate) fn integrity(enctype: impl fmt::Display) -> Self {
        Self::malformed(format!(
            "a text that {enctype} has encrypted was changed, or is of another key or another use"
        ))
    }

    pub(crate) fn io(what: &str, error: std::io::Error) -> Self {
        let text = format!("{what}: {error}");
        Self { source: Some(Arc::new(error)), ..Self::new(ErrorKind::Io, text) }
    }

    pub(crate) fn file(kind: ErrorKind, what: &str, path: &Path, error: std::io::Error) -> Self {
        let text = format!("{what} {} cannot be read: {error}", path.display());
        Self { source: Some(Arc::new(error)), ..Self::new(kind, text) }
    }

    pub(crate) fn with_code(mut self, code: i32) -> Self {
        self.code = Some(code);
        self
    }

    /// Adds what was tried, before the text of the error.
    pub(crate) fn with_context(mut self, what: impl fmt::Display) -> Self {
        self.text = format!("{what}: {}", self.text);
        self
    }

    /// The kind of the error.
    ///
    /// ```
    /// use tallrow_kerberos::{ErrorKind, Principal};
    ///
    /// let error = "alice@".parse::<Principal>().unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Malformed);
    /// ```
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The code of the error with which a KDC or a service replied (RFC 4120, section 7.5.9).
    ///
    /// ```
    /// use tallrow_kerberos::Principal;
    ///
    /// let error = "alice@".parse::<Principal>().unwrap_err();
    /// assert_eq!(error.code(), None);
    /// ```
    pub fn code(&self) -> Option<i32> {
        self.code
    }
}

/// The maximum number of characters that an error shows of a text from outside.
const SHOWN: usize = 300;

/// Returns a text from outside as an error shows it: its beginning, without control characters. The
/// text may be from anybody on the network.
pub(crate) fn excerpt(text: &[u8]) -> String {
    // A character has at most four bytes.
    let start = text.get(..4 * SHOWN).unwrap_or(text);
    let text = String::from_utf8_lossy(start);
    text.chars().filter(|character| !character.is_control()).take(SHOWN).collect()
}

/// Returns the beginning of bytes that are not text, with escapes.
pub(crate) fn escaped_excerpt(bytes: &[u8]) -> String {
    bytes.get(..SHOWN).unwrap_or(bytes).escape_ascii().to_string()
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
