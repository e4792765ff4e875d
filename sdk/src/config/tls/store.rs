//! A file with certificates, and perhaps a private key: PEM, or one of Java's stores.

use std::path::{Path, PathBuf};

use rustls_023::pki_types::pem::{Error as PemError, PemObject};
use rustls_023::pki_types::{CertificateDer, PrivateKeyDer};

#[cfg(feature = "java-keystores")]
use super::java;
use super::key_and_chain::KeyAndChain;
use super::password::Password;

/// The path of a file with certificates, and the password of its encrypted parts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CertificateStore {
    pub(super) path: PathBuf,
    pub(super) password: Option<Password>,
}

/// The format of a file, as its first bytes show it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Pem,
    Jks,
    Pkcs12,
    /// ASN.1 other than PKCS12: a single certificate, or a BCFKS store of Bouncy Castle.
    OtherDer,
}

impl Kind {
    fn of(bytes: &[u8]) -> Self {
        match bytes {
            [0xFE, 0xED, 0xFE, 0xED, ..] => Self::Jks,
            // A sequence that begins with the version 3, after a length in any of the forms of DER
            // and BER.
            [0x30, 0x82, _, _, 2, 1, 3, ..]
            | [0x30, 0x83, _, _, _, 2, 1, 3, ..]
            | [0x30, 0x84, _, _, _, _, 2, 1, 3, ..]
            | [0x30, 0x81, _, 2, 1, 3, ..]
            | [0x30, 0x80, 2, 1, 3, ..] => Self::Pkcs12,
            [0x30, 0x80..=0x84, ..] => Self::OtherDer,
            _ => Self::Pem,
        }
    }
}

impl CertificateStore {
    pub(super) fn new(path: impl Into<PathBuf>, password: Option<&str>) -> Self {
        Self { path: path.into(), password: password.map(Password::new) }
    }

    /// Reads the certificates of the trusted authorities.
    pub(super) fn authorities(&self) -> Result<Vec<CertificateDer<'static>>, String> {
        let bytes = read(&self.path)?;
        match Kind::of(&bytes) {
            Kind::Pem => certificates(&self.path, &bytes),
            kind => self.of_java(kind, &bytes, "truststore").map(|found| found.0).and_then(|all| {
                match all.is_empty() {
                    true => Err(format!(
                        "{}: there is no trusted certificate in it; keytool -importcert adds one",
                        self.path.display()
                    )),
                    false => Ok(all),
                }
            }),
        }
    }

    /// Reads a certificate with its chain, and its key, which may be in another file.
    pub(super) fn identity(&self, key: &Path) -> Result<KeyAndChain, String> {
        let bytes = read(&self.path)?;
        match Kind::of(&bytes) {
            Kind::Pem => {
                let chain = certificates(&self.path, &bytes)?;
                let bytes = read(key)?;
                match Kind::of(&bytes) {
                    Kind::Pem => Ok((self.key_in_pem(key, &bytes)?, chain)),
                    _ => Err(format!(
                        "{}: it is not PEM, as the certificate's file is",
                        key.display()
                    )),
                }
            }
            kind => self
                .of_java(kind, &bytes, "keystore")?
                .1
                .ok_or_else(|| format!("{}: there is no private key in it", self.path.display())),
        }
    }

    fn key_in_pem(&self, path: &Path, bytes: &[u8]) -> Result<PrivateKeyDer<'static>, String> {
        let shown = path.display();
        #[cfg(feature = "java-keystores")]
        if let Some(found) = java::encrypted_key_in_pem(bytes) {
            let Some(password) = &self.password else {
                return Err(format!(
                    "{shown}: the private key has a password, and none is given (Tls::keystore, \
                     hbase.rpc.tls.keystore.password)"
                ));
            };
            let key = found.and_then(|found| java::decrypt_key(&found, password));
            return key.map_err(|why| format!("{shown}: {why}"));
        }
        PrivateKeyDer::from_pem_slice(bytes).map_err(|e| {
            let encrypted = bytes.windows(9).any(|part| part == b"ENCRYPTED");
            match e {
                _ if encrypted => format!(
                    "{shown}: the private key has a password, which cannot be used here; write it without one: \
                     openssl pkey -in {shown} -out key.pem"
                ),
                PemError::NoItemsFound => format!("{shown}: there is no private key in it"),
                e => format!("{shown}: {e}"),
            }
        })
    }

    /// Reads the trusted certificates in a store of Java, and the first key in it.
    fn of_java(
        &self,
        kind: Kind,
        bytes: &[u8],
        what: &str,
    ) -> Result<(Vec<CertificateDer<'static>>, Option<KeyAndChain>), String> {
        let shown = self.path.display();
        #[cfg(feature = "java-keystores")]
        {
            let password = self.password.clone().unwrap_or_else(|| Password::new(""));
            let read = match kind {
                Kind::Jks => java::read_jks(bytes, &password),
                Kind::Pkcs12 => java::read_pkcs12(bytes, &password),
                Kind::Pem | Kind::OtherDer => Err(other_der(&self.path, what)),
            };
            read.map_err(|why| match &self.password {
                None if why == java::WRONG_PASSWORD => format!(
                    "{shown}: it has a password, and none is given (Tls::{what}, hbase.rpc.tls.{what}.password)"
                ),
                _ => format!("{shown}: {why}"),
            })
        }
        #[cfg(not(feature = "java-keystores"))]
        {
            let _ = bytes;
            let to_pem = format!("openssl pkcs12 -in {what}.p12 -nodes -out {what}.pem");
            let feature = "enable tallrow's feature `java-keystores`, or write it as PEM";
            Err(match kind {
                Kind::Jks => format!(
                    "{shown}: it is a JKS {what}; {feature}: keytool -importkeystore -srckeystore {shown} \
                     -destkeystore {what}.p12 -deststoretype PKCS12, then {to_pem}"
                ),
                Kind::Pkcs12 => format!(
                    "{shown}: it is a PKCS12 {what}; {feature}: openssl pkcs12 -in {shown} -nodes -out {what}.pem"
                ),
                Kind::Pem | Kind::OtherDer => format!("{shown}: {}", other_der(&self.path, what)),
            })
        }
    }
}

fn other_der(path: &Path, what: &str) -> String {
    let shown = path.display();
    format!(
        "it is neither PEM nor a JKS or PKCS12 {what}; a single certificate is written as PEM by \
         openssl x509 -in {shown} -out {what}.pem, a BCFKS store as PKCS12 by keytool -importkeystore -srckeystore {shown} \
         -srcstoretype BCFKS -destkeystore {what}.p12 -deststoretype PKCS12"
    )
}

fn certificates(path: &Path, bytes: &[u8]) -> Result<Vec<CertificateDer<'static>>, String> {
    let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(bytes).collect();
    let all = all.map_err(|e| format!("{}: {e}", path.display()))?;
    match all.is_empty() {
        true => Err(format!("{}: there is no certificate in it", path.display())),
        false => Ok(all),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))
}
