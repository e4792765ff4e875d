//! The files of certificates and keys, and the configuration of rustls that is made from them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use rustls_023::client::{ResolvesClientCert, WebPkiServerVerifier};
use rustls_023::crypto::CryptoProvider;
use rustls_023::sign::CertifiedKey;
use rustls_023::{ClientConfig, RootCertStore, SignatureScheme};

use super::offer::Offer;
use super::store::CertificateStore;
use super::verifier::AnyHostVerifier;

/// The files with the authorities, a certificate and its key, and the options of the configuration
/// that is made from them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TlsFiles {
    /// The file with the trusted authorities; `None` for the authorities of the system.
    pub(super) roots: Option<CertificateStore>,
    /// The file with the client's certificate, and the path of the file with its key.
    pub(super) identity: Option<(CertificateStore, PathBuf)>,
    pub(super) any_host: bool,
    pub(super) offer: Offer,
}

/// A configuration of rustls, and the stamps of the files from which it was made.
pub(super) struct LoadedConfig {
    pub(super) config: Arc<ClientConfig>,
    pub(super) stamps: Vec<Stamp>,
    /// Whether a server has asked for a certificate of the client.
    pub(super) certificate_requested: Arc<AtomicBool>,
}

/// When a file was last changed, and its length; `None` if the file cannot be read.
pub(super) type Stamp = Option<(SystemTime, u64)>;

impl TlsFiles {
    fn paths(&self) -> impl Iterator<Item = &Path> {
        let identity = self.identity.iter().flat_map(|(store, key)| [&store.path, key]);
        self.roots.iter().map(|store| &store.path).chain(identity).map(PathBuf::as_path)
    }

    pub(super) fn stamps(&self) -> Vec<Stamp> {
        let stamp = |path: &Path| {
            let metadata = std::fs::metadata(path).ok()?;
            Some((metadata.modified().ok()?, metadata.len()))
        };
        self.paths().map(stamp).collect()
    }

    /// Returns the text for the trusted authorities in errors.
    pub(super) fn authorities_text(&self) -> String {
        match &self.roots {
            Some(store) => format!("those in {}", store.path.display()),
            None => "those of the system".into(),
        }
    }

    /// Reads all files, and makes the configuration; this blocks the thread.
    pub(super) fn load(&self) -> Result<LoadedConfig, String> {
        let stamps = self.stamps();
        let provider = self.offer.restrict(provider()?)?;
        let asked = Arc::new(AtomicBool::new(false));
        let roots = Arc::new(self.read_roots()?);
        let key = match &self.identity {
            Some((store, key)) => {
                let (der, chain) = store.identity(key)?;
                let certified = CertifiedKey::from_der(chain, der, &provider).map_err(|e| {
                    format!("certificate {} with key {}: {e}", store.path.display(), key.display())
                })?;
                Some(Arc::new(certified))
            }
            None => None,
        };
        let verifier = WebPkiServerVerifier::builder_with_provider(roots, provider.clone())
            .build()
            .map_err(|e| format!("trusted authorities, {}: {e}", self.authorities_text()))?;
        let builder = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&self.offer.versions()?)
            .map_err(|e| format!("the cryptography provider: {e}"))?;
        let builder = match self.any_host {
            false => builder.with_webpki_verifier(verifier),
            true => builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(AnyHostVerifier(verifier))),
        };
        let identity = Identity { key, asked: asked.clone() };
        let config = builder.with_client_cert_resolver(Arc::new(identity));
        Ok(LoadedConfig { config: Arc::new(config), stamps, certificate_requested: asked })
    }

    fn read_roots(&self) -> Result<RootCertStore, String> {
        let mut roots = RootCertStore::empty();
        match &self.roots {
            Some(store) => {
                for certificate in store.authorities()? {
                    roots.add(certificate).map_err(|e| {
                        format!(
                            "{}: a certificate cannot be used as an authority: {e}",
                            store.path.display()
                        )
                    })?;
                }
            }
            None => {
                let found = rustls_native_certs::load_native_certs();
                let (added, _) = roots.add_parsable_certificates(found.certs);
                if added == 0 {
                    let why = found.errors.first().map(|e| format!(": {e}")).unwrap_or_default();
                    return Err(format!(
                        "the system has no certificates of authorities{why}; name a file with Tls::ca_file"
                    ));
                }
            }
        }
        Ok(roots)
    }
}

/// Returns the cryptography provider of the process, or else the one of the feature `aws-lc-rs` or
/// `ring`.
fn provider() -> Result<Arc<CryptoProvider>, String> {
    if let Some(provider) = CryptoProvider::get_default() {
        return Ok(provider.clone());
    }
    #[cfg(feature = "aws-lc-rs")]
    return Ok(Arc::new(rustls_023::crypto::aws_lc_rs::default_provider()));
    #[cfg(all(feature = "ring", not(feature = "aws-lc-rs")))]
    return Ok(Arc::new(rustls_023::crypto::ring::default_provider()));
    #[cfg(not(any(feature = "ring", feature = "aws-lc-rs")))]
    Err("there is no cryptography provider: enable tallrow's feature `ring` or `aws-lc-rs`, or \
         call rustls::crypto::CryptoProvider::install_default with one first"
        .into())
}

/// Answers a server that asks for a certificate, and records that the server has asked.
struct Identity {
    key: Option<Arc<CertifiedKey>>,
    asked: Arc<AtomicBool>,
}

impl ResolvesClientCert for Identity {
    fn resolve(&self, _: &[&[u8]], _: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        self.asked.store(true, Ordering::Relaxed);
        self.key.clone()
    }

    /// Returns true even without a certificate, because rustls would otherwise not call `resolve`.
    fn has_certs(&self) -> bool {
        true
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.key.is_some() { "Identity(a certificate)" } else { "Identity(none)" })
    }
}
