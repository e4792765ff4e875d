//! The statuses of failed calls: gRPC's codes, and the errors of this service.

use std::time::Duration;

use bytes::Bytes;
use prost::Message;
use tallrow_wire::bigtable::{self, Any, RetryInfo, Status};

/// The result of a call: a value, or the status with which the call fails.
pub(crate) type StatusResult<T> = Result<T, Status>;

/// The codes of gRPC, `google.rpc.Code`, for
/// [`CallFaultBuilder::fail`](crate::CallFaultBuilder::fail).
///
/// ```
/// use tallrow_mock::StatusCode;
///
/// assert_eq!(StatusCode::Unavailable as i32, 14);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
#[expect(missing_docs, reason = "the names say it")]
pub enum StatusCode {
    Cancelled = 1,
    Unknown = 2,
    InvalidArgument = 3,
    DeadlineExceeded = 4,
    NotFound = 5,
    AlreadyExists = 6,
    PermissionDenied = 7,
    ResourceExhausted = 8,
    FailedPrecondition = 9,
    Aborted = 10,
    OutOfRange = 11,
    Unimplemented = 12,
    Internal = 13,
    Unavailable = 14,
    DataLoss = 15,
    Unauthenticated = 16,
}

impl StatusCode {
    /// The codes with the names that gRPC gives them.
    pub(crate) const NAMES: [(&'static str, Self); 16] = [
        ("CANCELLED", Self::Cancelled),
        ("UNKNOWN", Self::Unknown),
        ("INVALID_ARGUMENT", Self::InvalidArgument),
        ("DEADLINE_EXCEEDED", Self::DeadlineExceeded),
        ("NOT_FOUND", Self::NotFound),
        ("ALREADY_EXISTS", Self::AlreadyExists),
        ("PERMISSION_DENIED", Self::PermissionDenied),
        ("RESOURCE_EXHAUSTED", Self::ResourceExhausted),
        ("FAILED_PRECONDITION", Self::FailedPrecondition),
        ("ABORTED", Self::Aborted),
        ("OUT_OF_RANGE", Self::OutOfRange),
        ("UNIMPLEMENTED", Self::Unimplemented),
        ("INTERNAL", Self::Internal),
        ("UNAVAILABLE", Self::Unavailable),
        ("DATA_LOSS", Self::DataLoss),
        ("UNAUTHENTICATED", Self::Unauthenticated),
    ];

    /// Returns the name of the code with this number.
    pub(crate) fn name_of(number: i32) -> &'static str {
        let named = Self::NAMES.iter().find(|(_, code)| *code as i32 == number);
        named.map_or("UNKNOWN", |(name, _)| name)
    }

    /// Makes a status with this code.
    pub(crate) fn status(self, message: impl Into<String>) -> Status {
        Status { code: self as i32, message: message.into(), details: Vec::new() }
    }
}

/// Makes the status for a request that can never succeed.
pub(super) fn invalid(message: impl Into<String>) -> Status {
    StatusCode::InvalidArgument.status(message)
}

/// Makes the status for something that does not exist.
pub(super) fn not_found(message: impl Into<String>) -> Status {
    StatusCode::NotFound.status(message)
}

/// Makes the status detail that says when a call may be retried.
pub(crate) fn retry_info(delay: Duration) -> Any {
    let delay = bigtable::Duration {
        seconds: i64::try_from(delay.as_secs()).unwrap_or(i64::MAX),
        nanos: delay.subsec_nanos().cast_signed(),
    };
    let info = RetryInfo { retry_delay: Some(delay) };
    Any { type_url: RetryInfo::TYPE_URL.to_owned(), value: Bytes::from(info.encode_to_vec()) }
}

/// Reads when a call may be retried, if a status detail says it.
#[cfg(feature = "control")]
pub(crate) fn retry_delay(detail: &Any) -> Option<Duration> {
    let delay = RetryInfo::decode(&detail.value[..]).ok()?.retry_delay?;
    Some(Duration::new(u64::try_from(delay.seconds).ok()?, u32::try_from(delay.nanos).ok()?))
}
