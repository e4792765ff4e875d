//! `Tls`, with which a program sets the authorities, certificates, versions and cipher suites that
//! its client uses.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use rustls_023::ClientConfig;

use super::files::{LoadedConfig, TlsFiles};
use super::store::CertificateStore;

/// The encryption of connections to the servers, for [`Config::tls`](crate::Config::tls). It is
/// HBase's own TLS, on the same ports (HBase 2.6 and later).
///
/// A server's certificate must be signed by an authority that the system trusts, or by one in
/// [`ca_file`](Self::ca_file), and must be valid for the host that the client connects to. If a
/// server asks for the client's certificate (`hbase.server.netty.tls.client.auth.mode`), the client
/// sends its [`client_certificate`](Self::client_certificate). Data in ZooKeeper is read without
/// TLS.
///
/// The files are PEM or, with the feature `java-keystores`, Java's stores (JKS, PKCS12); the format
/// is recognized by the content. The files are read when the client connects, and again when they
/// have changed and a connection is opened, so certificates can be replaced while a program runs.
/// If changed files cannot be read, their earlier content stays in use.
///
/// | | HBase's property |
/// |---|---|
/// | [`ca_file`](Self::ca_file), [`truststore`](Self::truststore) | `hbase.rpc.tls.truststore.location`, `.password` |
/// | [`client_certificate`](Self::client_certificate), [`keystore`](Self::keystore) | `hbase.rpc.tls.keystore.location`, `.password` |
/// | [`verify_hostname`](Self::verify_hostname) | `hbase.client.netty.tls.verify.server.hostname` |
/// | [`protocols`](Self::protocols) | `hbase.rpc.tls.enabledProtocols`, else `hbase.rpc.tls.protocol` |
/// | [`cipher_suites`](Self::cipher_suites) | `hbase.rpc.tls.ciphersuites` |
///
/// If a program reads HBase's own files ([`Config::hbase_site`](crate::Config::hbase_site)), or has
/// these properties in its address, all these settings are made from the properties.
///
/// This needs the feature `rustls-023` and a cryptography provider. The provider is the one that
/// the program has installed with rustls' `CryptoProvider::install_default`, or else that of the
/// feature `aws-lc-rs` or `ring`.
///
/// ```
/// use tallrow::{Client, Config, ErrorKind, Tls};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let tls = Tls::new()
///     .ca_file("/etc/hbase/ca.pem")
///     .client_certificate("/etc/hbase/me.pem", "/etc/hbase/me.key");
/// let error =
///     Client::connect_with("hbase+rpc://master1", Config::new().tls(tls)).await.unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::InvalidArgument);
/// assert!(error.to_string().contains("/etc/hbase/ca.pem"));
/// # }
/// ```
#[derive(Clone)]
pub struct Tls {
    pub(super) source: Source,
    /// What the files contained when they were last read; shared by clones.
    pub(super) loaded: Arc<Mutex<Option<Arc<LoadedConfig>>>>,
}

#[derive(Clone)]
pub(super) enum Source {
    Files(TlsFiles),
    Given(Arc<ClientConfig>),
}

impl Tls {
    /// Creates a configuration that trusts the authorities of the system, without a certificate of
    /// the client.
    ///
    /// See [`Tls`] for an example of this and the other functions.
    pub fn new() -> Self {
        Self::of(Source::Files(TlsFiles::default()))
    }

    /// Creates an encryption with this configuration of rustls, which the client does not change.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use rustls_023::{ClientConfig, RootCertStore, crypto::ring::default_provider};
    /// use tallrow::{Config, Tls};
    ///
    /// let rustls = ClientConfig::builder_with_provider(default_provider().into())
    ///     .with_safe_default_protocol_versions()?
    ///     .with_root_certificates(RootCertStore::empty())
    ///     .with_no_client_auth();
    /// let config = Config::new().tls(Tls::with_rustls_023(Arc::new(rustls)));
    /// assert_ne!(config, Config::new());
    /// # Ok::<(), rustls_023::Error>(())
    /// ```
    pub fn with_rustls_023(config: Arc<ClientConfig>) -> Self {
        Self::of(Source::Given(config))
    }

    /// Trusts only the authorities in this PEM file, not those of the system
    /// (`hbase.rpc.tls.truststore.location`).
    ///
    /// It has no effect on settings that [`with_rustls_023`](Self::with_rustls_023) has made.
    pub fn ca_file(self, path: impl Into<PathBuf>) -> Self {
        self.changed(|files| files.roots = Some(CertificateStore::new(path, None)))
    }

    /// Trusts only the authorities in a Java store (JKS or PKCS12), not those of the system
    /// (`hbase.rpc.tls.truststore.location`, `hbase.rpc.tls.truststore.password`). The authorities
    /// are the trusted certificates in the store, as `keytool -importcert` adds them. `password` is
    /// the password of the store. This needs the feature `java-keystores`.
    ///
    /// It has no effect on settings that [`with_rustls_023`](Self::with_rustls_023) has made.
    ///
    /// ```
    /// use tallrow::{Client, Config, Tls};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let tls = Tls::new()
    ///     .truststore("/etc/hbase/trust.jks", "changeit")
    ///     .keystore("/etc/hbase/me.p12", "changeit");
    /// assert!(!format!("{tls:?}").contains("changeit"));
    /// let error =
    ///     Client::connect_with("hbase+rpc://master1", Config::new().tls(tls)).await.unwrap_err();
    /// assert!(error.to_string().contains("/etc/hbase/trust.jks"));
    /// # }
    /// ```
    pub fn truststore(self, path: impl Into<PathBuf>, password: &str) -> Self {
        self.changed(|files| files.roots = Some(CertificateStore::new(path, Some(password))))
    }

    /// Sets the client's certificate, which servers may ask for, and its private key
    /// (`hbase.rpc.tls.keystore.location`). Both files are PEM; the file `certificate` begins with
    /// the client's certificate, followed by the certificates between it and its authority. If one
    /// file contains everything, pass it twice. The key must not be encrypted with a password; for
    /// an encrypted key, use [`keystore`](Self::keystore).
    ///
    /// It has no effect on settings that [`with_rustls_023`](Self::with_rustls_023) has made.
    pub fn client_certificate(
        self,
        certificate: impl Into<PathBuf>,
        key: impl Into<PathBuf>,
    ) -> Self {
        self.changed(|files| {
            files.identity = Some((CertificateStore::new(certificate, None), key.into()));
        })
    }

    /// Sets the client's certificate, which servers may ask for, and its private key, from a Java
    /// store (JKS or PKCS12), or from a PEM file that contains both. `password` is the password of
    /// the store and of the first key in it (`hbase.rpc.tls.keystore.location`,
    /// `hbase.rpc.tls.keystore.password`). This needs the feature `java-keystores`.
    ///
    /// See [`truststore`](Self::truststore) for an example. This setting has no effect on
    /// settings that [`with_rustls_023`](Self::with_rustls_023) has made.
    pub fn keystore(self, path: impl Into<PathBuf>, password: &str) -> Self {
        let store = CertificateStore::new(path, Some(password));
        self.changed(|files| files.identity = Some((store.clone(), store.path)))
    }

    /// Sets whether the server's certificate must be valid for the host that the client connects
    /// to. The default is yes (`hbase.client.netty.tls.verify.server.hostname`). Without this
    /// check, any server with a certificate of a trusted authority is accepted.
    ///
    /// ```
    /// use tallrow::Tls;
    /// assert_ne!(Tls::new().verify_hostname(false), Tls::new());
    /// ```
    pub fn verify_hostname(self, yes: bool) -> Self {
        self.changed(|files| files.any_host = !yes)
    }

    /// Sets the versions of TLS that are offered, separated by commas. The default is
    /// `TLSv1.3,TLSv1.2` (`hbase.rpc.tls.enabledProtocols`; Java's client offers only `TLSv1.2` by
    /// default).
    ///
    /// Older versions may be listed, but are not offered; connecting fails if only older versions
    /// are listed. This setting has no effect on settings that
    /// [`with_rustls_023`](Self::with_rustls_023) has made.
    ///
    /// ```
    /// # use tallrow::{Client, Config, Tls};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let config = Config::new().tls(Tls::new().protocols("TLSv1.1"));
    /// let error = Client::connect_with("hbase+rpc://master1", config).await.unwrap_err();
    /// assert!(error.to_string().contains("there are TLSv1.3 and TLSv1.2"));
    /// # }
    /// ```
    pub fn protocols(self, names: impl Into<String>) -> Self {
        self.changed(|files| files.offer.protocols = Some(names.into()))
    }

    /// Sets the cipher suites that are offered, by their names in Java, separated by commas. The
    /// default is all suites of the cryptography provider (`hbase.rpc.tls.ciphersuites`).
    ///
    /// Suites that rustls does not support, because they are not safe, are ignored; connecting
    /// fails if no suite remains. This setting has no effect on settings that
    /// [`with_rustls_023`](Self::with_rustls_023) has made.
    ///
    /// ```
    /// # use tallrow::{Client, Config, Tls};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let config = Config::new().tls(Tls::new().cipher_suites("TLS_RSA_WITH_AES_128_CBC_SHA"));
    /// let error = Client::connect_with("hbase+rpc://master1", config).await.unwrap_err();
    /// assert!(error.to_string().contains("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"));
    /// # }
    /// ```
    pub fn cipher_suites(self, names: impl Into<String>) -> Self {
        self.changed(|files| files.offer.cipher_suites = Some(names.into()))
    }

    fn of(source: Source) -> Self {
        Self { source, loaded: Arc::default() }
    }

    fn changed(self, change: impl FnOnce(&mut TlsFiles)) -> Self {
        let mut source = self.source;
        if let Source::Files(files) = &mut source {
            change(files);
        }
        Self::of(source)
    }
}

impl Default for Tls {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialEq for Tls {
    fn eq(&self, other: &Self) -> bool {
        match (&self.source, &other.source) {
            (Source::Files(one), Source::Files(other)) => one == other,
            (Source::Given(one), Source::Given(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Source::Files(files) => f.debug_tuple("Tls").field(files).finish(),
            Source::Given(_) => f.write_str("Tls(a rustls configuration)"),
        }
    }
}
