/// What kind of failure an [`Error`](crate::Error) is, told apart by what can be done about it.
///
/// ```
/// use tallrow::ErrorKind;
///
/// assert!(ErrorKind::Busy.is_transient());
/// assert!(!ErrorKind::NotACounter.is_transient());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The call itself is wrong: an empty row key, a bad name, a URL that does not parse. Nothing was sent.
    InvalidArgument,
    /// The table does not exist.
    TableNotFound,
    /// The table exists already, or is enabled or disabled where the operation needs the opposite.
    TableState,
    /// The live table is not as its definition says.
    SchemaDrift,
    /// The table has no such family.
    NoSuchFamily,
    /// An increment met a cell that is not 8 bytes wide.
    NotACounter,
    /// The server says this user may not do that.
    PermissionDenied,
    /// The server refused for another reason and says that trying again is of no use.
    Refused,
    /// The server had too much to do, or a quota ran out, until the deadline.
    Busy,
    /// No server could be reached: a name that does not resolve, a refused or broken connection.
    Unreachable,
    /// The deadline passed. Nothing the operation would change was changed, or it is safe to repeat.
    Timeout,
    /// A write was sent and its answer never came: it may or may not be on the server.
    OutcomeUnknown,
    /// Something answered, but not as HBase does.
    Protocol,
    /// Somebody else changed the row since it was read: its version is another one. Nothing was changed.
    Conflict,
    /// Bytes in the table are not what the row type says.
    Decode,
}

impl ErrorKind {
    /// Whether the same call may succeed a while later.
    ///
    /// See [`ErrorKind`] for an example.
    pub fn is_transient(self) -> bool {
        matches!(self, Self::Busy | Self::Unreachable | Self::Timeout | Self::OutcomeUnknown)
    }
}
