//! The verification of servers' certificates without a check of the host.

use std::sync::Arc;

use rustls_023::client::WebPkiServerVerifier;
use rustls_023::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls_023::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls_023::{CertificateError, DigitallySignedStruct, Error, SignatureScheme};

/// A verifier that checks everything in a certificate except the host.
#[derive(Debug)]
pub(super) struct AnyHostVerifier(pub(super) Arc<WebPkiServerVerifier>);

impl ServerCertVerifier for AnyHostVerifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        host: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        // The host is verified last, after the signatures and the times, so these have passed if
        // only the host is wrong.
        match self.0.verify_server_cert(certificate, intermediates, host, ocsp, now) {
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}
