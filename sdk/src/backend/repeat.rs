//! Decides whether an operation may be sent again after an attempt that may have taken effect. The
//! rule is the same for HBase and Bigtable; it depends on the policy for lost replies
//! ([`DeliveryGuarantee`]) and on the operation.
//!
//! # Invariants
//!
//! - An operation that is not idempotent is not sent again once it may have been done. Tests:
//!   `a_step_is_as_careful_as_its_most_careful_part`,
//!   `tests/suites/faults/writes.rs::an_operation_that_is_not_idempotent_is_reported_as_unknown`,
//!   `tests/suites/faults/mutate_rows.rs::a_step_without_a_time_is_unknown_and_sent_once`.

#[cfg(feature = "bigtable")]
use std::time::Duration;

#[cfg(feature = "bigtable")]
use tokio::time::Instant;

use crate::DeliveryGuarantee;

/// How long after its first attempt an operation with a token may be sent again.
///
/// Bigtable's service recognizes a token for about 15 minutes after the start time in the request,
/// and refuses a request whose start time is older. The last minute is left for the pause before an
/// attempt, for the attempt itself, and for clocks that differ: in this time the service would
/// rather refuse a request than recognize it.
#[cfg(feature = "bigtable")]
const TOKEN_WINDOW: Duration = Duration::from_secs(14 * 60);

/// Whether an operation whose answer was lost may be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Idempotency {
    /// The operation changes nothing.
    Read,
    /// The operation may be sent again: applying it a second time makes no difference, or is
    /// permitted.
    Write,
    /// The operation may be sent again to the same server, or to a server that recovered the log of
    /// that server: these recognize the operation by its nonce and do not apply it twice.
    WithNonce,
    /// The operation may be sent again for some time after the first attempt: Bigtable recognizes
    /// it by its token and does not apply it twice.
    #[cfg_attr(not(feature = "bigtable"), allow(dead_code, reason = "only Bigtable has tokens"))]
    WithToken,
    /// The operation is not sent again: its outcome is reported as unknown.
    Never,
}

impl Idempotency {
    /// Whether an operation whose attempt failed may be sent again. `is_lost` is true if an attempt
    /// may have taken effect.
    pub(crate) fn allows_retry(self, is_lost: bool) -> bool {
        !is_lost || self != Self::Never
    }

    /// Returns the idempotency of the same operation with a condition. Without a nonce, the
    /// operation is not sent again, because it is not known afterwards whether the condition held;
    /// conditional requests to Bigtable have no token.
    pub(crate) fn with_condition(self) -> Self {
        match self {
            Self::WithNonce => Self::WithNonce,
            Self::Read | Self::Write | Self::WithToken | Self::Never => Self::Never,
        }
    }
}

/// The time in which an operation may be sent again: without limit unless it has a token.
#[cfg(feature = "bigtable")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenWindow {
    /// When the operation with a token was about to be sent for the first time.
    since: Option<Instant>,
}

#[cfg(feature = "bigtable")]
impl TokenWindow {
    /// Begins the window of an operation that is about to be sent for the first time.
    pub(crate) fn begin(idempotency: Idempotency) -> Self {
        Self { since: (idempotency == Idempotency::WithToken).then(Instant::now) }
    }

    /// Whether the operation may still be sent again.
    pub(crate) fn is_open(self) -> bool {
        self.since.is_none_or(|since| since.elapsed() < TOKEN_WINDOW)
    }
}

/// Whether a write may be sent again, and who sets its timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RepeatPolicy {
    pub(crate) idempotency: Idempotency,
    /// Whether the client sets the timestamp of the write, so that it is idempotent.
    pub(crate) has_client_timestamp: bool,
}

impl RepeatPolicy {
    /// Returns the policy of a put or delete. `server_time` is true if a part of the write has no
    /// timestamp and would get the server's time, which is later each time the write is sent.
    /// `must_not_repeat` is true if the write deletes the newest version, which would be a
    /// different version the second time.
    pub(crate) fn of_write(
        delivery: DeliveryGuarantee,
        server_time: bool,
        must_not_repeat: bool,
    ) -> Self {
        let (idempotency, is_dated) = match (delivery, server_time) {
            _ if must_not_repeat => (Idempotency::Never, false),
            (DeliveryGuarantee::AtMostOnce, true) => (Idempotency::Never, false),
            (DeliveryGuarantee::Idempotent, true) => (Idempotency::Write, true),
            (DeliveryGuarantee::AtLeastOnce, true) | (_, false) => (Idempotency::Write, false),
        };
        Self { idempotency, has_client_timestamp: is_dated }
    }

    /// Returns the policy of additions to cells of aggregate families and of merges into them. Each
    /// of these has a token.
    #[cfg(feature = "bigtable")]
    pub(crate) fn of_addition() -> Self {
        Self { idempotency: Idempotency::WithToken, has_client_timestamp: false }
    }

    /// Returns the policy of increments and appends, whose idempotency depends on the store.
    pub(crate) fn of_increment_or_append(idempotency: Idempotency) -> Self {
        Self { idempotency, has_client_timestamp: false }
    }

    /// Returns the policy of several changes in one step, which is as strict as the policy of the
    /// strictest change.
    pub(crate) fn of_step(parts: impl IntoIterator<Item = Self>) -> Self {
        let nothing = Self { idempotency: Idempotency::Write, has_client_timestamp: false };
        parts.into_iter().fold(nothing, Self::and)
    }

    fn and(self, other: Self) -> Self {
        use Idempotency::{Never, WithNonce, WithToken};
        let is_dated = self.has_client_timestamp || other.has_client_timestamp;
        match (self.idempotency, other.idempotency) {
            (Never, _) | (_, Never) => Self::of_increment_or_append(Never),
            // Nonces are HBase's, tokens are Bigtable's.
            (WithNonce, WithToken) | (WithToken, WithNonce) => Self::of_increment_or_append(Never),
            // The other changes are idempotent, so that it makes no difference whether they are
            // applied again or not.
            (WithToken, _) | (_, WithToken) => {
                Self { idempotency: WithToken, has_client_timestamp: is_dated }
            }
            // A server that recognizes the nonce skips the increments and appends, and applies the
            // other changes again. With the timestamp of the first attempt, the other changes could
            // be hidden while the increments and appends are visible.
            (WithNonce, _) | (_, WithNonce) if is_dated => Self::of_increment_or_append(Never),
            (WithNonce, _) | (_, WithNonce) => Self::of_increment_or_append(WithNonce),
            (idempotency, _) => Self { idempotency, has_client_timestamp: is_dated },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repetition(idempotency: Idempotency, is_dated: bool) -> RepeatPolicy {
        RepeatPolicy { idempotency, has_client_timestamp: is_dated }
    }

    #[test]
    fn a_write_is_sent_again_as_its_policy_says() {
        use DeliveryGuarantee::{AtLeastOnce, AtMostOnce, Idempotent};
        use Idempotency::{Never, Write};
        for (delivery, server_time, must_not_repeat, expected) in [
            (AtMostOnce, false, false, repetition(Write, false)),
            (AtMostOnce, true, false, repetition(Never, false)),
            (AtLeastOnce, false, false, repetition(Write, false)),
            (AtLeastOnce, true, false, repetition(Write, false)),
            (Idempotent, false, false, repetition(Write, false)),
            (Idempotent, true, false, repetition(Write, true)),
            (AtMostOnce, false, true, repetition(Never, false)),
            (AtLeastOnce, true, true, repetition(Never, false)),
            (Idempotent, true, true, repetition(Never, false)),
        ] {
            let found = RepeatPolicy::of_write(delivery, server_time, must_not_repeat);
            assert_eq!(found, expected, "{delivery:?} {server_time} {must_not_repeat}");
        }
    }

    #[cfg(feature = "bigtable")]
    #[tokio::test(start_paused = true)]
    async fn only_a_token_has_a_window() {
        let token = TokenWindow::begin(Idempotency::WithToken);
        let others = [Idempotency::Read, Idempotency::Write, Idempotency::Never];
        let others = others.map(TokenWindow::begin);
        tokio::time::advance(TOKEN_WINDOW - Duration::from_millis(1)).await;
        assert!(token.is_open());
        tokio::time::advance(Duration::from_millis(1)).await;
        assert!(!token.is_open());
        assert!(others.into_iter().all(TokenWindow::is_open));
    }

    #[test]
    fn a_step_is_as_careful_as_its_most_careful_part() {
        use Idempotency::{Never, WithNonce, WithToken, Write};
        let parts = [
            (Write, false),
            (Write, true),
            (WithNonce, false),
            (WithToken, false),
            (WithToken, true),
            (Never, false),
        ];
        let parts = parts.map(|(idempotency, is_dated)| repetition(idempotency, is_dated));
        let [plain, dated, nonce, token, dated_token, never] = parts;
        for (one, other, expected) in [
            (plain, plain, plain),
            (plain, dated, dated),
            (plain, nonce, nonce),
            (dated, nonce, never),
            (nonce, nonce, nonce),
            (plain, token, token),
            (dated, token, dated_token),
            (token, token, token),
            (nonce, token, never),
            (nonce, dated_token, never),
        ] {
            assert_eq!((one.and(other), other.and(one)), (expected, expected), "{one:?} {other:?}");
        }
        for part in parts {
            assert_eq!((part.and(never), never.and(part)), (never, never));
            for (second, third) in parts.iter().flat_map(|a| parts.map(|b| (*a, b))) {
                let in_order = part.and(second).and(third);
                assert_eq!(in_order, part.and(second.and(third)), "{part:?} {second:?} {third:?}");
            }
        }
        assert!(Write.allows_retry(true) && WithNonce.allows_retry(true));
        assert!(Never.allows_retry(false) && !Never.allows_retry(true));
        assert!(WithToken.allows_retry(true));
        assert_eq!((Write.with_condition(), WithNonce.with_condition()), (Never, WithNonce));
        assert_eq!(WithToken.with_condition(), Never);
    }
}
