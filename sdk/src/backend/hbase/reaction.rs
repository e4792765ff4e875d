//! How a call reacts to each class of exceptions: the only place where that is decided.
//!
//! # Invariants
//!
//! - Every class of HBase's exceptions has a reaction, and is treated as a lost reply unless it is
//!   thrown only before a change. Tests: `every_exception_of_hbase_has_a_reaction`,
//!   `an_unknown_class_is_tried_again_unless_the_header_forbids_it`,
//!   `tests/suites/faults/writes.rs::an_increment_that_failed_on_the_server_may_have_been_applied`.

use std::sync::LazyLock;
use std::time::Duration;

use rustc_hash::FxHashSet;

use super::explanation;
use crate::model::error::Overload;
use crate::wire::exception::{self as class, RemoteException};
use crate::{Error, ErrorKind};

/// What to do after an exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reaction {
    /// Give up.
    Fail(ErrorKind),
    /// Try the same region again, after the pause for overloaded servers: the region or its server
    /// is overloaded.
    Overloaded,
    /// Try the same region again, after the normal pause: the server failed, and may have executed
    /// the call.
    MaybeExecuted,
    /// Try the same region again at once, without counting the attempt.
    AtOnce,
    /// Try the same region again, after the pause that the server requested.
    Wait(Duration),
    /// Forget where the region is, and look it up.
    Relocate,
    /// The region moved to this server.
    Moved { host: String, port: u16, start_code: u64, sequence: u64 },
    /// Forget all regions on this server, and look up the region of the call.
    ServerGone,
    /// Open another scanner after the last row; a call that is not a scan gives up.
    Reopen(LostScanner),
}

/// The state of a scanner that cannot be continued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LostScanner {
    /// A call was out of order: the scanner is still open.
    Open,
    /// The scanner was closed.
    Closed,
    /// The lease of the scanner has ended. The server may also have removed the versions of cells
    /// that the scanner saw.
    Expired,
}

/// Returns the reaction to an exception.
pub(crate) fn reaction_to(exception: &RemoteException) -> Reaction {
    match exception.class.as_str() {
        class::REGION_MOVED => moved(exception),
        class::NOT_SERVING_REGION
        | class::REGION_OPENING
        | class::SERVER_NOT_RUNNING_YET
        | class::WRONG_REGION => Reaction::Relocate,
        class::REGION_SERVER_STOPPED | class::REGION_SERVER_ABORTED => Reaction::ServerGone,
        // The master that answered is not the active one any more; the next attempt asks the
        // registry.
        class::MASTER_STOPPED | class::MASTER_NOT_RUNNING | class::PLEASE_HOLD => {
            Reaction::Relocate
        }
        class::RETRY_IMMEDIATELY | class::MULTI_ACTION_RESULT_TOO_LARGE => Reaction::AtOnce,
        class::REGION_TOO_BUSY | class::CALL_QUEUE_TOO_BIG | class::CALL_DROPPED => {
            Reaction::Overloaded
        }
        class::RPC_THROTTLING => Reaction::Wait(throttled_for(&exception.message)),
        class::OUT_OF_ORDER_SCANNER_NEXT => Reaction::Reopen(LostScanner::Open),
        class::SCANNER_RESET | class::LEASE => Reaction::Reopen(LostScanner::Closed),
        class::UNKNOWN_SCANNER => Reaction::Reopen(LostScanner::Expired),
        class::TABLE_NOT_FOUND => Reaction::Fail(ErrorKind::TableNotFound),
        class::NAMESPACE_NOT_FOUND => Reaction::Fail(ErrorKind::NamespaceNotFound),
        class::NAMESPACE_EXIST => Reaction::Fail(ErrorKind::NamespaceExists),
        class::SNAPSHOT_DOES_NOT_EXIST => Reaction::Fail(ErrorKind::SnapshotNotFound),
        class::SNAPSHOT_EXISTS => Reaction::Fail(ErrorKind::SnapshotExists),
        class::TABLE_EXISTS => Reaction::Fail(ErrorKind::TableExists),
        class::TABLE_NOT_ENABLED | class::TABLE_NOT_DISABLED => {
            Reaction::Fail(ErrorKind::WrongTableState)
        }
        class::NO_SUCH_COLUMN_FAMILY => Reaction::Fail(ErrorKind::NoSuchFamily),
        class::ACCESS_DENIED | class::BAD_AUTH => Reaction::Fail(ErrorKind::PermissionDenied),
        class::FATAL_CONNECTION | class::WRONG_VERSION => Reaction::Fail(ErrorKind::Protocol),
        class::DO_NOT_RETRY if is_not_a_counter(&exception.message) => {
            Reaction::Fail(ErrorKind::NotACounter)
        }
        // A region server that is closing its log reports that only in the message.
        class::IO if exception.message.contains("Cannot append; log is closed") => {
            Reaction::Relocate
        }
        class::IO if is_of_arguments(&exception.message) => Reaction::Fail(ErrorKind::DoNotRetry),
        // These exceptions report a wrong request, although they are plain `IOException`s.
        class::WRONG_ROW | class::ILLEGAL_ARGUMENT | class::NO_CELL_CODEC => {
            Reaction::Fail(ErrorKind::DoNotRetry)
        }
        // The answer to an operation of a batch contains only the class of the exception, and not
        // the flag that forbids another attempt.
        other if is_final(other) || exception.do_not_retry => Reaction::Fail(ErrorKind::DoNotRetry),
        _ => Reaction::MaybeExecuted,
    }
}

/// Whether a change may have been made although the server threw this exception. False only for
/// exceptions that are known to be thrown before a change. An `IOException` may be thrown by the
/// log, after the change was written to the log.
pub(crate) fn may_have_happened(exception: &RemoteException) -> bool {
    reaction_to(exception) == Reaction::MaybeExecuted
}

/// Returns the error of an operation that gives up because of this exception.
pub(crate) fn error(kind: ErrorKind, exception: &RemoteException) -> Error {
    let error = Error::new(kind, explanation::of(kind, exception))
        .with_exception(&exception.class)
        .with_overload(overload(exception));
    if exception.message.is_empty() { error } else { error.caused_by(exception.message.clone()) }
}

/// Returns the kind of overload, if a server refused a call because of overload, and could execute
/// the call at another time.
pub(crate) fn overload(exception: &RemoteException) -> Option<Overload> {
    match exception.class.as_str() {
        class::CALL_QUEUE_TOO_BIG | class::CALL_DROPPED => Some(Overload::QueueFull),
        class::REGION_TOO_BUSY => Some(Overload::RegionBusy),
        class::RPC_THROTTLING => Some(Overload::Throttled),
        _ if exception.server_overloaded => Some(Overload::QueueFull),
        _ => None,
    }
}

/// A reason why the master refuses a request. These are the reasons that change the error of the
/// operation, or how the operation continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The master does not have the requested method, because it runs an older version of HBase.
    UnknownMethod,
    /// The region is already in the requested state, or in a state that forbids the change.
    WrongRegionState,
    /// Quotas are switched off.
    QuotasDisabled,
    /// No `AccessController` is loaded.
    NoAccessControl,
}

/// Returns the reason why the master refused a request with this error, if it is one of the reasons
/// in `Refusal`.
pub(crate) fn refusal(error: &Error) -> Option<Refusal> {
    let class = error.exception()?;
    let says = |text: &str| error.message().contains(text);
    match class {
        class::DO_NOT_RETRY if says("is unable to read call parameter") => {
            Some(Refusal::UnknownMethod)
        }
        class::DO_NOT_RETRY_REGION => Some(Refusal::WrongRegionState),
        _ if says("quota support disabled") => Some(Refusal::QuotasDisabled),
        _ if says("AccessController is not loaded") => Some(Refusal::NoAccessControl),
        _ => None,
    }
}

/// The exception classes in HBase's jars, each after `final` if it is a `DoNotRetryIOException`, or
/// else after `plain`.
const EXCEPTIONS: &str = include_str!("exceptions.txt");

/// Whether a class is a `DoNotRetryIOException`.
fn is_final(class: &str) -> bool {
    // A set, because a batch may have an exception for each of its operations.
    static FINAL: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
        let finals = EXCEPTIONS.lines().filter_map(|line| line.strip_prefix("final "));
        finals.filter_map(|line| line.split(" //").next()).collect()
    });
    FINAL.contains(class)
}

/// Whether this is the text of an `IOException` that wraps an exception about wrong arguments: a
/// server wraps every exception that its handlers do not declare (`RpcServer.call`). The same
/// arguments would be wrong in the next attempt too.
fn is_of_arguments(message: &str) -> bool {
    [
        "org.apache.hadoop.hbase.filter.IncompatibleFilterException",
        "java.lang.IllegalArgumentException",
        "java.lang.NumberFormatException",
        "java.lang.UnsupportedOperationException",
    ]
    .iter()
    .any(|class| message.starts_with(class))
}

fn is_not_a_counter(message: &str) -> bool {
    message.contains("Field is not a long") || message.contains("isn't 64 bits wide")
}

/// Parses `Region moved to: hostname=H port=P startCode=S. As of locationSeqNum=N.`
fn moved(exception: &RemoteException) -> Reaction {
    let field = |name: &str| {
        let after = exception.message.split_once(name)?.1;
        let end = after.find([' ', ',']).unwrap_or(after.len());
        after.get(..end).map(|v| v.trim_end_matches('.'))
    };
    let from_text = || Some((field("hostname=")?.to_owned(), field("port=")?.parse().ok()?));
    let server = exception.moved_to.clone().or_else(from_text);
    let start_code = field("startCode=").and_then(|v| v.parse().ok());
    let sequence = field("locationSeqNum=").and_then(|v| v.parse().ok());
    match (server, start_code, sequence) {
        (Some((host, port)), Some(start_code), Some(sequence)) => {
            Reaction::Moved { host, port, start_code, sequence }
        }
        _ => Reaction::Relocate,
    }
}

/// Returns the pause in a text like `number of requests exceeded - wait 1hr, 2mins, 3sec, 4ms`, in
/// which any of the units may be missing.
fn throttled_for(message: &str) -> Duration {
    let Some((_, wait)) = message.rsplit_once("wait ") else { return Duration::from_secs(1) };
    let mut total = Duration::ZERO;
    for part in wait.split([',', ' ']).filter(|p| !p.is_empty()) {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let (Some(Ok(n)), unit) =
            (part.get(..digits).map(str::parse::<u32>), part.get(digits..).unwrap_or_default())
        else {
            break;
        };
        total += match unit {
            "ms" => Duration::from_millis(1),
            "sec" | "secs" => Duration::from_secs(1),
            "min" | "mins" => Duration::from_secs(60),
            "hr" | "hrs" => Duration::from_secs(3600),
            _ => break,
        } * n;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moved_region_is_read_from_the_text_when_the_header_has_no_host() {
        let text = "Region moved to: hostname=rs2 port=16020 startCode=17. As of locationSeqNum=5.";
        assert_eq!(
            reaction_to(&RemoteException::new(class::REGION_MOVED, text)),
            Reaction::Moved { host: "rs2".into(), port: 16020, start_code: 17, sequence: 5 }
        );
        let nonsense = RemoteException::new(class::REGION_MOVED, "somewhere");
        assert_eq!(reaction_to(&nonsense), Reaction::Relocate);
    }

    #[test]
    fn a_throttled_call_waits_as_long_as_the_server_requests() {
        let wait = |text: &str| reaction_to(&RemoteException::new(class::RPC_THROTTLING, text));
        let text = "number of requests exceeded - wait 1mins, 3sec, 4ms";
        assert_eq!(wait(text), Reaction::Wait(Duration::from_millis(63_004)));
        assert_eq!(
            wait("write size limit exceeded - wait 250ms"),
            Reaction::Wait(Duration::from_millis(250))
        );
        assert_eq!(wait("no hint"), Reaction::Wait(Duration::from_secs(1)));
    }

    #[test]
    fn an_unknown_class_is_tried_again_unless_the_header_forbids_it() {
        let mut exception = RemoteException::new("com.example.Odd", "text");
        assert_eq!(reaction_to(&exception), Reaction::MaybeExecuted);
        assert!(may_have_happened(&exception));
        exception.do_not_retry = true;
        assert_eq!(reaction_to(&exception), Reaction::Fail(ErrorKind::DoNotRetry));
    }

    /// The window of calls and the error contain the same kind of overload.
    #[test]
    fn a_server_that_marks_any_exception_as_overload_holds_operations_back() {
        let mut exception = RemoteException::new("com.example.Odd", "text");
        assert_eq!(error(ErrorKind::ServerError, &exception).overload(), None);
        exception.server_overloaded = true;
        assert_eq!(overload(&exception), Some(Overload::QueueFull));
        let error = error(ErrorKind::ServerError, &exception);
        assert_eq!(error.overload(), Some(Overload::QueueFull));
    }

    #[test]
    fn scanner_exceptions_reopen_although_their_header_says_do_not_retry() {
        let mut exception = RemoteException::new(class::UNKNOWN_SCANNER, "");
        exception.do_not_retry = true;
        assert_eq!(reaction_to(&exception), Reaction::Reopen(LostScanner::Expired));
    }

    /// Returns the reaction to an exception after which the client continues, although the class is
    /// a `DoNotRetryIOException`; `None` for all other classes.
    fn goes_on(class: &str) -> Option<Reaction> {
        match class {
            class::OUT_OF_ORDER_SCANNER_NEXT => Some(Reaction::Reopen(LostScanner::Open)),
            class::SCANNER_RESET | class::LEASE => Some(Reaction::Reopen(LostScanner::Closed)),
            class::UNKNOWN_SCANNER => Some(Reaction::Reopen(LostScanner::Expired)),
            class::MASTER_STOPPED => Some(Reaction::Relocate),
            _ => None,
        }
    }

    /// The exceptions whose cause may be temporary, as far as is known: the operation is tried
    /// again.
    const MAY_PASS: &[&str] = &[
        "ClockOutOfSyncException",
        "DroppedSnapshotException",
        "FailedCloseWALAfterInitializedErrorException",
        "HBaseIOException",
        "HBaseServerException",
        "PleaseRestartMasterException",
        "RegionException",
        "ServiceNotRunningException",
        "TableInfoMissingException",
        "YouAreDeadException",
        "ZooKeeperConnectionException",
        "backup.FailedArchiveException",
        "client.LockTimeoutException",
        "client.RegionOfflineException",
        "client.RetriesExhaustedException",
        "client.RetriesExhaustedWithDetailsException",
        "codec.CodecException",
        "errorhandling.ForeignException",
        "exceptions.ConnectionClosedException",
        "exceptions.ConnectionClosingException",
        "exceptions.MasterRegistryFetchException",
        "exceptions.TimeoutIOException",
        "exceptions.UnexpectedStateException",
        "io.hfile.InvalidHFileException",
        "io.hfile.bucket.BucketAllocatorException",
        "io.hfile.bucket.CacheFullException",
        "ipc.CallCancelledException",
        "ipc.CallTimeoutException",
        "ipc.CallerDisconnectedException",
        "ipc.DecommissionedHostRejectedException",
        "ipc.FailedServerException",
        "ipc.FallbackDisallowedException",
        "ipc.SecurityNotEnabledException",
        "master.NoSuchProcedureException",
        "master.procedure.ServerCrashException",
        "procedure2.BadProcedureException",
        "procedure2.FailedRemoteDispatchException",
        "procedure2.NoNodeDispatchException",
        "procedure2.NoServerDispatchException",
        "procedure2.NullTargetServerDispatchException",
        "procedure2.store.wal.CorruptedWALProcedureStoreException",
        "procedure2.store.wal.ProcedureWALFormat$InvalidWALDataException",
        "quotas.FileArchiverNotifierImpl$QuotaSnapshotSizeSerializationException",
        "regionserver.LeaseManager$LeaseStillHeldException",
        "regionserver.RSRpcServices$1",
        "regionserver.RegionServerRunningException",
        "regionserver.SplitWALCallable$ErrorWALSplitException",
        "regionserver.SplitWALCallable$PreemptedWALSplitException",
        "regionserver.SplitWALCallable$ResignedWALSplitException",
        "regionserver.wal.DamagedWALException",
        "regionserver.wal.FailedLogCloseException",
        "regionserver.wal.FailedSyncBeforeLogCloseException",
        "regionserver.wal.WALSyncTimeoutIOException",
        "security.visibility.VisibilityControllerNotReadyException",
        "snapshot.TablePartiallyOpenException",
        "util.FileSystemVersionException",
        "util.LeaseNotRecoveredException",
    ];

    /// `wire/tests/exceptions/make` reads HBase's jars again.
    #[test]
    fn every_exception_of_hbase_has_a_reaction() {
        let lines = EXCEPTIONS.lines().filter(|line| !line.starts_with('#'));
        let mut seen = 0;
        for line in lines {
            let (kind, class) = line.split_once(' ').unwrap();
            let class = class.split(" //").next().unwrap();
            // As in the answer to a batch, which does not contain the flag of a response header.
            let reaction = reaction_to(&RemoteException::new(class, ""));
            let short = class.strip_prefix("org.apache.hadoop.hbase.").unwrap();
            match (kind, goes_on(class)) {
                ("final", Some(expected)) => assert_eq!(reaction, expected, "{class}"),
                ("final", None) => assert!(matches!(reaction, Reaction::Fail(_)), "{class}"),
                _ => assert_eq!(
                    reaction == Reaction::MaybeExecuted,
                    MAY_PASS.contains(&short),
                    "{class} is new or has another reaction, {reaction:?}: decide whether it may pass"
                ),
            }
            seen += 1;
        }
        assert!(seen > 100, "the list of exceptions is broken");
    }

    #[test]
    fn what_is_wrong_with_a_request_is_not_tried_again() {
        let text = "org.apache.hadoop.hbase.filter.IncompatibleFilterException: Cannot set batch on a scan";
        let reaction = reaction_to(&RemoteException::new(class::IO, text));
        assert_eq!(reaction, Reaction::Fail(ErrorKind::DoNotRetry));
        assert_eq!(
            reaction_to(&RemoteException::new(class::IO, "disk full")),
            Reaction::MaybeExecuted
        );
    }
}
