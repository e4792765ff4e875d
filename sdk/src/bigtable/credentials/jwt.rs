//! What a service account says of itself, signed with its key: a JSON web token, by the cryptography provider of TLS.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rustls_023::SignatureScheme;
use rustls_023::pki_types::PrivateKeyDer;
use rustls_023::pki_types::pem::PemObject;
use serde_json::json;

use crate::tls::provider;

/// How long it counts, in seconds: as long as it may.
const LIFETIME: u64 = 3_600;

/// What is said.
pub(super) struct Claims<'a> {
    pub(super) issuer: &'a str,
    pub(super) scope: &'a str,
    pub(super) audience: &'a str,
    /// In seconds since 1970.
    pub(super) now: u64,
}

/// The claims, signed with this key in PEM (RS256).
pub(super) fn assertion(
    claims: &Claims<'_>,
    key_id: Option<&str>,
    key: &str,
) -> Result<String, String> {
    let key = PrivateKeyDer::from_pem_slice(key.as_bytes())
        .map_err(|_| "it is no private key in PEM".to_owned())?;
    let key = provider()?.key_provider.load_private_key(key).map_err(|error| error.to_string())?;
    let signer = key
        .choose_scheme(&[SignatureScheme::RSA_PKCS1_SHA256])
        .ok_or("it is no RSA key, as those of service accounts are")?;
    let mut head = json!({ "alg": "RS256", "typ": "JWT" });
    if let (Some(id), Some(head)) = (key_id, head.as_object_mut()) {
        head.insert("kid".into(), id.into());
    }
    let said = json!({
        "iss": claims.issuer,
        "scope": claims.scope,
        "aud": claims.audience,
        "iat": claims.now,
        "exp": claims.now + LIFETIME,
    });
    let part = |json: serde_json::Value| URL_SAFE_NO_PAD.encode(json.to_string());
    let text = format!("{}.{}", part(head), part(said));
    let signature = signer.sign(text.as_bytes()).map_err(|error| error.to_string())?;
    Ok(format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature)))
}
