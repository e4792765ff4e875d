//! What a failed call means for its operation: another attempt after a pause, or the error that the
//! operation ends with. All operations decide it here, whether they read, write or administrate.
//!
//! # Invariants
//!
//! - A change that may have been made is reported as unknown, never as failed. Tests:
//!   `sdk/src/backend/bigtable/tests/faults.rs::what_is_idempotent_is_sent_again_and_nothing_else`,
//!   `sdk/src/backend/bigtable/tests/faults.rs::what_was_refused_was_not_made`,
//!   `sdk/src/backend/bigtable/tests/administration.rs::a_change_of_a_table_may_be_unknown`.

use std::time::Duration;

use super::failure::Failure;
use super::reaction::{Reaction, into_outcome_unknown};
use crate::backend::attempts::{Attempts, Wait};
use crate::backend::repeat::{Idempotency, TokenWindow};
use crate::{Error, Result};

/// Whether an operation may be sent again.
#[derive(Clone, Copy)]
pub(super) struct RetryState {
    idempotency: Idempotency,
    /// Whether an attempt may have taken effect.
    may_have_happened: bool,
    window: TokenWindow,
}

impl RetryState {
    pub(super) fn new(idempotency: Idempotency) -> Self {
        Self { idempotency, may_have_happened: false, window: TokenWindow::begin(idempotency) }
    }

    /// Waits before the next attempt, or fails with the error that the operation ends with.
    pub(super) async fn pause(
        &mut self,
        failure: &Failure,
        server: &str,
        attempts: &mut Attempts,
    ) -> Result<()> {
        let (pause, wait) = self.next_pause(failure, server, attempts)?;
        attempts.sleep_before_retry(pause, wait).await;
        Ok(())
    }

    /// Returns how long to wait before the next attempt, and for what; or the error that the
    /// operation ends with.
    pub(super) fn next_pause(
        &mut self,
        failure: &Failure,
        server: &str,
        attempts: &mut Attempts,
    ) -> Result<(Duration, Wait)> {
        let has_token = self.idempotency == Idempotency::WithToken;
        let failure = &Failure { has_token, ..failure.clone() };
        self.may_have_happened |=
            self.idempotency != Idempotency::Read && failure.may_have_happened();
        let pause = match failure.reaction(server) {
            Reaction::Again(error, _) if !self.window.is_open() => {
                return Err(token_expired(error, self.may_have_happened));
            }
            Reaction::Again(error, wait)
                if self.idempotency.allows_retry(self.may_have_happened) =>
            {
                attempts.next_pause(error, wait).map(|pause| (pause, wait))
            }
            Reaction::Again(error, _) | Reaction::Fail(error) => Err(error),
        };
        pause.map_err(
            |error: Error| if self.may_have_happened { into_outcome_unknown(error) } else { error },
        )
    }
}

/// Returns the error of an addition that is not sent again because the service would no longer
/// recognize its token; `cause` is the error of the last attempt.
fn token_expired(cause: Error, may_have_happened: bool) -> Error {
    const WHY: &str = "Bigtable recognizes an addition that is sent again for about 15 minutes, \
                       which are nearly over";
    match may_have_happened {
        true => {
            let text =
                format!("an attempt was not answered, so it may or may not have been done; {WHY}");
            cause.into_unknown(text)
        }
        false => {
            let text = format!("it was not done, and is not sent again: {WHY}; make it again");
            Error::new(cause.kind(), text).caused_by(cause)
        }
    }
}
