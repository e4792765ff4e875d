//! The tokens by which the service recognizes an addition that is sent again.
//!
//! # Invariants
//!
//! - All attempts of an addition have the same token and the same start time, and no two additions
//!   have the same token. Tests: `every_token_is_another_one`,
//!   `sdk/src/backend/bigtable/tests/aggregates.rs::every_attempt_of_an_addition_has_the_same_token`.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::backend::repeat::Idempotency;
use crate::wire::bigtable::{Idempotency as Token, Timestamp};

/// Returns a new token if the operation needs one.
#[inline]
pub(super) fn token_of(idempotency: Idempotency) -> Option<Token> {
    (idempotency == Idempotency::WithToken).then(new_token)
}

/// Returns a new token, with the current time as its start time.
///
/// The start time has whole seconds, because the service uses it only to refuse additions that are
/// so old that it may have forgotten their tokens.
fn new_token() -> Token {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
    let start_time = Some(Timestamp { seconds, nanos: 0 });
    Token { token: random_bytes().to_vec().into(), start_time }
}

/// Returns 16 random bytes: a number that no other call returns, hashed with keys that the
/// operating system has chosen at random for this process. The random generator of the thread is
/// not used: a program may seed it, and then two additions could have the same token.
fn random_bytes() -> [u8; 16] {
    static KEYS: LazyLock<[RandomState; 2]> =
        LazyLock::new(|| [RandomState::new(), RandomState::new()]);
    static CALLS: AtomicU64 = AtomicU64::new(0);
    let call = CALLS.fetch_add(1, Ordering::Relaxed);
    let [high, low] = KEYS.each_ref().map(|keys| u128::from(keys.hash_one(call)));
    (high << 64 | low).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_token_is_another_one() {
        let tokens: HashSet<_> = (0..10_000).map(|_| random_bytes()).collect();
        assert_eq!(tokens.len(), 10_000);
        // Each byte takes all of its values.
        for at in 0..16 {
            let values: HashSet<_> = tokens.iter().map(|token| token[at]).collect();
            assert_eq!(values.len(), 256, "byte {at}");
        }
    }

    #[test]
    fn only_an_addition_has_a_token() {
        for without in [Idempotency::Read, Idempotency::Write, Idempotency::Never] {
            assert_eq!(token_of(without), None);
        }
        let token = token_of(Idempotency::WithToken).unwrap();
        assert_eq!(token.token.len(), 16);
        assert!(token.start_time.unwrap().seconds > 1_700_000_000);
    }
}
