//! JKS, the store of Java before version 9 (`sun.security.provider.JavaKeyStore`), and how it
//! encrypts keys (`sun.security.provider.KeyProtector`).

use rustls_023::pki_types::{CertificateDer, PrivateKeyDer};
use sha1::{Digest, Sha1};

use super::WRONG_PASSWORD;
use crate::config::tls::key_and_chain::KeyAndChain;
use crate::config::tls::password::Password;

/// The length of a digest, and of a salt, in bytes.
const DIGEST: usize = 20;
/// The object identifier of Java's encryption of keys, 1.3.6.1.4.1.42.2.17.1.1, in DER.
const KEY_PROTECTOR: &[u8] =
    &[0x06, 0x0A, 0x2B, 0x06, 0x01, 0x04, 0x01, 0x2A, 0x02, 0x11, 0x01, 0x01];

/// Returns the trusted certificates in a JKS store, and the first key.
pub(in crate::config::tls) fn read_jks(
    bytes: &[u8],
    password: &Password,
) -> Result<(Vec<CertificateDer<'static>>, Option<KeyAndChain>), String> {
    let cut = || "it ends in the middle of an entry".to_owned();
    let (content, digest) = bytes.split_last_chunk::<DIGEST>().ok_or_else(cut)?;
    let password = utf16(password.text());
    // Java does not verify a store that is opened without a password.
    let whole = Sha1::new()
        .chain_update(&password)
        .chain_update(b"Mighty Aphrodite")
        .chain_update(content)
        .finalize();
    if !password.is_empty() && whole[..] != digest[..] {
        return Err(WRONG_PASSWORD.into());
    }
    let mut reader = Reader(content);
    let version = reader.skip(4).and_then(|()| reader.u32()).ok_or_else(cut)?;
    if version != 1 && version != 2 {
        return Err(format!("it is of version {version} of JKS; there are 1 and 2"));
    }
    let count = reader.u32().ok_or_else(cut)?;
    let (mut trusted, mut key) = (Vec::new(), None);
    for _ in 0..count {
        let tag = reader.entry().ok_or_else(cut)?;
        match tag {
            1 => {
                let encrypted = reader.bytes().ok_or_else(cut)?;
                let chain = reader.u32().ok_or_else(cut)?;
                let chain: Option<Vec<_>> =
                    (0..chain).map(|_| reader.certificate(version)).collect();
                let chain = chain.ok_or_else(cut)?;
                if key.is_none() {
                    key = Some((decrypted(encrypted, &password)?, chain));
                }
            }
            2 => trusted.push(reader.certificate(version).ok_or_else(cut)?),
            other => return Err(format!("it has an entry of kind {other}; JKS has 1 and 2")),
        }
    }
    Ok((trusted, key))
}

fn decrypted(encrypted: &[u8], password: &[u8]) -> Result<PrivateKeyDer<'static>, String> {
    let wrong = || "its private key is encrypted in a way that is not known".to_owned();
    // EncryptedPrivateKeyInfo: the algorithm, and the encrypted key.
    let mut outer = Reader(Reader(encrypted).der(0x30).ok_or_else(wrong)?);
    let algorithm = outer.der(0x30).ok_or_else(wrong)?;
    if !algorithm.starts_with(KEY_PROTECTOR) {
        return Err(wrong());
    }
    let protected = outer.der(0x04).ok_or_else(wrong)?;
    let (salt, rest) = protected.split_at_checked(DIGEST).ok_or_else(wrong)?;
    let (sealed, check) = rest.split_last_chunk::<DIGEST>().ok_or_else(wrong)?;
    let mut plain = Vec::with_capacity(sealed.len());
    let mut previous: Vec<u8> = salt.to_vec();
    for part in sealed.chunks(DIGEST) {
        previous = Sha1::new().chain_update(password).chain_update(&previous).finalize().to_vec();
        plain.extend(part.iter().zip(&previous).map(|(sealed, stream)| sealed ^ stream));
    }
    let digest = Sha1::new().chain_update(password).chain_update(&plain).finalize();
    if digest[..] != check[..] {
        return Err(
            "its private key has another password than the store; give both the same one: \
                    keytool -keypasswd -keystore FILE -alias NAME"
                .into(),
        );
    }
    PrivateKeyDer::try_from(plain).map_err(|why| format!("its private key cannot be used: {why}"))
}

/// Encodes a password in big-endian UTF-16, in which Java hashes it.
fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_be_bytes).collect()
}

/// A reader of the remaining bytes of a store.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn skip(&mut self, length: usize) -> Option<()> {
        self.take(length).map(drop)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_be_bytes)
    }

    /// Skips a text with a length of two bytes.
    fn text(&mut self) -> Option<()> {
        let length = self.take(2)?.try_into().ok().map(u16::from_be_bytes)?;
        self.skip(length.into())
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.u32()?;
        self.take(usize::try_from(length).ok()?)
    }

    /// Reads the kind of an entry, and skips its name and time.
    fn entry(&mut self) -> Option<u32> {
        let tag = self.u32()?;
        self.text()?;
        self.skip(8)?;
        Some(tag)
    }

    fn certificate(&mut self, version: u32) -> Option<CertificateDer<'static>> {
        if version == 2 {
            self.text()?;
        }
        self.bytes().map(|der| der.to_vec().into())
    }

    /// Reads a DER value with this tag, and returns its contents.
    fn der(&mut self, tag: u8) -> Option<&'a [u8]> {
        let &[found, first] = self.take(2)? else { return None };
        let length = match first {
            _ if found != tag => return None,
            0..=0x7F => usize::from(first),
            0x81..=0x83 => {
                let digits = self.take(usize::from(first & 0x7F))?;
                digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit))
            }
            _ => return None,
        };
        self.take(length)
    }
}
