//! Nonces: the random numbers by which a server recognizes a request that was sent again.

/// Returns a random number by which a server recognizes a repeated request; 0 would mean no nonce.
pub(crate) fn nonce() -> u64 {
    fastrand::u64(1..)
}
