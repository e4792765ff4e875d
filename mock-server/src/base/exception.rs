//! The exceptions that servers throw. The class of an exception decides whether a client may retry.
//! The texts of exceptions show bytes as HBase shows them.

use tallrow_wire::exception::{self, RemoteException};

/// The result of a server's method: a value, or the exception that the server throws.
pub(crate) type RemoteResult<T> = Result<T, RemoteException>;

/// The classes that extend `DoNotRetryIOException`.
const DO_NOT_RETRY: [&str; 32] = [
    exception::ACCESS_DENIED,
    exception::BAD_AUTH,
    exception::CONSTRAINT,
    exception::DO_NOT_RETRY,
    exception::DO_NOT_RETRY_REGION,
    exception::FAILED_SANITY_CHECK,
    exception::FATAL_CONNECTION,
    exception::INVALID_FAMILY_OPERATION,
    exception::LEASE,
    exception::MASTER_STOPPED,
    exception::MERGE_REGION,
    exception::NAMESPACE_EXIST,
    exception::NAMESPACE_NOT_FOUND,
    exception::NO_SUCH_COLUMN_FAMILY,
    exception::OUT_OF_ORDER_SCANNER_NEXT,
    exception::REPLICATION_PEER_NOT_FOUND,
    exception::REQUEST_TOO_BIG,
    exception::ROW_TOO_BIG,
    exception::SCANNER_RESET,
    exception::SNAPSHOT_CREATION,
    exception::SNAPSHOT_DOES_NOT_EXIST,
    exception::SNAPSHOT_EXISTS,
    exception::SNAPSHOT_TTL_EXPIRED,
    exception::TABLE_EXISTS,
    exception::TABLE_NOT_DISABLED,
    exception::TABLE_NOT_ENABLED,
    exception::TABLE_NOT_FOUND,
    exception::UNKNOWN_PROTOCOL,
    exception::UNKNOWN_REGION,
    exception::UNKNOWN_SCANNER,
    exception::UNKNOWN_SNAPSHOT,
    exception::WRONG_VERSION,
];

/// Makes an exception of this class, with the flags that the class implies.
pub(crate) fn remote_exception(class: &str, message: impl Into<String>) -> RemoteException {
    let mut exception = RemoteException::new(class, message);
    exception.do_not_retry = DO_NOT_RETRY.contains(&class);
    exception.server_overloaded =
        matches!(class, exception::CALL_QUEUE_TOO_BIG | exception::CALL_DROPPED);
    exception
}

/// Formats bytes in the notation of HBase's `Bytes.toStringBinary`.
pub(crate) fn to_string_binary(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for byte in bytes {
        match byte {
            b'\\' => out.push_str("\\x5C"),
            b' '..=b'~' => out.push(char::from(*byte)),
            other => out.push_str(&format!("\\x{other:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_follow_from_the_class() {
        assert!(remote_exception(exception::TABLE_EXISTS, "t").do_not_retry);
        assert!(!remote_exception(exception::NOT_SERVING_REGION, "r").do_not_retry);
        assert!(remote_exception(exception::CALL_QUEUE_TOO_BIG, "").server_overloaded);
    }

    #[test]
    fn bytes_are_shown_as_the_server_shows_them() {
        assert_eq!(to_string_binary(b"a,\x00\xffz"), "a,\\x00\\xFFz");
    }
}
