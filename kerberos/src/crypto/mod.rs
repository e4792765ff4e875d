//! Keys, encryption and checksums: the profiles of RFC 3961 for AES, which are RFC 3962 (enctypes
//! 17 and 18) and RFC 8009 (enctypes 19 and 20).

mod cipher;
mod derive;
mod enctype;
mod key;
mod password;
#[cfg(test)]
mod vectors;

pub use enctype::{Enctype, UnknownEnctype};
pub(crate) use key::fill_random;
pub use key::{Key, UsageKey};

/// The uses of a key (RFC 4120, section 7.5.1, and RFC 4121, section 2). Each use has its own keys,
/// which are derived from one key.
pub(crate) mod usage {
    /// The time in a request for a first ticket.
    pub(crate) const PA_ENC_TIMESTAMP: u32 = 1;
    /// The reply to a request for a first ticket.
    pub(crate) const AS_REP: u32 = 3;
    /// The checksum of a request for a ticket of a service.
    pub(crate) const TGS_REQ_CHECKSUM: u32 = 6;
    /// The authenticator of a request for a ticket of a service.
    pub(crate) const TGS_REQ_AUTHENTICATOR: u32 = 7;
    /// The reply to a request for a ticket of a service, encrypted with the key of the ticket in
    /// the request.
    pub(crate) const TGS_REP_SESSION: u32 = 8;
    /// The reply to a request for a ticket of a service, encrypted with the key that the
    /// authenticator named.
    pub(crate) const TGS_REP_SUBKEY: u32 = 9;
    /// The authenticator that is sent to a service.
    pub(crate) const AP_REQ_AUTHENTICATOR: u32 = 11;
    /// The reply of a service.
    pub(crate) const AP_REP: u32 = 12;
    /// The messages that the acceptor of a context wraps, sealed or only signed; the next constant
    /// is for the messages of the initiator.
    pub(crate) const ACCEPTOR_SEAL: u32 = 22;
    pub(crate) const INITIATOR_SEAL: u32 = 24;
}
