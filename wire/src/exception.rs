//! Exceptions in response headers and messages, and the names of their classes.

use bytes::Bytes;

use crate::proto::{
    ExceptionResponse, ForeignExceptionMessage, GenericExceptionMessage, NameBytesPair,
};

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident = $class:literal;)*) => {
        $($(#[$doc])* #[doc = concat!("`", $class, "`")] pub const $name: &str = $class;)*
    };
}

classes! {
    ACCESS_DENIED = "org.apache.hadoop.hbase.security.AccessDeniedException";
    BAD_AUTH = "org.apache.hadoop.hbase.ipc.BadAuthException";
    CALL_DROPPED = "org.apache.hadoop.hbase.CallDroppedException";
    CALL_QUEUE_TOO_BIG = "org.apache.hadoop.hbase.CallQueueTooBigException";
    CONSTRAINT = "org.apache.hadoop.hbase.constraint.ConstraintException";
    DO_NOT_RETRY = "org.apache.hadoop.hbase.DoNotRetryIOException";
    DO_NOT_RETRY_REGION = "org.apache.hadoop.hbase.client.DoNotRetryRegionException";
    FAILED_SANITY_CHECK = "org.apache.hadoop.hbase.exceptions.FailedSanityCheckException";
    FATAL_CONNECTION = "org.apache.hadoop.hbase.ipc.FatalConnectionException";
    HBASE_IO = "org.apache.hadoop.hbase.HBaseIOException";
    ILLEGAL_ARGUMENT = "org.apache.hadoop.hbase.exceptions.IllegalArgumentIOException";
    INVALID_FAMILY_OPERATION = "org.apache.hadoop.hbase.InvalidFamilyOperationException";
    INVALID_PROTOBUF = "org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException";
    IO = "java.io.IOException";
    LEASE = "org.apache.hadoop.hbase.regionserver.LeaseException";
    MASTER_NOT_RUNNING = "org.apache.hadoop.hbase.MasterNotRunningException";
    MASTER_STOPPED = "org.apache.hadoop.hbase.exceptions.MasterStoppedException";
    MERGE_REGION = "org.apache.hadoop.hbase.exceptions.MergeRegionException";
    MULTI_ACTION_RESULT_TOO_LARGE = "org.apache.hadoop.hbase.MultiActionResultTooLarge";
    NAMESPACE_EXIST = "org.apache.hadoop.hbase.NamespaceExistException";
    NAMESPACE_NOT_FOUND = "org.apache.hadoop.hbase.NamespaceNotFoundException";
    NO_CELL_CODEC = "org.apache.hadoop.hbase.ipc.CellScannerButNoCodecException";
    NO_SUCH_COLUMN_FAMILY = "org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException";
    NOT_SERVING_REGION = "org.apache.hadoop.hbase.NotServingRegionException";
    OUT_OF_ORDER_SCANNER_NEXT = "org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException";
    PLEASE_HOLD = "org.apache.hadoop.hbase.PleaseHoldException";
    REGION_MOVED = "org.apache.hadoop.hbase.exceptions.RegionMovedException";
    REGION_OPENING = "org.apache.hadoop.hbase.exceptions.RegionOpeningException";
    REGION_SERVER_ABORTED = "org.apache.hadoop.hbase.regionserver.RegionServerAbortedException";
    REGION_SERVER_STOPPED = "org.apache.hadoop.hbase.regionserver.RegionServerStoppedException";
    REGION_TOO_BUSY = "org.apache.hadoop.hbase.RegionTooBusyException";
    REQUEST_TOO_BIG = "org.apache.hadoop.hbase.exceptions.RequestTooBigException";
    RETRY_IMMEDIATELY = "org.apache.hadoop.hbase.RetryImmediatelyException";
    ROW_TOO_BIG = "org.apache.hadoop.hbase.client.RowTooBigException";
    RPC_THROTTLING = "org.apache.hadoop.hbase.quotas.RpcThrottlingException";
    SCANNER_RESET = "org.apache.hadoop.hbase.exceptions.ScannerResetException";
    SECURITY_NOT_ENABLED = "org.apache.hadoop.hbase.ipc.SecurityNotEnabledException";
    REPLICATION_PEER_NOT_FOUND = "org.apache.hadoop.hbase.ReplicationPeerNotFoundException";
    SERVER_NOT_RUNNING_YET = "org.apache.hadoop.hbase.ipc.ServerNotRunningYetException";
    SNAPSHOT_CREATION = "org.apache.hadoop.hbase.snapshot.SnapshotCreationException";
    SNAPSHOT_DOES_NOT_EXIST = "org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException";
    SNAPSHOT_EXISTS = "org.apache.hadoop.hbase.snapshot.SnapshotExistsException";
    SNAPSHOT_TTL_EXPIRED = "org.apache.hadoop.hbase.snapshot.SnapshotTTLExpiredException";
    TABLE_EXISTS = "org.apache.hadoop.hbase.TableExistsException";
    TABLE_NOT_DISABLED = "org.apache.hadoop.hbase.TableNotDisabledException";
    TABLE_NOT_ENABLED = "org.apache.hadoop.hbase.TableNotEnabledException";
    TABLE_NOT_FOUND = "org.apache.hadoop.hbase.TableNotFoundException";
    UNINITIALIZED_MESSAGE = "org.apache.hbase.thirdparty.com.google.protobuf.UninitializedMessageException";
    UNKNOWN_PROTOCOL = "org.apache.hadoop.hbase.exceptions.UnknownProtocolException";
    UNKNOWN_REGION = "org.apache.hadoop.hbase.UnknownRegionException";
    UNKNOWN_SNAPSHOT = "org.apache.hadoop.hbase.snapshot.UnknownSnapshotException";
    UNKNOWN_SCANNER = "org.apache.hadoop.hbase.UnknownScannerException";
    VISIBILITY_NOT_READY = "org.apache.hadoop.hbase.security.visibility.VisibilityControllerNotReadyException";
    WRONG_REGION = "org.apache.hadoop.hbase.regionserver.WrongRegionException";
    WRONG_ROW = "org.apache.hadoop.hbase.client.WrongRowIOException";
    WRONG_VERSION = "org.apache.hadoop.hbase.ipc.WrongVersionException";
}

/// The class name of `org.apache.hadoop.hbase.filter.BinaryComparator`, the comparator of a plain
/// condition.
pub const BINARY_COMPARATOR_CLASS: &str = "org.apache.hadoop.hbase.filter.BinaryComparator";

/// The class name of `org.apache.hadoop.hbase.filter.NullComparator`, which means "absent" in a
/// condition.
pub const NULL_COMPARATOR_CLASS: &str = "org.apache.hadoop.hbase.filter.NullComparator";

/// An exception that a server threw.
///
/// ```
/// use tallrow_wire::exception::{RemoteException, TABLE_NOT_FOUND};
///
/// let exception = RemoteException::new(TABLE_NOT_FOUND, "t1");
/// assert_eq!(exception.simple_name(), "TableNotFoundException");
/// assert_eq!(RemoteException::from_pair(&exception.to_pair()), exception);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteException {
    /// The Java class, fully qualified.
    pub class: String,
    /// The message, without the name of the class and the stack trace.
    pub message: String,
    /// Whether the response header forbids a retry. False for an exception within a batch, which
    /// has no such field.
    pub do_not_retry: bool,
    /// Whether the server rejected the call because it is overloaded.
    pub server_overloaded: bool,
    /// The host and port of the server that has the region now, if the response header has them.
    pub moved_to: Option<(String, u16)>,
}

impl RemoteException {
    /// Makes an exception with this class and this message.
    ///
    /// See [`RemoteException`] for an example.
    pub fn new(class: &str, message: impl Into<String>) -> Self {
        Self {
            class: class.to_owned(),
            message: message.into(),
            do_not_retry: false,
            server_overloaded: false,
            moved_to: None,
        }
    }

    /// The class without its package.
    ///
    /// See [`RemoteException`] for an example.
    pub fn simple_name(&self) -> &str {
        self.class.rsplit('.').next().unwrap_or(&self.class)
    }

    /// Decodes the exception of a response header.
    ///
    /// ```
    /// use tallrow_wire::exception::RemoteException;
    /// use tallrow_wire::proto::ExceptionResponse;
    ///
    /// let response = ExceptionResponse {
    ///     exception_class_name: Some("java.io.IOException".into()),
    ///     stack_trace: Some("java.io.IOException: two\nlines\n\tat a.B.c(B.java:1)\n".into()),
    ///     ..Default::default()
    /// };
    /// assert_eq!(RemoteException::from_response(&response).message, "two\nlines");
    /// ```
    pub fn from_response(response: &ExceptionResponse) -> Self {
        let class = response.exception_class_name.clone().unwrap_or_default();
        let message = message_of(&class, response.stack_trace.as_deref().unwrap_or_default());
        let host = response.hostname.clone().filter(|h| !h.is_empty());
        let moved_to = host.zip(response.port.and_then(|p| u16::try_from(p).ok()));
        Self {
            class,
            message,
            do_not_retry: response.do_not_retry.unwrap_or(false),
            server_overloaded: response.server_overloaded.unwrap_or(false),
            moved_to,
        }
    }

    /// Returns the exception in the form of a response header.
    ///
    /// See [`crate::frame::encode_exception`] for an example.
    pub fn to_response(&self) -> ExceptionResponse {
        let (hostname, port) = self.moved_to.clone().unzip();
        ExceptionResponse {
            exception_class_name: Some(self.class.clone()),
            stack_trace: Some(self.stack_trace()),
            hostname,
            port: port.map(i32::from),
            do_not_retry: Some(self.do_not_retry),
            server_overloaded: self.server_overloaded.then_some(true),
        }
    }

    /// Decodes the exception of one action or one region of a batch.
    ///
    /// See [`RemoteException`] for an example.
    pub fn from_pair(pair: &NameBytesPair) -> Self {
        let stack = String::from_utf8_lossy(pair.value.as_deref().unwrap_or_default());
        Self::new(&pair.name, message_of(&pair.name, &stack))
    }

    /// Returns the exception in the form in which a batch contains it, for one action or one
    /// region.
    ///
    /// See [`RemoteException`] for an example.
    pub fn to_pair(&self) -> NameBytesPair {
        NameBytesPair { name: self.class.clone(), value: Some(Bytes::from(self.stack_trace())) }
    }

    /// Decodes the exception of a failed procedure.
    ///
    /// ```
    /// use tallrow_wire::exception::{RemoteException, TABLE_NOT_DISABLED};
    ///
    /// let exception = RemoteException::new(TABLE_NOT_DISABLED, "tableName=t, state=ENABLED");
    /// assert_eq!(RemoteException::from_foreign(&exception.to_foreign()), exception);
    /// ```
    pub fn from_foreign(message: &ForeignExceptionMessage) -> Self {
        let generic = message.generic_exception.as_ref();
        let class = generic.and_then(|g| g.class_name.as_deref()).unwrap_or(IO);
        Self::new(class, generic.and_then(|g| g.message.clone()).unwrap_or_default())
    }

    /// Returns the exception in the form in which the result of a failed procedure contains it.
    ///
    /// See [`RemoteException::from_foreign`] for an example.
    pub fn to_foreign(&self) -> ForeignExceptionMessage {
        ForeignExceptionMessage {
            source: None,
            generic_exception: Some(GenericExceptionMessage {
                class_name: Some(self.class.clone()),
                message: Some(self.message.clone()),
                error_info: None,
                trace: Vec::new(),
            }),
        }
    }

    fn stack_trace(&self) -> String {
        if self.message.is_empty() {
            self.class.clone()
        } else {
            format!("{}: {}", self.class, self.message)
        }
    }
}

/// Returns the message of a Java stack trace, which starts with `class: message`. The message may
/// have several lines; the lines of the stack start with a tab.
fn message_of(class: &str, stack: &str) -> String {
    let head = stack.split("\n\tat ").next().unwrap_or_default();
    let head = head.strip_prefix(class).unwrap_or(head);
    head.strip_prefix(": ").unwrap_or(head).trim_end().to_owned()
}
