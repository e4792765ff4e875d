//! Limits how many replies to one operation may be lost before its caller gets an error.
//!
//! # Invariants
//!
//! - Ids, lookups, lists, series, indexes and key migrations lose nothing, do nothing twice and
//!   leave nothing half done when their processes are killed and replies are lost, on each store.
//!   Tests: `tests/suites/patterns/mod.rs::all_survive_on_hbase_mock`,
//!   `tests/suites/patterns/mod.rs::all_survive_on_bigtable_mock`,
//!   `tests/suites/patterns/mod.rs::every_pattern_is_tried`.

use tokio::time::Instant;

use crate::{Error, ErrorKind, Result};

/// How many replies to one operation may be lost before its caller gets an error.
pub(crate) const MAX_LOST_REPLIES: u32 = 10;

/// The number of lost replies to an operation that may be sent again.
#[derive(Default)]
pub(crate) struct LostReplies(u32);

impl LostReplies {
    /// Counts a lost reply to an attempt that will be repeated.
    ///
    /// # Errors
    /// Returns the same errors as [`count_lost_reply`](Self::count_lost_reply).
    pub(crate) fn count_before_repeat(&mut self, last: Error, deadline: Instant) -> Result<()> {
        let text = |lost| format!("the replies to {lost} attempts were lost; it is safe to repeat");
        self.count_lost_reply(Some(last), deadline, text)
    }

    /// Counts a lost reply.
    ///
    /// # Errors
    /// Fails if too many replies were lost, or the deadline has passed. The error has the text that
    /// `text` returns for the number of lost replies, and is caused by `last`.
    pub(crate) fn count_lost_reply(
        &mut self,
        last: Option<Error>,
        deadline: Instant,
        text: impl FnOnce(u32) -> String,
    ) -> Result<()> {
        self.0 += 1;
        let kind = match Instant::now() < deadline {
            true if self.0 < MAX_LOST_REPLIES => return Ok(()),
            true => ErrorKind::Unreachable,
            false => ErrorKind::Timeout,
        };
        let text = text(self.0);
        Err(match last {
            Some(last) => last.into_kind(kind, text),
            None => Error::new(kind, text),
        })
    }
}

/// Converts the error of a call that is safe to repeat: an unknown outcome becomes `Unreachable`,
/// because the repeated call finds that the work is done, or does the work again with the same
/// effect.
pub(crate) fn unknown_to_unreachable(error: Error) -> Error {
    match error.kind() {
        ErrorKind::OutcomeUnknown => {
            error.into_kind(ErrorKind::Unreachable, "a reply was lost; it is safe to repeat")
        }
        _ => error,
    }
}
