//! AES with ciphertext stealing, and HMAC.

use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt};
use aes::{Aes128, Aes256};
use cts::cipher::{InnerIvInit, KeyInit};
use cts::{CbcCs3, Decrypt, Encrypt};
use hmac::{Hmac, Mac as _};
use sha1::Sha1;
use sha2::{Sha256, Sha384};

use super::Enctype;

/// The number of bytes in a block of AES, and of random bytes at the start of each message.
pub(super) const BLOCK: usize = 16;

/// AES with a key.
pub(super) enum Aes {
    Short(Box<Aes128>),
    Long(Box<Aes256>),
}

impl Aes {
    /// Returns AES with a key of 16 or 32 bytes; `None` for a key of another length.
    pub(super) fn new(key: &[u8]) -> Option<Self> {
        match key.len() {
            16 => Aes128::new_from_slice(key).ok().map(|aes| Self::Short(Box::new(aes))),
            _ => Aes256::new_from_slice(key).ok().map(|aes| Self::Long(Box::new(aes))),
        }
    }

    pub(super) fn encrypt_block(&self, block: &mut [u8; BLOCK]) {
        match self {
            Self::Short(aes) => aes.encrypt_block(block.into()),
            Self::Long(aes) => aes.encrypt_block(block.into()),
        }
    }

    fn decrypt_block(&self, block: &mut [u8; BLOCK]) {
        match self {
            Self::Short(aes) => aes.decrypt_block(block.into()),
            Self::Long(aes) => aes.decrypt_block(block.into()),
        }
    }

    /// Encrypts at least one block in place.
    pub(super) fn encrypt(&self, data: &mut [u8]) -> Option<()> {
        // A single block has no other block from which ciphertext can be stolen.
        if let Ok(block) = data.try_into() {
            self.encrypt_block(block);
            return Some(());
        }
        let iv = [0; BLOCK];
        match self {
            Self::Short(aes) => CbcCs3::inner_iv_init(&**aes, &iv.into()).encrypt(data).ok(),
            Self::Long(aes) => CbcCs3::inner_iv_init(&**aes, &iv.into()).encrypt(data).ok(),
        }
    }

    /// Decrypts at least one block in place.
    pub(super) fn decrypt(&self, data: &mut [u8]) -> Option<()> {
        if let Ok(block) = data.try_into() {
            self.decrypt_block(block);
            return Some(());
        }
        let iv = [0; BLOCK];
        match self {
            Self::Short(aes) => CbcCs3::inner_iv_init(&**aes, &iv.into()).decrypt(data).ok(),
            Self::Long(aes) => CbcCs3::inner_iv_init(&**aes, &iv.into()).decrypt(data).ok(),
        }
    }
}

/// HMAC with a key.
#[derive(Clone)]
pub(super) enum Mac {
    Sha1(Hmac<Sha1>),
    Sha256(Hmac<Sha256>),
    Sha384(Hmac<Sha384>),
}

impl Mac {
    /// Returns HMAC with the hash function of the enctype. The key may have any length.
    pub(super) fn new(enctype: Enctype, key: &[u8]) -> Option<Self> {
        match enctype {
            Enctype::Aes128Sha1 | Enctype::Aes256Sha1 => {
                Hmac::new_from_slice(key).ok().map(Self::Sha1)
            }
            Enctype::Aes128Sha2 => Hmac::new_from_slice(key).ok().map(Self::Sha256),
            Enctype::Aes256Sha2 => Hmac::new_from_slice(key).ok().map(Self::Sha384),
        }
    }

    /// Returns the whole HMAC of these parts.
    pub(super) fn hash(&self, parts: &[&[u8]]) -> Vec<u8> {
        match self {
            Self::Sha1(mac) => fed(mac, parts).finalize().into_bytes().to_vec(),
            Self::Sha256(mac) => fed(mac, parts).finalize().into_bytes().to_vec(),
            Self::Sha384(mac) => fed(mac, parts).finalize().into_bytes().to_vec(),
        }
    }

    /// Returns whether `expected` is the start of the HMAC of these parts. The time of the
    /// comparison does not show where they differ.
    pub(super) fn verify(&self, parts: &[&[u8]], expected: &[u8]) -> bool {
        let verified = match self {
            Self::Sha1(mac) => fed(mac, parts).verify_truncated_left(expected),
            Self::Sha256(mac) => fed(mac, parts).verify_truncated_left(expected),
            Self::Sha384(mac) => fed(mac, parts).verify_truncated_left(expected),
        };
        verified.is_ok()
    }
}

/// Returns a copy of `mac` that has been fed these parts.
fn fed<M: hmac::Mac + Clone>(mac: &M, parts: &[&[u8]]) -> M {
    let mut mac = mac.clone();
    parts.iter().for_each(|part| mac.update(part));
    mac
}
