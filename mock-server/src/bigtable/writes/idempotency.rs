//! The token by which a repeated mutation is recognized, borrowed from its request.

use tallrow_wire::WireError;
use tallrow_wire::bigtable::{self, Fields, Timestamp};

use crate::base::limits::IDEMPOTENCY_WINDOW_MS;
use crate::bigtable::status::{StatusCode, StatusResult, invalid};

/// The minimum length of a token.
const TOKEN_BYTES: usize = 8;

/// The token of a mutation, and the client's time of its first attempt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Idempotency<'m> {
    pub(super) token: &'m [u8],
    start: Timestamp,
}

impl<'m> Idempotency<'m> {
    /// Returns the token with the fields that an encoded message sets.
    pub(super) fn merge_encoded(mut self, message: &'m [u8]) -> Result<Self, WireError> {
        let mut fields = Fields::of(message);
        while let Some(field) = fields.next_field()? {
            match field.number {
                1 => self.token = field.bytes()?,
                2 => self.start = merged_time(self.start, field.bytes()?)?,
                _ => {}
            }
        }
        Ok(self)
    }

    /// Returns an error for a token that no mutation may have.
    pub(super) fn check(&self) -> StatusResult<()> {
        match self.token.len() {
            TOKEN_BYTES.. => Ok(()),
            len => Err(invalid(format!(
                "Error in field 'idempotency' : The token must have at least {TOKEN_BYTES} bytes, \
                 but has {len}"
            ))),
        }
    }

    /// Returns an error if the first attempt was so long ago that its token may be forgotten. A
    /// mutation without a start time is always accepted.
    pub(super) fn check_age(&self, now: u64) -> StatusResult<()> {
        if self.start == Timestamp::default() {
            return Ok(());
        }
        let millis = i64::from(self.start.nanos) / 1_000_000;
        let start = self.start.seconds.saturating_mul(1000).saturating_add(millis);
        let age = i64::try_from(now).unwrap_or(i64::MAX).saturating_sub(start);
        match u64::try_from(age) {
            Ok(age) if age >= IDEMPOTENCY_WINDOW_MS => {
                Err(StatusCode::FailedPrecondition.status(format!(
                    "The start_time of the mutation's idempotency is {age} ms ago. Tokens are \
                     remembered for {IDEMPOTENCY_WINDOW_MS} ms, so it is unknown whether the \
                     mutation has been applied"
                )))
            }
            _ => Ok(()),
        }
    }
}

fn merged_time(mut time: Timestamp, message: &[u8]) -> Result<Timestamp, WireError> {
    let mut fields = Fields::of(message);
    while let Some(field) = fields.next_field()? {
        match field.number {
            1 => time.seconds = field.int64()?,
            // As for every int32, the low bits count.
            2 => time.nanos = field.int64()? as i32,
            _ => {}
        }
    }
    Ok(time)
}

impl<'m> From<&'m bigtable::Idempotency> for Idempotency<'m> {
    fn from(message: &'m bigtable::Idempotency) -> Self {
        Self { token: &message.token, start: message.start_time.unwrap_or_default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutation_is_too_old_when_its_token_may_be_forgotten() {
        let of = |seconds, nanos| Idempotency { token: b"", start: Timestamp { seconds, nanos } };
        let now = 2_000_000;
        let too_old = |seconds, nanos| of(seconds, nanos).check_age(now).is_err();
        assert!(too_old(1_100, 0) && too_old(1_100, 999_999) && too_old(-5, 0));
        assert!(!too_old(1_100, 1_000_000) && !too_old(0, 0));
        // The clock of the client may be ahead.
        assert!(!too_old(2_500, 0) && !too_old(i64::MAX, 0));
        assert!(too_old(i64::MIN, i32::MIN));
    }
}
