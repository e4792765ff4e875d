//! What the attempts of one operation have shown, and what each answer means for the operation.
//!
//! # Invariants
//!
//! - Calls on a row are linearizable, even under faults: one region server orders them, and an
//!   operation that may have been applied is reported as such. Tests: `tests/suites/history.rs`,
//!   `tests/tools/history`.
//! - Increments and appends are applied once, and a value that a call returns is the result of that
//!   call. Tests:
//!   `tests/suites/faults/writes.rs::an_increment_whose_reply_is_lost_is_counted_once`,
//!   `tests/suites/faults/writes.rs::the_value_of_another_increment_is_never_returned`,
//!   `tests/suites/faults/writes.rs::counters_are_exact_although_one_reply_in_ten_is_lost`.

use std::sync::Arc;

use super::location::Location;
use super::lower::OperationContext;
use super::retry::{Attempts, CacheInvalidation, RetryDecision, Wait, classify};
use super::rpc::{CallError, Connections, OpReply};
use crate::backend::repeat::Idempotency;
use crate::{Error, ErrorKind, TableName};

/// The attempts of one operation, and what is known about its region and its outcome.
pub(crate) struct OperationProgress {
    pub(crate) attempts: Attempts,
    /// A location whose server just reported that it does not have the region.
    pub(crate) failed: Option<Arc<Location>>,
    /// Where the operation may have taken effect; `None` before the first failed attempt that may
    /// have had an effect.
    pub(crate) lost: Option<LostAttempt>,
}

/// Where an operation may have taken effect.
pub(crate) struct LostAttempt {
    pub(crate) at: Arc<Location>,
    /// Whether the server at `at` knows the nonce of the operation only from the log of another
    /// server.
    pub(crate) knows_nonce_from_log: bool,
}

/// What an answer means for an operation.
pub(crate) enum Verdict {
    Done(OpReply),
    Failed(Error),
    /// The operation may be sent again. The fields are the reason, the pause before the next
    /// attempt, and the locations to forget.
    Again(Error, Wait, CacheInvalidation),
}

impl OperationProgress {
    pub(crate) fn new(attempts: Attempts) -> Self {
        Self { attempts, failed: None, lost: None }
    }

    /// Decides what the answer to an attempt at this location means.
    pub(crate) fn judge(
        &mut self,
        about: &OperationContext,
        location: &Arc<Location>,
        answer: Result<OpReply, CallError>,
    ) -> Verdict {
        let answer = answer.and_then(|reply| about.check(&reply).map(|()| reply));
        let error = match answer {
            // A server checks the condition before the nonce: the operation may have been applied,
            // so that its condition no longer holds.
            Ok(reply) if self.lost.is_some() && about.is_conditional && !reply.processed => {
                let text = "sent again, its condition does not hold; perhaps because it was made the first time";
                let error = Error::new(ErrorKind::OutcomeUnknown, text);
                return Verdict::Failed(into_outcome_unknown(
                    error.on_server(location.server_address()),
                ));
            }
            // If the server recognized the operation as one that was sent again, its answer is the
            // current row, and not the result of the operation.
            Ok(reply) if self.lost.is_some() => {
                return Verdict::Done(OpReply { cells: Vec::new(), ..reply });
            }
            Ok(reply) => return Verdict::Done(reply),
            Err(error) => error,
        };
        if error.may_have_happened() && about.idempotency != Idempotency::Read {
            // The first location is kept: if the operation took effect there, only a server that
            // recovers the log of that location's server knows of the operation.
            self.lost.get_or_insert_with(|| LostAttempt {
                at: location.clone(),
                knows_nonce_from_log: false,
            });
        }
        let thrown = matches!(error, CallError::Exception(_));
        match classify(error, location.server_address()).in_region(&location.name_bytes()) {
            RetryDecision::Fail(error) => Verdict::Failed(self.failure(error)),
            RetryDecision::Again(error, _, _)
                if !about.idempotency.allows_retry(self.lost.is_some()) =>
            {
                Verdict::Failed(into_outcome_unknown(error))
            }
            RetryDecision::Again(error, wait, stale) => {
                self.failed =
                    (thrown && stale == CacheInvalidation::Region).then(|| location.clone());
                Verdict::Again(error, wait, stale)
            }
        }
    }

    /// Returns the error of an operation that is not sent again: an unknown outcome if an earlier
    /// attempt may have taken effect. Even an error by which a server refuses the operation says
    /// nothing about an earlier attempt without an answer, because a server checks quotas,
    /// permissions and families before the nonce.
    pub(crate) fn failure(&self, error: Error) -> Error {
        if self.lost.is_some() { into_outcome_unknown(error) } else { error }
    }

    /// Ends an operation, and adds the table and the row to its error. If the error is a timeout,
    /// an unreachable server or an unknown outcome, also adds the reason that `servers` suspects,
    /// if any.
    pub(crate) fn finish<T>(
        &mut self,
        result: Result<T, Error>,
        table: &TableName,
        about: &OperationContext,
        servers: &Connections,
    ) -> Result<T, Error> {
        self.attempts.end(result.map_err(|error| {
            let error = error.on_table(table).on_row(&about.row);
            match error.kind() {
                ErrorKind::Timeout | ErrorKind::Unreachable | ErrorKind::OutcomeUnknown => {
                    servers.suspected_cause().iter().fold(error, |e, doubt| e.with_note(doubt))
                }
                _ => error,
            }
        }))
    }
}

pub(crate) fn into_outcome_unknown(cause: Error) -> Error {
    let text = "no answer says whether it was done; it may or may not be on the server";
    cause.into_unknown(text)
}
