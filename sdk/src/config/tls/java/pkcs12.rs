//! PKCS12, the type of store that keytool writes by default since Java 9.

use p12_keystore::error::Error;
use p12_keystore::{KeyStore, KeyStoreEntry, Pkcs12ImportPolicy};
use rustls_023::pki_types::{CertificateDer, PrivateKeyDer};

use super::WRONG_PASSWORD;
use crate::config::tls::key_and_chain::KeyAndChain;
use crate::config::tls::password::Password;

/// Returns the certificates in a PKCS12 store that are marked as trusted, and the first key.
pub(in crate::config::tls) fn read_pkcs12(
    bytes: &[u8],
    password: &Password,
) -> Result<(Vec<CertificateDer<'static>>, Option<KeyAndChain>), String> {
    let store = KeyStore::from_pkcs12(bytes, password.text(), Pkcs12ImportPolicy::Strict).map_err(
        |error| match error {
            Error::MacError(_) | Error::Pkcs5Error(_) | Error::UnpadError => {
                WRONG_PASSWORD.to_owned()
            }
            other => format!("it cannot be read as PKCS12: {other}"),
        },
    )?;
    let (mut trusted, mut key) = (Vec::new(), None);
    for (_, entry) in store.entries() {
        match entry {
            KeyStoreEntry::Certificate(certificate) => {
                trusted.push(certificate.as_der().to_vec().into());
            }
            KeyStoreEntry::PrivateKeyChain(found) if key.is_none() => {
                let der = PrivateKeyDer::try_from(found.key().as_der().to_vec())
                    .map_err(|why| format!("its private key cannot be used: {why}"))?;
                let chain = found.certs().iter().map(|c| c.as_der().to_vec().into()).collect();
                key = Some((der, chain));
            }
            _ => {}
        }
    }
    Ok((trusted, key))
}
