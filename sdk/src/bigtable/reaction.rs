//! What a failed call means: the only place where codes of the service are looked at.

use tonic::Code;

use super::failure::{Failure, Reached};
use crate::attempts::Wait;
use crate::{Error, ErrorKind};

/// What to do after a failed call.
pub(super) enum Reaction {
    /// Give up with this error.
    Fail(Error),
    /// Try again after a pause, if it may be sent again.
    Again(Error, Wait),
}

/// What the service or the emulator says of a stream that it reset itself.
const RESETS: [&str; 4] =
    ["rst_stream", "rst stream", "received unexpected eos on data frame", "http/2 error code"];

impl Failure {
    /// Whether a change may have been made although the call failed.
    pub(super) fn may_have_happened(&self) -> bool {
        match self.reached {
            Reached::Nothing => false,
            Reached::Server => true,
            Reached::Answer => {
                matches!(
                    self.code,
                    Code::Cancelled
                        | Code::DataLoss
                        | Code::DeadlineExceeded
                        | Code::Internal
                        | Code::Unavailable
                        | Code::Unknown
                ) && self.kind() == ErrorKind::ServerError
                    || matches!(self.code, Code::DeadlineExceeded | Code::Unavailable)
            }
        }
    }

    /// The error of this failure, and whether it is temporary.
    pub(super) fn reaction(&self, server: &str) -> Reaction {
        let error = self.error(server);
        if let Some(delay) = self.retry_delay {
            return Reaction::Again(error, Wait::Exactly(delay));
        }
        match self.code {
            Code::Unauthenticated if self.renewable => Reaction::Again(error, Wait::NothingRan),
            Code::Unavailable if self.reached == Reached::Nothing => {
                Reaction::Again(error, Wait::NothingRan)
            }
            Code::Unavailable | Code::Aborted | Code::DeadlineExceeded => {
                Reaction::Again(error, Wait::Backoff)
            }
            Code::Internal if self.is_reset() => Reaction::Again(error, Wait::Backoff),
            _ => Reaction::Fail(error),
        }
    }

    fn is_reset(&self) -> bool {
        let message = self.message.to_ascii_lowercase();
        RESETS.iter().any(|text| message.contains(text))
    }

    fn kind(&self) -> ErrorKind {
        if self.reached != Reached::Answer {
            return match self.code {
                Code::DeadlineExceeded => ErrorKind::Timeout,
                Code::Cancelled => ErrorKind::Closed,
                Code::Internal => ErrorKind::Protocol,
                Code::Unauthenticated => ErrorKind::PermissionDenied,
                _ => ErrorKind::Unreachable,
            };
        }
        let says = |text: &str| self.message.contains(text);
        match self.code {
            // Emulators answer with other codes than the service.
            Code::Unknown
            | Code::Internal
            | Code::NotFound
            | Code::InvalidArgument
            | Code::FailedPrecondition
                if says("unknown family") || says("olumn family") =>
            {
                ErrorKind::NoSuchFamily
            }
            Code::Unknown | Code::FailedPrecondition | Code::InvalidArgument
                if says("64-bit") || says("64 bit") || says("8 bytes") =>
            {
                ErrorKind::NotACounter
            }
            Code::NotFound => ErrorKind::TableNotFound,
            Code::AlreadyExists => ErrorKind::TableExists,
            Code::PermissionDenied | Code::Unauthenticated => ErrorKind::PermissionDenied,
            Code::Unimplemented => ErrorKind::Unsupported,
            Code::DeadlineExceeded => ErrorKind::Timeout,
            Code::ResourceExhausted | Code::Aborted => ErrorKind::Busy,
            Code::InvalidArgument | Code::FailedPrecondition | Code::OutOfRange => {
                ErrorKind::DoNotRetry
            }
            _ => ErrorKind::ServerError,
        }
    }

    fn error(&self, server: &str) -> Error {
        let kind = self.kind();
        let text = match kind {
            ErrorKind::TableNotFound => {
                // No server has it, so none is named.
                let error = Error::new(kind, "the table does not exist; create it first");
                return error.with_exception(self.code_name()).caused_by(self.to_string());
            }
            ErrorKind::NotACounter => {
                format!("the cell is not a counter, which is 8 bytes wide ({self})")
            }
            ErrorKind::PermissionDenied if self.reached == Reached::Answer => {
                format!("{self}; check the credentials, and what they may do in this instance")
            }
            _ => self.to_string(),
        };
        let error = Error::new(kind, text).on_server(server);
        match self.reached {
            Reached::Answer => error.with_exception(self.code_name()),
            _ => error,
        }
    }
}

/// The error of a change that may have been made.
pub(super) fn unknown(cause: Error) -> Error {
    cause.into_unknown("it was sent and not answered; it may or may not have been done")
}

/// The error of an answer that is not valid.
pub(super) fn torn(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    let error = error.into();
    let text = format!("the answer is not as Bigtable's are: {error}");
    Error::new(ErrorKind::Protocol, text).caused_by(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(code: Code, message: &str) -> Failure {
        Failure::local(code, message, Reached::Answer)
    }

    #[test]
    fn what_emulators_say_is_the_same_as_what_the_service_says() {
        let kind = |code, text| answered(code, text).kind();
        for code in [Code::Unknown, Code::Internal, Code::NotFound] {
            assert_eq!(kind(code, "unknown family \"x\""), ErrorKind::NoSuchFamily);
        }
        assert_eq!(kind(Code::NotFound, "table \"t\" not found"), ErrorKind::TableNotFound);
        let counter = "increment on non-64-bit value";
        assert_eq!(kind(Code::FailedPrecondition, counter), ErrorKind::NotACounter);
        assert_eq!(kind(Code::Unknown, counter), ErrorKind::NotACounter);
        assert_eq!(kind(Code::InvalidArgument, "too large"), ErrorKind::DoNotRetry);
    }

    #[test]
    fn a_change_may_have_happened_unless_the_server_says_that_it_did_not() {
        assert!(!Failure::not_sent("refused").may_have_happened());
        assert!(Failure::timed_out(std::time::Duration::ZERO).may_have_happened());
        for code in [Code::Unavailable, Code::DeadlineExceeded, Code::Internal, Code::Unknown] {
            assert!(answered(code, "").may_have_happened(), "{code:?}");
        }
        for code in [Code::NotFound, Code::InvalidArgument, Code::Aborted] {
            assert!(!answered(code, "").may_have_happened(), "{code:?}");
        }
        assert!(!answered(Code::Unknown, "unknown family \"x\"").may_have_happened());
    }

    #[test]
    fn a_stream_that_was_reset_is_tried_again() {
        let reset = answered(Code::Internal, "stream terminated by RST_STREAM with error code: 2");
        assert!(matches!(reset.reaction("s"), Reaction::Again(_, Wait::Backoff)));
        let other = answered(Code::Internal, "row corrupt");
        assert!(matches!(other.reaction("s"), Reaction::Fail(_)));
    }
}
