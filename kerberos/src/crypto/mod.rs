//! Keys, and what they encrypt and sign: the profiles of RFC 3961 for AES, which are RFC 3962
//! (enctypes 17 and 18) and RFC 8009 (19 and 20).

mod cipher;
mod derive;
mod enctype;
mod key;
mod password;
#[cfg(test)]
mod vectors;

pub use enctype::{Enctype, UnknownEnctype};
pub(crate) use key::random;
pub use key::{Key, UsageKey};

/// What a key is used for (RFC 4120, section 7.5.1, and RFC 4121, section 2): each use has keys of
/// its own, derived from one.
pub(crate) mod usage {
    /// The time in a request for a first ticket.
    pub(crate) const PA_ENC_TIMESTAMP: u32 = 1;
    /// The answer to a request for a first ticket.
    pub(crate) const AS_REP: u32 = 3;
    /// The checksum of a request for a ticket of a service.
    pub(crate) const TGS_REQ_CHECKSUM: u32 = 6;
    /// The authenticator of a request for a ticket of a service.
    pub(crate) const TGS_REQ_AUTHENTICATOR: u32 = 7;
    /// The answer to it, by the key of the ticket that was shown.
    pub(crate) const TGS_REP_SESSION: u32 = 8;
    /// The answer to it, by the key that the authenticator named.
    pub(crate) const TGS_REP_SUBKEY: u32 = 9;
    /// The authenticator that a service is shown.
    pub(crate) const AP_REQ_AUTHENTICATOR: u32 = 11;
    /// What a service answers.
    pub(crate) const AP_REP: u32 = 12;
    /// What the acceptor of a context wraps, sealed or signed only; and what the initiator does.
    pub(crate) const ACCEPTOR_SEAL: u32 = 22;
    pub(crate) const INITIATOR_SEAL: u32 = 24;
}
