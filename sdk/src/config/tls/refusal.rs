//! The errors of TLS: what went wrong, and what to do about it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustls_023::{AlertDescription, CertificateError, Error};

/// What the errors of a connection name: the server, and the client's authorities and certificate.
pub(super) struct Peer {
    pub(super) host: String,
    /// The authorities that are trusted.
    pub(super) trusted: String,
    /// The client's certificate, if it has one.
    pub(super) identity: Option<String>,
    /// Whether a server has asked for a certificate; `None` if that is not known.
    pub(super) asked: Option<Arc<AtomicBool>>,
    /// Why the files could not be read again.
    pub(super) reload_error: Option<String>,
}

const NO_TLS: &str = "does it have TLS (hbase.server.netty.tls.enabled)?";
/// The advice for Bigtable, where everything has TLS except an emulator and a mock.
const NO_TLS_OF_BIGTABLE: &str =
    "an emulator and a mock have none; then write endpoint=host:port, without https://";

impl Peer {
    /// Returns why the handshake failed.
    pub(super) fn handshake_error(&self, error: &io::Error, of_bigtable: bool) -> String {
        let no_tls = if of_bigtable { NO_TLS_OF_BIGTABLE } else { NO_TLS };
        let why = match rustls_error(error) {
            Some(Error::InvalidCertificate(fault)) => self.certificate(fault),
            Some(Error::AlertReceived(alert)) => self.alert(*alert),
            Some(Error::InvalidMessage(_) | Error::InappropriateMessage { .. }) => {
                format!("the server's answer is not TLS; {no_tls}")
            }
            Some(Error::PeerIncompatible(why)) => {
                format!("the server has no version or cipher of TLS that the client has: {why:?}")
            }
            Some(other) => other.to_string(),
            None if self.lacks_certificate() => self.no_certificate(),
            None if is_disconnect(error) => {
                format!("the server closed the connection without an answer to TLS; {no_tls}")
            }
            None => error.to_string(),
        };
        self.with_unread(why)
    }

    /// Returns why the server refused the client. The server sends this refusal before it reads
    /// anything.
    pub(super) fn refusal_after_handshake(&self, error: &io::Error) -> Option<String> {
        use AlertDescription::*;
        match rustls_error(error)? {
            Error::AlertReceived(
                alert @ (CertificateRequired
                | BadCertificate
                | UnsupportedCertificate
                | CertificateRevoked
                | CertificateExpired
                | CertificateUnknown
                | UnknownCA
                | AccessDenied
                | HandshakeFailure
                | DecryptError),
            ) => Some(self.with_unread(self.alert(*alert))),
            _ => None,
        }
    }

    /// Returns the probable reason why a server closed the connection without an answer, after it
    /// had asked for a certificate. The reason is not certain, because the server may have been
    /// killed while it processed a request.
    pub(super) fn guess_close_reason(&self) -> Option<String> {
        let guess = match &self.identity {
            _ if !self.was_asked() => return None,
            Some(path) => format!("it may have refused our certificate {path}"),
            None => "it asked for a certificate of the client, and none is configured".into(),
        };
        Some(self.with_unread(format!("the server closed it without an answer; {guess}")))
    }

    fn certificate(&self, fault: &CertificateError) -> String {
        let host = &self.host;
        let renewed = "it must be renewed on the server, or a clock is wrong";
        match fault {
            CertificateError::UnknownIssuer => format!(
                "the certificate of {host} is not signed by a trusted authority, which are {}; \
                 add the authority of the servers (hbase.rpc.tls.truststore.location)",
                self.trusted
            ),
            CertificateError::NotValidForNameContext { presented, .. } => format!(
                "the certificate of {host} is for another host: {}; connect by that name, or add {host} to the certificate",
                shown(presented)
            ),
            CertificateError::NotValidForName => {
                format!("the certificate of {host} is for another host; add {host} to it")
            }
            CertificateError::ExpiredContext { time, not_after } => {
                let days = time.as_secs().saturating_sub(not_after.as_secs()) / 86_400;
                format!("the certificate of {host} expired {days} days ago; {renewed}")
            }
            CertificateError::Expired => {
                format!("the certificate of {host} has expired; {renewed}")
            }
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                format!("the certificate of {host} is not valid yet; {renewed}")
            }
            CertificateError::Revoked => format!("the certificate of {host} is revoked"),
            other => format!("the certificate of {host} is not accepted: {other}"),
        }
    }

    fn alert(&self, alert: AlertDescription) -> String {
        use AlertDescription::*;
        match alert {
            CertificateRequired => self.no_certificate(),
            _ if self.lacks_certificate() => self.no_certificate(),
            CertificateExpired => format!(
                "the server refused our certificate{}, which has expired; renew it",
                self.shown_identity()
            ),
            BadCertificate
            | UnsupportedCertificate
            | CertificateRevoked
            | CertificateUnknown
            | UnknownCA
            | AccessDenied
                if self.identity.is_some() =>
            {
                format!(
                    "the server refused our certificate{} ({alert:?}); is it signed by an authority that the server \
                     trusts, valid, and for this host?",
                    self.shown_identity()
                )
            }
            HandshakeFailure | ProtocolVersion | InsufficientSecurity => format!(
                "the server has no version or cipher of TLS that the client has ({alert:?}); see hbase.rpc.tls.protocol \
                 and hbase.rpc.tls.ciphersuites"
            ),
            other => format!("the server refused the connection: {other:?}"),
        }
    }

    /// Whether the server asks for a certificate, and the client has none.
    fn lacks_certificate(&self) -> bool {
        self.identity.is_none() && self.was_asked()
    }

    fn no_certificate(&self) -> String {
        "the server asks for a certificate of the client, and none is configured; set one \
         (Tls::client_certificate, hbase.rpc.tls.keystore.location)"
            .into()
    }

    fn shown_identity(&self) -> String {
        self.identity.as_ref().map(|path| format!(" {path}")).unwrap_or_default()
    }

    fn with_unread(&self, why: String) -> String {
        match &self.reload_error {
            Some(unread) => format!("{why}; the changed files could not be read: {unread}"),
            None => why,
        }
    }

    fn was_asked(&self) -> bool {
        self.asked.as_ref().is_some_and(|asked| asked.load(Ordering::Relaxed))
    }
}

/// Formats the names in a certificate, which rustls presents as `DnsName("a.test")`.
fn shown(presented: &[String]) -> String {
    let name = |name: &String| {
        let inner = name.split_once('(').and_then(|(_, inner)| inner.strip_suffix(')'));
        inner.unwrap_or(name).trim_matches('"').to_owned()
    };
    match presented {
        [] => "none".into(),
        names => names.iter().map(name).collect::<Vec<_>>().join(", "),
    }
}

fn rustls_error(error: &io::Error) -> Option<&Error> {
    let mut inner = error.get_ref()? as &(dyn std::error::Error + 'static);
    loop {
        if let Some(found) = inner.downcast_ref() {
            return Some(found);
        }
        inner = inner.source()?;
    }
}

pub(super) fn is_disconnect(error: &io::Error) -> bool {
    use io::ErrorKind::*;
    matches!(error.kind(), UnexpectedEof | ConnectionReset | ConnectionAborted | BrokenPipe)
}
