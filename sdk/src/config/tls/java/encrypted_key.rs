//! Private keys with a password in PEM files, as HBase's PEM stores may have them: PKCS8 with
//! PBES2.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use pkcs8::EncryptedPrivateKeyInfoRef;
use rustls_023::pki_types::PrivateKeyDer;

use super::WRONG_PASSWORD;
use crate::config::tls::password::Password;

const BEGIN: &str = "-----BEGIN ENCRYPTED PRIVATE KEY-----";
const END: &str = "-----END ENCRYPTED PRIVATE KEY-----";

/// Returns the DER bytes of the encrypted key in a PEM file, if there is one.
pub(in crate::config::tls) fn encrypted_key_in_pem(pem: &[u8]) -> Option<Result<Vec<u8>, String>> {
    let text = String::from_utf8_lossy(pem);
    let (_, rest) = text.split_once(BEGIN)?;
    let Some((body, _)) = rest.split_once(END) else {
        return Some(Err("its private key has no end".into()));
    };
    let body: String = body.split_ascii_whitespace().collect();
    Some(BASE64_STANDARD.decode(body).map_err(|why| format!("its private key is no base64: {why}")))
}

pub(in crate::config::tls) fn decrypt_key(
    der: &[u8],
    password: &Password,
) -> Result<PrivateKeyDer<'static>, String> {
    let found = EncryptedPrivateKeyInfoRef::try_from(der)
        .map_err(|why| format!("its private key is encrypted in a way that is not known: {why}"))?;
    let key = found.decrypt(password.text()).map_err(|_| WRONG_PASSWORD)?;
    PrivateKeyDer::try_from(key.as_bytes().to_vec())
        .map_err(|why| format!("its private key cannot be used: {why}"))
}
