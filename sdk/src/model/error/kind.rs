//! The kinds of errors. The kind says what a program can do about an error.

/// The kind of an [`Error`](crate::Error), by which a program can decide what to do.
///
/// ```
/// use tallrow::ErrorKind;
///
/// assert!(ErrorKind::Busy.is_safe_to_retry());
/// assert!(!ErrorKind::NotACounter.is_safe_to_retry(), "it would fail again");
/// assert!(!ErrorKind::OutcomeUnknown.is_safe_to_retry(), "it might be done twice");
/// ```
///
/// The client has retried whatever can be retried when it returns an error, so a program rarely
/// needs to retry. What a program can do depends on the kind:
///
/// | kinds | what happened to a write | what to do |
/// |---|---|---|
/// | [`InvalidArgument`](Self::InvalidArgument) | nothing was sent | correct the program |
/// | [`TableNotFound`](Self::TableNotFound), [`NamespaceNotFound`](Self::NamespaceNotFound), [`InstanceNotFound`](Self::InstanceNotFound), [`SnapshotNotFound`](Self::SnapshotNotFound), [`BackupNotFound`](Self::BackupNotFound), [`NoSuchFamily`](Self::NoSuchFamily) | nothing was changed | create what is missing, or correct the name |
/// | [`TableExists`](Self::TableExists), [`NamespaceExists`](Self::NamespaceExists), [`SnapshotExists`](Self::SnapshotExists), [`BackupExists`](Self::BackupExists), [`WrongTableState`](Self::WrongTableState) | nothing was changed | often nothing: another client was first |
/// | [`SchemaDrift`](Self::SchemaDrift) | nothing was sent | [`Admin::alter`](crate::Admin::alter), or correct the type |
/// | [`NotACounter`](Self::NotACounter), [`PermissionDenied`](Self::PermissionDenied), [`DoNotRetry`](Self::DoNotRetry) | nothing was changed | read the text: the server says why |
/// | [`Unsupported`](Self::Unsupported) | nothing was changed | a newer server, or another setting of it: the text names it |
/// | [`Busy`](Self::Busy), [`ServerError`](Self::ServerError), [`Unreachable`](Self::Unreachable), [`Timeout`](Self::Timeout) | nothing was changed, or it may be repeated | try again later |
/// | [`TooManyInFlight`](Self::TooManyInFlight), [`RetryBudgetSpent`](Self::RetryBudgetSpent) | nothing was changed, or it may be repeated | refuse work, or start less of it |
/// | [`OutcomeUnknown`](Self::OutcomeUnknown) | it may have been made | read the row, then decide |
/// | [`Conflict`](Self::Conflict) | nothing was changed | read the row again, and change it again |
/// | [`NotUnique`](Self::NotUnique) | nothing was changed | choose another value, or change the other row |
/// | [`IdsExhausted`](Self::IdsExhausted) | nothing was changed | an id of more bytes, in a new table |
/// | [`Inconsistent`](Self::Inconsistent) | nothing was changed | [`Lookup::fsck`](crate::lookup::Lookup::fsck), or restore the rows |
/// | [`Closed`](Self::Closed) | nothing was sent | nothing, the program ends; or connect again |
/// | [`Decode`](Self::Decode), [`Protocol`](Self::Protocol) | depends on the operation | compare the type with the table; report a defect |
///
/// ```
/// use tallrow::{Client, ErrorKind, FamilyDescriptor, Put, TableDescriptor};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// let log = TableDescriptor::new("log")?.family(FamilyDescriptor::new("l"));
/// let put = Put::new("r").cell("l", "q", "v");
/// match client.raw_table("log")?.put(put.clone()).await {
///     Ok(()) => unreachable!("there is no such table yet"),
///     Err(e) if e.kind() == ErrorKind::TableNotFound => {
///         client.admin().create_table_if_missing(&log).await?;
///         client.raw_table("log")?.put(put).await?;
///     }
///     Err(e) => return Err(e),
/// }
/// assert!(client.raw_table("log")?.exists("r").await?);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The call itself is wrong: an empty row key, a bad name, a URL that does not parse. Nothing
    /// was sent.
    ///
    /// This is also the kind for a value that a row key cannot encode, for a filter that HBase
    /// would reject or misread, and for a change that a [`RowHook`](crate::table::RowHook)
    /// rejected. For a row key, the source of the error is an
    /// [`EncodeError`](crate::key::EncodeError).
    InvalidArgument,
    /// The table does not exist (`TableNotFoundException`, or no region of it in `hbase:meta`).
    TableNotFound,
    /// The namespace does not exist (`NamespaceNotFoundException`).
    NamespaceNotFound,
    /// The Bigtable instance, its project, or the app profile does not exist; they are set in the
    /// address. Also the kind for a cluster of a backup that does not exist.
    InstanceNotFound,
    /// The namespace exists already (`NamespaceExistException`).
    NamespaceExists,
    /// The table exists already (`TableExistsException`).
    TableExists,
    /// The snapshot does not exist (`SnapshotDoesNotExistException`).
    SnapshotNotFound,
    /// There is a snapshot of this name already (`SnapshotExistsException`).
    SnapshotExists,
    /// The backup does not exist; it may have expired. Only Bigtable has backups.
    BackupNotFound,
    /// There is a backup of this name already.
    BackupExists,
    /// The table is enabled although the operation needs a disabled table, or disabled although the
    /// operation needs an enabled table (`TableNotDisabledException`, `TableNotEnabledException`).
    /// Reads and writes of a disabled table have this kind too.
    WrongTableState,
    /// The live table does not match its definition: an option, a family, or the layout of the row
    /// keys differs.
    ///
    /// The text lists every difference; [`Admin::diff`](crate::Admin::diff) returns them as values.
    SchemaDrift,
    /// The table has no such family (`NoSuchColumnFamilyException`). The text names the families
    /// that the table has.
    NoSuchFamily,
    /// An increment found a cell that is not 8 bytes wide (a `DoNotRetryIOException` with a text
    /// that says so).
    NotACounter,
    /// The user does not have permission (`AccessDeniedException`), or the server does not accept
    /// how the client authenticates (`BadAuthException`).
    PermissionDenied,
    /// The server rejected the call for another reason, and the call must not be repeated
    /// (`DoNotRetryIOException` and its subclasses, such as `RequestTooBigException`,
    /// `RowTooBigException`, `FailedSanityCheckException`).
    /// [`Error::exception`](crate::Error::exception) returns the class.
    DoNotRetry,
    /// The server does not support the operation: the server's version is too old, or a setting
    /// disables the operation. The text names the server's version and what is needed.
    Unsupported,
    /// Until the deadline, the server was overloaded, or a quota was exhausted, or too many bytes
    /// were in flight in this client, so that the operation was never sent. Nothing was changed
    /// (`RegionTooBusyException`, `CallQueueTooBigException`, `CallDroppedException`,
    /// `RpcThrottlingException`).
    Busy,
    /// Too many bytes were in flight in this client, and
    /// [`Config::wait_when_full`](crate::Config::wait_when_full) is off, so the operation failed
    /// instead of waiting. Nothing was sent.
    TooManyInFlight,
    /// The attempt failed, and the client's [`RetryBudget`](crate::RetryBudget) allowed no retry
    /// before the deadline of the operation. The operation changed nothing, or is safe to repeat.
    /// The source is the error of the attempt.
    RetryBudgetSpent,
    /// The server failed until the deadline. It is not known whether its exception is temporary or
    /// final: an `IOException`, a `NullPointerException`. Nothing was changed.
    ServerError,
    /// No server could be reached: a name that does not resolve, a refused or broken connection. If
    /// the connection broke after a write was sent, the kind is
    /// [`OutcomeUnknown`](Self::OutcomeUnknown) instead.
    Unreachable,
    /// The deadline passed. The operation changed nothing, or is safe to repeat.
    ///
    /// A server did not answer, or the region was on no server: `NotServingRegionException`,
    /// `RegionOpeningException`.
    Timeout,
    /// A write was sent, but no reply arrived: the write may or may not have been made.
    ///
    /// [`DeliveryGuarantee`](crate::DeliveryGuarantee) determines which writes this can happen to.
    /// The source of the error is the error with which the write failed.
    OutcomeUnknown,
    /// A response arrived that is not valid in HBase's protocol: it is from another service, from
    /// an unsupported version, or damaged.
    Protocol,
    /// The row was changed by another writer since it was read: its version in the table is
    /// different. Nothing was changed.
    ///
    /// This happens only for row types with a `row_version`: see
    /// [`TypedTable::save`](crate::TypedTable::save). Also the kind for a schema bundle of Bigtable
    /// that has another etag than when it was read.
    Conflict,
    /// Bytes in the table do not match the row type: a row key of another layout, a cell of another
    /// type, a required cell that is missing. The text names the row, the column and the bytes; for
    /// a row key the source is a [`DecodeError`](crate::key::DecodeError).
    Decode,
    /// A counter for ids has no more ids: it has already returned its last id.
    IdsExhausted,
    /// Rows contradict each other: a counter for ids is below an id that is in use, or a row key
    /// contains an id that has no name.
    Inconsistent,
    /// The writer or the client was closed. Nothing was sent.
    ///
    /// See [`Writer::close`](crate::writer::Writer::close).
    Closed,
    /// Another row has the same key in a unique index. Nothing was changed.
    ///
    /// See [`Index::unique`](crate::index::Index::unique).
    NotUnique,
}

impl ErrorKind {
    /// Whether a program can repeat the call: the call changed nothing or is safe to repeat, and it
    /// may succeed later. This is false for [`OutcomeUnknown`](Self::OutcomeUnknown): the change
    /// could be made twice if a program repeated it.
    ///
    /// See [`ErrorKind`] for an example.
    pub fn is_safe_to_retry(self) -> bool {
        matches!(
            self,
            Self::Busy
                | Self::TooManyInFlight
                | Self::RetryBudgetSpent
                | Self::ServerError
                | Self::Unreachable
                | Self::Timeout
        )
    }
}

/// What a server is overloaded with, if it refused a request that it could answer at another time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overload {
    /// Calls: the server's queue is full, or the server says in another way that it is overloaded.
    QueueFull,
    /// Writes to a region.
    RegionBusy,
    /// Requests of the user, to the table, or to the server: a quota is exhausted.
    Throttled,
}
