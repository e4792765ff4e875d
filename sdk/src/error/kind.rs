/// What kind of failure an [`Error`](crate::Error) is, by what can be done about it.
///
/// ```
/// use tallrow::ErrorKind;
///
/// assert!(ErrorKind::Busy.is_safe_to_retry());
/// assert!(!ErrorKind::NotACounter.is_safe_to_retry(), "it would fail again");
/// assert!(!ErrorKind::OutcomeUnknown.is_safe_to_retry(), "it might be done twice");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The call itself is wrong: an empty row key, a bad name, a URL that does not parse. Nothing was sent.
    InvalidArgument,
    /// The table does not exist.
    TableNotFound,
    /// The namespace does not exist.
    NamespaceNotFound,
    /// The namespace exists already.
    NamespaceExists,
    /// The table exists already.
    TableExists,
    /// The table is enabled where the operation needs a disabled one, or disabled where it needs an enabled one.
    TableState,
    /// The live table does not match its definition.
    SchemaDrift,
    /// The table has no such family.
    NoSuchFamily,
    /// An increment met a cell that is not 8 bytes wide.
    NotACounter,
    /// The user does not have permission.
    PermissionDenied,
    /// The server rejected the call for another reason, and it must not be repeated.
    DoNotRetry,
    /// The server was overloaded, or a quota was exhausted, until the deadline; or so much was in flight in this client
    /// that the operation was never sent. Nothing was changed.
    Busy,
    /// The server failed until the deadline, with an exception that is not known to be temporary or final: an
    /// `IOException`, a `NullPointerException`. Nothing was changed.
    ServerError,
    /// No server could be reached: a name that does not resolve, a refused or broken connection.
    Unreachable,
    /// The deadline passed. Nothing the operation would change was changed, or it is safe to repeat.
    Timeout,
    /// A write was sent and its reply never arrived: it may or may not be on the server.
    OutcomeUnknown,
    /// Something answered, but not as HBase does.
    Protocol,
    /// The row was changed by someone else since it was read: its version is different. Nothing was changed.
    Conflict,
    /// Bytes in the table do not match the row type.
    Decode,
}

impl ErrorKind {
    /// Whether the call changed nothing and may succeed later, so that a program can repeat it. This is false for
    /// [`OutcomeUnknown`](Self::OutcomeUnknown): repeated, the change could be made twice.
    ///
    /// See [`ErrorKind`] for an example.
    pub fn is_safe_to_retry(self) -> bool {
        matches!(self, Self::Busy | Self::ServerError | Self::Unreachable | Self::Timeout)
    }
}
