//! Certificates for one test, as PEM files in a folder of its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd,
};
use rustls_023::crypto::{CryptoProvider, ring};
use rustls_023::pki_types::{CertificateDer, PrivateKeyDer};
use rustls_023::server::WebPkiClientVerifier;
use rustls_023::{RootCertStore, ServerConfig, SupportedProtocolVersion};
use tallrow_tests::scratch_dir;

/// A folder that ends with the test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(scratch_dir())
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

/// A certificate with its key.
pub(crate) struct Leaf {
    certificate: CertificateDer<'static>,
    key: Vec<u8>,
}

impl Authority {
    pub(crate) fn new(name: &str) -> Self {
        let mut params = CertificateParams::new([]).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    pub(crate) fn file(&self, folder: &Folder, name: &str) -> PathBuf {
        folder.write(name, pem("CERTIFICATE", self.0.der()))
    }

    pub(crate) fn sign(&self, hosts: &[&str]) -> Leaf {
        self.sign_until(hosts, 2999)
    }

    /// A certificate that is valid until the first day of a year.
    pub(crate) fn sign_until(&self, hosts: &[&str], year: i32) -> Leaf {
        let hosts: Vec<String> = hosts.iter().map(|host| host.to_string()).collect();
        let mut params = CertificateParams::new(hosts).unwrap();
        params.not_before = date_time_ymd(2001, 1, 1);
        params.not_after = date_time_ymd(year, 1, 1);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.0).unwrap().der().clone();
        Leaf { certificate, key: key.serialize_der() }
    }

    /// A server with this certificate; it asks for those of its clients if `mutual`.
    pub(crate) fn server(
        &self,
        leaf: &Leaf,
        mutual: bool,
        version: &'static SupportedProtocolVersion,
    ) -> Arc<ServerConfig> {
        self.server_by(ring::default_provider().into(), leaf, mutual, version)
    }

    /// The same, with this cryptography provider.
    pub(crate) fn server_by(
        &self,
        provider: Arc<CryptoProvider>,
        leaf: &Leaf,
        mutual: bool,
        version: &'static SupportedProtocolVersion,
    ) -> Arc<ServerConfig> {
        let mut roots = RootCertStore::empty();
        roots.add(self.0.der().clone()).unwrap();
        let verifier = match mutual {
            true => WebPkiClientVerifier::builder_with_provider(roots.into(), provider.clone())
                .build()
                .unwrap(),
            false => WebPkiClientVerifier::no_client_auth(),
        };
        let key = PrivateKeyDer::try_from(leaf.key.clone()).unwrap();
        let config = ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(&[version])
            .unwrap()
            .with_client_cert_verifier(verifier)
            .with_single_cert(vec![leaf.certificate.clone()], key)
            .unwrap();
        Arc::new(config)
    }

    pub(crate) fn roots(&self) -> RootCertStore {
        let mut roots = RootCertStore::empty();
        roots.add(self.0.der().clone()).unwrap();
        roots
    }
}

impl Leaf {
    /// One file with the certificate and its key.
    pub(crate) fn file(&self, folder: &Folder, name: &str) -> PathBuf {
        let both = [pem("CERTIFICATE", &self.certificate), pem("PRIVATE KEY", &self.key)];
        folder.write(name, both.concat())
    }

    pub(crate) fn rewrite(&self, path: &Path) {
        let both = [pem("CERTIFICATE", &self.certificate), pem("PRIVATE KEY", &self.key)];
        // The time of a file may be as coarse as a tick of the clock, so its length changes too.
        std::fs::write(path, both.concat() + "\n# written again\n").unwrap();
    }
}

fn pem(kind: &str, der: &[u8]) -> String {
    format!("-----BEGIN {kind}-----\n{}\n-----END {kind}-----\n", BASE64_STANDARD.encode(der))
}
