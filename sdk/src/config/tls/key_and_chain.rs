//! A private key, its certificate, and the certificates between this certificate and the authority.

use rustls_023::pki_types::{CertificateDer, PrivateKeyDer};

/// A private key, and a chain of certificates that begins with the key's own.
pub(super) type KeyAndChain = (PrivateKeyDer<'static>, Vec<CertificateDer<'static>>);
