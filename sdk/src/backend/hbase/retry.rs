//! What a failed call means: whether to try again, and which locations to forget.

use std::sync::Arc;

use bytes::Bytes;

use super::reaction::{self, Reaction};
use super::region::LocateError;
use super::rpc::CallError;
pub(crate) use crate::backend::attempts::{Attempts, Wait};
use crate::backend::core::CLOSED;
use crate::{Error, ErrorKind};

/// What a failed call means for the next attempt.
pub(crate) enum RetryDecision {
    /// Give up with this error.
    Fail(Error),
    /// Try again. The fields are the reason, the pause before the next attempt, and the locations
    /// to forget.
    Again(Error, Wait, CacheInvalidation),
}

/// What a failed call reports about the location of regions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CacheInvalidation {
    Nothing,
    Region,
    Server,
    Moved { host: String, port: u16, start_code: u64, sequence: u64 },
}

/// Returns the answer of an attempt, or `None` after a pause if another attempt is to be made;
/// fails with the error with which the operation ends. The cache must already have forgotten the
/// locations that the attempt has shown to be wrong.
///
/// The loop over the attempts is in the callers: if an `async` closure made the attempt here, its
/// future could not be required to be `Send`, and callers could not be spawned.
pub(crate) async fn answer_or_pause<T>(
    attempt: Result<T, RetryDecision>,
    attempts: &mut Attempts,
) -> Result<Option<T>, Error> {
    match attempt {
        Ok(answer) => Ok(Some(answer)),
        Err(RetryDecision::Fail(error)) => Err(error),
        Err(RetryDecision::Again(error, wait, _)) => {
            attempts.wait_for_retry(error, wait).await.map(|()| None)
        }
    }
}

impl From<Error> for RetryDecision {
    fn from(error: Error) -> Self {
        Self::Fail(error)
    }
}

impl RetryDecision {
    /// Adds the region of the call to the error.
    pub(crate) fn in_region(self, region: &Bytes) -> Self {
        match self {
            Self::Fail(error) => Self::Fail(error.in_region(region)),
            Self::Again(error, wait, stale) => Self::Again(error.in_region(region), wait, stale),
        }
    }
}

/// Classifies a failed call. An exception about a scanner is final here; scans handle it
/// themselves.
pub(crate) fn classify(error: CallError, server: &str) -> RetryDecision {
    let on_server = |e: Error| e.on_server(server);
    let text = error.to_string();
    let again =
        |kind, wait, stale| RetryDecision::Again(on_server(Error::new(kind, &*text)), wait, stale);
    match error {
        CallError::Exception(exception) => {
            let with = |kind| on_server(reaction::error(kind, &exception));
            match reaction::reaction_to(&exception) {
                Reaction::Fail(kind) => RetryDecision::Fail(with(kind)),
                Reaction::Reopen(_) => RetryDecision::Fail(with(ErrorKind::DoNotRetry)),
                Reaction::Overloaded => RetryDecision::Again(
                    with(ErrorKind::Busy),
                    Wait::Overloaded,
                    CacheInvalidation::Nothing,
                ),
                Reaction::MaybeExecuted => RetryDecision::Again(
                    with(ErrorKind::ServerError),
                    Wait::Backoff,
                    CacheInvalidation::Nothing,
                ),
                Reaction::AtOnce => RetryDecision::Again(
                    with(ErrorKind::Busy),
                    Wait::AtOnce,
                    CacheInvalidation::Nothing,
                ),
                Reaction::Wait(pause) => RetryDecision::Again(
                    with(ErrorKind::Busy),
                    Wait::Exactly(pause),
                    CacheInvalidation::Nothing,
                ),
                Reaction::Relocate => RetryDecision::Again(
                    with(ErrorKind::Timeout),
                    Wait::RegionMoved,
                    CacheInvalidation::Region,
                ),
                Reaction::ServerGone => RetryDecision::Again(
                    with(ErrorKind::Timeout),
                    Wait::RegionMoved,
                    CacheInvalidation::Server,
                ),
                Reaction::Moved { host, port, start_code, sequence } => RetryDecision::Again(
                    with(ErrorKind::Timeout),
                    Wait::RegionMoved,
                    CacheInvalidation::Moved { host, port, start_code, sequence },
                ),
            }
        }
        CallError::Unreachable { .. } | CallError::MetaNotOpen { .. } => {
            again(ErrorKind::Unreachable, Wait::NotExecuted, CacheInvalidation::Server)
        }
        CallError::Broken { .. } => {
            again(ErrorKind::Unreachable, Wait::Reconnect, CacheInvalidation::Server)
        }
        CallError::Full => {
            RetryDecision::Fail(on_server(Error::new(ErrorKind::TooManyInFlight, text)))
        }
        CallError::Unauthenticated { why } => {
            RetryDecision::Fail(on_server(Error::new(ErrorKind::PermissionDenied, why)))
        }
        CallError::TimedOut { sent: true, .. } => {
            again(ErrorKind::Timeout, Wait::AtOnce, CacheInvalidation::Region)
        }
        CallError::TimedOut { sent: false, .. } => {
            again(ErrorKind::Busy, Wait::AtOnce, CacheInvalidation::Nothing)
        }
        CallError::Protocol(e) => RetryDecision::Fail(on_server(Error::protocol(e))),
        CallError::Closed => RetryDecision::Fail(Error::new(ErrorKind::Closed, CLOSED)),
    }
}

/// Classifies a failed lookup: returns the reason for another attempt and the pause before it, or
/// fails with the final error.
pub(crate) fn classify_lookup(error: LocateError) -> Result<(Error, Wait), Error> {
    match error {
        LocateError::NoSuchTable => {
            Err(Error::new(ErrorKind::TableNotFound, "the table does not exist; create it first"))
        }
        LocateError::Disabled => {
            Err(Error::new(ErrorKind::WrongTableState, "the table is disabled; enable it first"))
        }
        LocateError::NotNow { server, why } => {
            Ok((Error::new(ErrorKind::Timeout, why).on_server(server), Wait::NotExecuted))
        }
        LocateError::Call { server, error } => {
            let (error, wait) =
                classify_read_only_call("hbase:meta could not be read", &server, error)?;
            // One call serves all operations that wait for the region, so it may be made again
            // soon.
            let wait = match wait {
                Wait::Backoff | Wait::RegionMoved => Wait::NotExecuted,
                wait => wait,
            };
            Ok((error, wait))
        }
    }
}

/// Classifies a failed call that changes nothing on the server: returns the reason for another
/// attempt and the pause before it, or fails with the final error.
pub(crate) fn classify_read_only_call(
    what_failed: &str,
    server: &Arc<str>,
    error: CallError,
) -> Result<(Error, Wait), Error> {
    let text = format!("{what_failed}: {error}");
    let failed = |kind| Error::new(kind, text).on_server(server);
    match error {
        CallError::Protocol(e) => Err(Error::protocol(e).on_server(server)),
        CallError::Closed => Err(Error::new(ErrorKind::Closed, CLOSED)),
        CallError::Unauthenticated { why } => {
            Err(Error::new(ErrorKind::PermissionDenied, why).on_server(server))
        }
        // A lookup is a scan of one call, so the whole lookup is made again.
        CallError::Exception(exception)
            if matches!(reaction::reaction_to(&exception), Reaction::Reopen(_)) =>
        {
            Ok((failed(ErrorKind::Busy), Wait::Backoff))
        }
        CallError::Exception(_) => match classify(error, server) {
            RetryDecision::Fail(error) => Err(error),
            RetryDecision::Again(error, wait, _) => Ok((error, wait)),
        },
        CallError::TimedOut { .. } => Ok((failed(ErrorKind::Timeout), Wait::AtOnce)),
        _ => Ok((failed(ErrorKind::Unreachable), Wait::Backoff)),
    }
}
