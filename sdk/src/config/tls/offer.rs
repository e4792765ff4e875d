//! The versions and cipher suites of TLS that a client offers.

use std::sync::Arc;

use rustls_023::SupportedProtocolVersion;
use rustls_023::crypto::CryptoProvider;
use rustls_023::version::{TLS12, TLS13};

/// The protocols and cipher suites that a client offers, as lists of Java's names separated by
/// commas; `None` for all that are supported.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Offer {
    pub(super) protocols: Option<String>,
    pub(super) cipher_suites: Option<String>,
}

impl Offer {
    pub(super) fn versions(&self) -> Result<Vec<&'static SupportedProtocolVersion>, String> {
        let Some(names) = &self.protocols else { return Ok(vec![&TLS13, &TLS12]) };
        let mut versions: Vec<&SupportedProtocolVersion> = Vec::new();
        for name in parts(names) {
            match name {
                "TLSv1.3" => versions.push(&TLS13),
                "TLSv1.2" => versions.push(&TLS12),
                // Java's programs list these versions for old servers; no HBase with TLS needs
                // them.
                "TLSv1.1" | "TLSv1" | "SSLv3" | "SSLv2Hello" => {}
                other => {
                    return Err(format!(
                        "{other:?} is no version of TLS; there are TLSv1.3 and TLSv1.2"
                    ));
                }
            }
        }
        match versions.is_empty() {
            true => Err(format!(
                "of the versions {names:?} none is spoken here; there are TLSv1.3 and TLSv1.2"
            )),
            false => Ok(versions),
        }
    }

    /// Returns the provider with only the cipher suites that are named.
    pub(super) fn restrict(
        &self,
        provider: Arc<CryptoProvider>,
    ) -> Result<Arc<CryptoProvider>, String> {
        let Some(names) = &self.cipher_suites else { return Ok(provider) };
        let mut chosen = (*provider).clone();
        chosen.cipher_suites.retain(|suite| {
            let name = format!("{:?}", suite.suite()).replace("TLS13_", "TLS_");
            parts(names).any(|named| named == name)
        });
        match chosen.cipher_suites.is_empty() {
            true => Err(format!(
                "of the cipher suites {names:?} none is known here; there are {}",
                provider
                    .cipher_suites
                    .iter()
                    .map(|suite| format!("{:?}", suite.suite()).replace("TLS13_", "TLS_"))
                    .collect::<Vec<_>>()
                    .join(", ")
            )),
            false => Ok(Arc::new(chosen)),
        }
    }
}

fn parts(names: &str) -> impl Iterator<Item = &str> {
    names.split(',').map(str::trim).filter(|name| !name.is_empty())
}
