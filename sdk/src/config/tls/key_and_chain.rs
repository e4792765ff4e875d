//! A private key with its certificate and those between it and the authority.

use rustls_023::pki_types::{CertificateDer, PrivateKeyDer};

/// Certificates with the key of the first one.
pub(super) type KeyAndChain = (PrivateKeyDer<'static>, Vec<CertificateDer<'static>>);
