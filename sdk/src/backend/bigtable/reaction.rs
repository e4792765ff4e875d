//! What to do after a failed call.
//!
//! # Invariants
//!
//! - A change that failed may have been made, unless the call was not sent, or the code of the
//!   answer says what was refused. Tests:
//!   `a_change_may_have_happened_unless_the_server_says_that_it_did_not`.

use tonic::Code;

use super::failure::{CallProgress, Failure};
use crate::backend::attempts::Wait;
use crate::{Error, ErrorKind};

/// What to do after a failed call.
pub(super) enum Reaction {
    /// Give up with this error.
    Fail(Error),
    /// Try again after this pause, if the operation may be sent again; give up with this error
    /// otherwise.
    Again(Error, Wait),
}

/// Parts of the texts with which the service or the emulator says that it has reset a stream
/// itself.
const RESETS: [&str; 4] =
    ["rst_stream", "rst stream", "received unexpected eos on data frame", "http/2 error code"];

impl Failure {
    /// Whether a change may have been made although the call failed.
    pub(super) fn may_have_happened(&self) -> bool {
        match self.reached {
            CallProgress::NotSent => false,
            CallProgress::Unanswered => true,
            CallProgress::Answered => {
                matches!(
                    self.code,
                    Code::Cancelled
                        | Code::DataLoss
                        | Code::DeadlineExceeded
                        | Code::Internal
                        | Code::Unavailable
                        | Code::Unknown
                ) && self.kind() == ErrorKind::ServerError
                    || matches!(
                        self.code,
                        // These codes say that the service gave up, and none of the service's
                        // documents promises that it gave up before the change was made. All codes
                        // that are not listed say what was refused.
                        Code::Aborted
                            | Code::ResourceExhausted
                            | Code::DeadlineExceeded
                            | Code::Unavailable
                    )
            }
        }
    }

    /// Decides whether the call may be tried again after this failure: only temporary failures
    /// allow another attempt.
    pub(super) fn reaction(&self, server: &str) -> Reaction {
        let error = self.error(server);
        if let Some(delay) = self.retry_delay {
            return Reaction::Again(error, Wait::Exactly(delay));
        }
        match self.code {
            Code::Unauthenticated if self.token_refused_once => {
                Reaction::Again(error, Wait::NotExecuted)
            }
            Code::Unavailable if self.disconnected => Reaction::Again(error, Wait::Reconnect),
            Code::Unavailable if self.reached == CallProgress::NotSent => {
                Reaction::Again(error, Wait::NotExecuted)
            }
            Code::Unavailable | Code::Aborted | Code::DeadlineExceeded => {
                Reaction::Again(error, Wait::Backoff)
            }
            Code::Internal if self.is_reset() => Reaction::Again(error, Wait::Backoff),
            // The query is prepared again before the next attempt.
            Code::FailedPrecondition if self.plan_expired => Reaction::Again(error, Wait::Backoff),
            // The query was accepted before, so that such an answer is about the service.
            _ if self.of_plan_refresh && self.kind() == ErrorKind::ServerError => {
                Reaction::Again(error, Wait::Backoff)
            }
            _ => Reaction::Fail(error),
        }
    }

    fn is_reset(&self) -> bool {
        let message = self.message.to_ascii_lowercase();
        RESETS.iter().any(|text| message.contains(text))
    }
}

/// Converts the error of a change that may have been made to an error that says that the outcome is
/// unknown.
pub(super) fn into_outcome_unknown(cause: Error) -> Error {
    let text = match cause.exception() {
        Some(code) => format!(
            "it was answered with {code}, which does not say whether it was done; it may or may not have been"
        ),
        None => "it was sent and not answered; it may or may not have been done".to_owned(),
    };
    cause.into_unknown(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(code: Code, message: &str) -> Failure {
        Failure::new(code, message, CallProgress::Answered)
    }

    #[test]
    fn a_change_may_have_happened_unless_the_server_says_that_it_did_not() {
        assert!(!Failure::not_sent("refused").may_have_happened());
        assert!(Failure::timed_out(std::time::Duration::ZERO).may_have_happened());
        for code in [
            Code::Aborted,
            Code::DeadlineExceeded,
            Code::Internal,
            Code::ResourceExhausted,
            Code::Unavailable,
            Code::Unknown,
        ] {
            assert!(answered(code, "").may_have_happened(), "{code:?}");
        }
        for code in [Code::NotFound, Code::InvalidArgument, Code::FailedPrecondition] {
            assert!(!answered(code, "").may_have_happened(), "{code:?}");
        }
        assert!(!answered(Code::Unknown, "unknown family \"x\"").may_have_happened());
    }

    #[test]
    fn a_query_is_prepared_again_if_that_may_help() {
        let expired = Failure { plan_expired: true, ..answered(Code::FailedPrecondition, "old") };
        assert!(matches!(expired.reaction("s"), Reaction::Again(_, Wait::Backoff)));
        let other = answered(Code::FailedPrecondition, "old");
        assert!(matches!(other.reaction("s"), Reaction::Fail(_)));
        let refresh = |code| Failure { of_plan_refresh: true, ..answered(code, "") };
        assert!(matches!(refresh(Code::Internal).reaction("s"), Reaction::Again(..)));
        assert!(matches!(refresh(Code::InvalidArgument).reaction("s"), Reaction::Fail(_)));
        assert!(matches!(answered(Code::Internal, "").reaction("s"), Reaction::Fail(_)));
    }

    #[test]
    fn a_stream_that_was_reset_is_tried_again() {
        let reset = answered(Code::Internal, "stream terminated by RST_STREAM with error code: 2");
        assert!(matches!(reset.reaction("s"), Reaction::Again(_, Wait::Backoff)));
        let other = answered(Code::Internal, "row corrupt");
        assert!(matches!(other.reaction("s"), Reaction::Fail(_)));
    }
}
