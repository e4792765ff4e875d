//! The failure of a call: why the call has no result.

use crate::backend::core::CLOSED;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use prost::Message;
use tonic::{Code, Status};

use crate::wire::bigtable::{PreconditionFailure, RetryInfo, Status as Details};

/// How far a call got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallProgress {
    /// The server has not begun to work on the call.
    NotSent,
    /// The call was sent, and there is no valid answer.
    Unanswered,
    /// The server has answered.
    Answered,
}

/// A call that failed.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) reached: CallProgress,
    /// The pause that the service demands before the next attempt.
    pub(crate) retry_delay: Option<Duration>,
    /// Whether the whole connection was lost.
    pub(crate) disconnected: bool,
    /// Whether the service has refused the access token, and the next attempt is going to use
    /// another token.
    pub(crate) token_refused_once: bool,
    /// Whether the service has refused a prepared query because it has expired.
    pub(crate) plan_expired: bool,
    /// Whether a query that had expired could not be prepared again.
    pub(crate) of_plan_refresh: bool,
    /// Where the reading of a change stream was to begin, if the call was to read one.
    pub(crate) changes_from: Option<ChangesFrom>,
    /// Whether the call was an addition, which the service recognizes by a token.
    pub(crate) has_token: bool,
}

/// Where the reading of a change stream begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangesFrom {
    Now,
    Time,
    Position,
}

/// The type of the violation with which the service refuses a prepared query that has expired.
const PLAN_EXPIRED: &str = "PREPARED_QUERY_EXPIRED";

impl Failure {
    /// The failure of a call for which there was no connection, or whose connection broke before
    /// the call was sent.
    pub(crate) fn not_sent(message: impl Into<String>) -> Self {
        Self::new(Code::Unavailable, message, CallProgress::NotSent)
    }

    /// The failure of a call that is not sent because the client was closed.
    pub(crate) fn closed() -> Self {
        Self::new(Code::Cancelled, CLOSED, CallProgress::NotSent)
    }

    /// The failure of a call that was sent and not answered in time.
    pub(crate) fn timed_out(within: Duration) -> Self {
        let text = format!("there was no answer within {:.1} s", within.as_secs_f64());
        Self::new(Code::DeadlineExceeded, text, CallProgress::Unanswered)
    }

    /// The failure of a call whose answer has begun and does not end.
    pub(crate) fn unfinished(after: Duration) -> Self {
        let text = format!("the answer had not ended after {:.1} s", after.as_secs_f64());
        Self::new(Code::DeadlineExceeded, text, CallProgress::Unanswered)
    }

    /// Whether the call was sent and not answered in time.
    pub(crate) fn is_timeout(&self) -> bool {
        self.code == Code::DeadlineExceeded && self.reached == CallProgress::Unanswered
    }

    pub(crate) fn new(code: Code, message: impl Into<String>, reached: CallProgress) -> Self {
        Self {
            code,
            message: message.into(),
            reached,
            retry_delay: None,
            disconnected: false,
            token_refused_once: false,
            plan_expired: false,
            of_plan_refresh: false,
            changes_from: None,
            has_token: false,
        }
    }

    /// Converts the status of one entry of a batch to a failure.
    pub(crate) fn of_entry(status: &Details) -> Self {
        Self {
            code: Code::from_i32(status.code),
            message: status.message.clone(),
            reached: CallProgress::Answered,
            retry_delay: retry_delay(status),
            disconnected: false,
            token_refused_once: false,
            plan_expired: false,
            of_plan_refresh: false,
            changes_from: None,
            has_token: false,
        }
    }

    /// The name of the code, as Google writes it.
    pub(crate) fn code_name(&self) -> &'static str {
        match self.code {
            Code::Ok => "OK",
            Code::Cancelled => "CANCELLED",
            Code::Unknown => "UNKNOWN",
            Code::InvalidArgument => "INVALID_ARGUMENT",
            Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
            Code::NotFound => "NOT_FOUND",
            Code::AlreadyExists => "ALREADY_EXISTS",
            Code::PermissionDenied => "PERMISSION_DENIED",
            Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
            Code::FailedPrecondition => "FAILED_PRECONDITION",
            Code::Aborted => "ABORTED",
            Code::OutOfRange => "OUT_OF_RANGE",
            Code::Unimplemented => "UNIMPLEMENTED",
            Code::Internal => "INTERNAL",
            Code::Unavailable => "UNAVAILABLE",
            Code::DataLoss => "DATA_LOSS",
            Code::Unauthenticated => "UNAUTHENTICATED",
        }
    }
}

impl From<&Status> for Failure {
    fn from(status: &Status) -> Self {
        let source = std::error::Error::source(status);
        let broken = source.and_then(|source| source.downcast_ref::<Broken>());
        let details = Details::decode(status.details()).unwrap_or_default();
        Self {
            code: status.code(),
            message: status.message().to_owned(),
            reached: broken.map_or(CallProgress::Answered, |broken| broken.reached),
            retry_delay: retry_delay(&details),
            disconnected: broken.is_some_and(|broken| broken.disconnected),
            token_refused_once: false,
            plan_expired: status.code() == Code::FailedPrecondition && has_expired_plan(&details),
            of_plan_refresh: false,
            changes_from: None,
            has_token: false,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reached {
            CallProgress::Answered => write!(f, "{}: {}", self.code_name(), self.message),
            _ => f.write_str(&self.message),
        }
    }
}

/// What a connection reports about a call that it could not complete.
#[derive(Debug)]
struct Broken {
    reached: CallProgress,
    /// Whether the whole connection broke, and not only one stream.
    disconnected: bool,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.reached {
            CallProgress::NotSent => "it was not sent",
            _ => "it was sent and not answered",
        })
    }
}

impl std::error::Error for Broken {}

/// Returns the status of a call whose stream broke.
pub(super) fn status_of_h2_error(error: &h2::Error, reached: CallProgress) -> Status {
    // The server has not processed the call if it refused the stream, or if it is ending the
    // connection and the stream is later than the last stream that it accepted.
    let refused = error.is_remote()
        && (error.reason() == Some(h2::Reason::REFUSED_STREAM)
            || (error.is_go_away() && error.reason() == Some(h2::Reason::NO_ERROR)));
    let reached = if refused { CallProgress::NotSent } else { reached };
    let text = format!("the connection broke: {error}");
    because_of(reached, !error.is_reset(), Status::unavailable(text))
}

/// Returns the status of a call that could not be completed; `text` says why.
pub(super) fn incomplete_call_status(text: String, reached: CallProgress) -> Status {
    because_of(reached, false, Status::unavailable(text))
}

/// Returns the status of a call whose answer cannot be read.
pub(super) fn unreadable_answer_status(text: impl Into<String>) -> Status {
    because_of(CallProgress::Unanswered, false, Status::internal(text))
}

fn because_of(reached: CallProgress, disconnected: bool, mut status: Status) -> Status {
    status.set_source(Arc::new(Broken { reached, disconnected }));
    status
}

/// Whether the details of a status say that a prepared query has expired.
fn has_expired_plan(status: &Details) -> bool {
    let mut failures =
        status.details.iter().filter(|any| any.type_url == PreconditionFailure::TYPE_URL);
    failures.any(|any| {
        let failure = PreconditionFailure::decode(any.value.clone()).unwrap_or_default();
        failure.violations.iter().any(|violation| violation.r#type == PLAN_EXPIRED)
    })
}

fn retry_delay(status: &Details) -> Option<Duration> {
    let info = status.details.iter().find(|any| any.type_url == RetryInfo::TYPE_URL)?;
    let delay = RetryInfo::decode(info.value.clone()).ok()?.retry_delay?;
    let seconds = u64::try_from(delay.seconds).ok()?;
    Some(Duration::new(seconds, u32::try_from(delay.nanos).ok()?))
}
