//! Errors of the client as statuses.

use tallrow::{Error, ErrorKind};
use tallrow_wire::bigtable::Status;

const OK: i32 = 0;
const CANCELLED: i32 = 1;
const UNKNOWN: i32 = 2;
const INVALID_ARGUMENT: i32 = 3;
const DEADLINE_EXCEEDED: i32 = 4;
const INTERNAL: i32 = 13;
const UNAVAILABLE: i32 = 14;

/// The codes by their names, in their order.
const NAMES: [&str; 17] = [
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
];

/// The status of what the client returned.
pub(crate) fn status<T>(result: &Result<T, Error>) -> Status {
    match result {
        Ok(_) => Status { code: OK, ..Default::default() },
        Err(error) => of(error),
    }
}

/// The status of an error, with its whole text.
pub(crate) fn of(error: &Error) -> Status {
    Status { code: code(error), message: texts(error), ..Default::default() }
}

/// The service's own code if it said one, or else that of the kind of error.
fn code(error: &Error) -> i32 {
    let named = error.exception().and_then(|name| NAMES.iter().position(|known| *known == name));
    if let Some(code) = named.and_then(|code| i32::try_from(code).ok()) {
        return code;
    }
    match error.kind() {
        ErrorKind::OutcomeUnknown => cause(error).map_or(UNKNOWN, code),
        ErrorKind::Timeout => DEADLINE_EXCEEDED,
        ErrorKind::Closed => CANCELLED,
        ErrorKind::Unreachable => UNAVAILABLE,
        ErrorKind::InvalidArgument => INVALID_ARGUMENT,
        // So says gRPC of an answer that cannot be read.
        ErrorKind::Protocol => INTERNAL,
        _ => UNKNOWN,
    }
}

/// The error of the client that led to this one.
fn cause(error: &Error) -> Option<&Error> {
    std::error::Error::source(error)?.downcast_ref()
}

fn texts(error: &Error) -> String {
    let mut text = error.to_string();
    let mut next = std::error::Error::source(error);
    while let Some(source) = next {
        text.push_str(": ");
        text.push_str(&source.to_string());
        next = source.source();
    }
    text
}
