//! Keys, and the keys that are derived from them for each use.

use std::fmt;

use zeroize::Zeroizing;

use super::cipher::{Aes, BLOCK, Mac};
use super::{Enctype, derive, password};
use crate::{Error, Result};

/// A Kerberos key. Its bytes are never shown, not even by `Debug`, and are wiped from memory when
/// the key is dropped.
///
/// ```
/// use tallrow_kerberos::{Enctype, Key};
///
/// let key = Key::new(Enctype::Aes128Sha1, &[7; 16]).unwrap();
/// assert_eq!(format!("{key:?}"), "Key(aes128-cts-hmac-sha1-96)");
///
/// let sealed = key.encrypt(3, b"text").unwrap();
/// assert_eq!(sealed.len(), 16 + 4 + 12);
/// assert_eq!(*key.decrypt(3, &sealed).unwrap(), *b"text");
/// assert!(key.decrypt(4, &sealed).is_err());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Key {
    enctype: Enctype,
    bytes: Zeroizing<Vec<u8>>,
}

impl Key {
    /// Returns the key with these bytes; `None` if their number is wrong for the encryption type.
    ///
    /// ```
    /// use tallrow_kerberos::{Enctype, Key};
    ///
    /// assert!(Key::new(Enctype::Aes256Sha1, &[0; 16]).is_none());
    /// ```
    pub fn new(enctype: Enctype, bytes: &[u8]) -> Option<Self> {
        (bytes.len() == enctype.key_len())
            .then(|| Self { enctype, bytes: Zeroizing::new(bytes.to_vec()) })
    }

    /// Returns the key with these bytes; the error names the key as `what`.
    pub(crate) fn try_new(enctype: Enctype, bytes: &[u8], what: impl fmt::Display) -> Result<Self> {
        Self::new(enctype, bytes).ok_or_else(|| {
            let (found, expected) = (bytes.len(), enctype.key_len());
            Error::malformed(format!("{what} has {found} bytes, where {enctype} has {expected}"))
        })
    }

    /// Derives the key of a password. The salt is usually the realm and the components of the
    /// principal, joined; if the salt or the `parameters` are not the usual ones, the KDC sends
    /// them.
    ///
    /// ```
    /// use tallrow_kerberos::{Enctype, Key};
    ///
    /// let salt = b"ATHENA.MIT.EDUraeburn";
    /// let rounds = 1200_u32.to_be_bytes();
    /// let key = Key::from_password(Enctype::Aes128Sha1, b"password", salt, Some(&rounds))?;
    /// # let expected = [
    /// #     0x4c, 0x01, 0xcd, 0x46, 0xd6, 0x32, 0xd0, 0x1e, 0x6d, 0xbe, 0x23, 0x0a, 0x01, 0xed,
    /// #     0x64, 0x2a,
    /// # ];
    /// assert_eq!(Some(key), Key::new(Enctype::Aes128Sha1, &expected));
    /// # Ok::<(), tallrow_kerberos::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the parameters are not those of this encryption type, or ask for more than 2^20 rounds.
    pub fn from_password(
        enctype: Enctype,
        password: &[u8],
        salt: &[u8],
        parameters: Option<&[u8]>,
    ) -> Result<Self> {
        let bytes = password::derive_key(enctype, password, salt, parameters)?;
        Ok(Self { enctype, bytes })
    }

    /// Returns a new random key.
    pub(crate) fn random(enctype: Enctype) -> Result<Self> {
        let mut bytes = Zeroizing::new(vec![0; enctype.key_len()]);
        fill_random(&mut bytes)?;
        Ok(Self { enctype, bytes })
    }

    /// The encryption type of the key.
    ///
    /// ```
    /// use tallrow_kerberos::{Enctype, Key};
    ///
    /// let key = Key::new(Enctype::Aes128Sha2, &[0; 16]).unwrap();
    /// assert_eq!(key.enctype(), Enctype::Aes128Sha2);
    /// ```
    pub fn enctype(&self) -> Enctype {
        self.enctype
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Derives the keys for one use (RFC 4120, section 7.5.1). To encrypt many messages, derive
    /// them once.
    ///
    /// ```
    /// use tallrow_kerberos::{Enctype, Key};
    ///
    /// let key = Key::new(Enctype::Aes128Sha2, &[7; 16]).unwrap();
    /// let checksum = key.for_usage(6).checksum(&[b"a ", b"text"]);
    /// assert_eq!(checksum.len(), 16);
    /// assert!(key.for_usage(6).verify(&[b"a text"], &checksum));
    /// ```
    pub fn for_usage(&self, usage: u32) -> UsageKey {
        let derived = |kind: u8, len: usize| {
            let [a, b, c, d] = usage.to_be_bytes();
            let constant = [a, b, c, d, kind];
            derive::derive(self.enctype, &self.bytes, &constant, len).unwrap_or_default()
        };
        // RFC 3961 derives all keys with the same length; RFC 8009 derives the keys of HMAC with
        // the length of its result.
        let mac_len = match self.enctype {
            Enctype::Aes128Sha1 | Enctype::Aes256Sha1 => self.enctype.key_len(),
            Enctype::Aes128Sha2 | Enctype::Aes256Sha2 => self.enctype.checksum_len(),
        };
        UsageKey {
            enctype: self.enctype,
            cipher: Aes::new(&derived(0xAA, self.enctype.key_len())),
            integrity: Mac::new(self.enctype, &derived(0x55, mac_len)),
            checksum: Mac::new(self.enctype, &derived(0x99, mac_len)),
        }
    }

    /// Encrypts and signs `plain`. The result is longer than `plain` by 16 random bytes and a
    /// checksum.
    ///
    /// # Errors
    /// If the system has no random bytes.
    pub fn encrypt(&self, usage: u32, plain: &[u8]) -> Result<Vec<u8>> {
        self.for_usage(usage).encrypt(&[plain])
    }

    /// Decrypts data that was encrypted with this key for this use.
    ///
    /// # Errors
    /// If the data was encrypted with another key or for another use, or was changed.
    pub fn decrypt(&self, usage: u32, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
        self.for_usage(usage).decrypt(sealed.to_vec())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({})", self.enctype)
    }
}

/// The keys for one use, which [`Key::for_usage`] derives; see there for an example.
pub struct UsageKey {
    enctype: Enctype,
    // Each is `Some`, because a key has the length of its encryption type.
    cipher: Option<Aes>,
    integrity: Option<Mac>,
    checksum: Option<Mac>,
}

impl UsageKey {
    fn parts(&self) -> Result<(&Aes, &Mac)> {
        let broken = || Error::malformed("a key has not the length of its kind".into());
        Ok((self.cipher.as_ref().ok_or_else(broken)?, self.integrity.as_ref().ok_or_else(broken)?))
    }

    /// Encrypts and signs these parts as one message.
    ///
    /// # Errors
    /// If the system has no random bytes.
    pub fn encrypt(&self, parts: &[&[u8]]) -> Result<Vec<u8>> {
        let mut confounder = [0; BLOCK];
        fill_random(&mut confounder)?;
        self.encrypt_with(&confounder, parts)
    }

    pub(super) fn encrypt_with(
        &self,
        confounder: &[u8; BLOCK],
        parts: &[&[u8]],
    ) -> Result<Vec<u8>> {
        let (aes, mac) = self.parts()?;
        let len = parts.iter().map(|part| part.len()).sum::<usize>();
        let mut text = Vec::with_capacity(BLOCK + len + self.enctype.checksum_len());
        text.extend_from_slice(confounder);
        parts.iter().for_each(|part| text.extend_from_slice(part));
        let mut checksum = match self.enctype {
            Enctype::Aes128Sha1 | Enctype::Aes256Sha1 => {
                let checksum = mac.hash(&[&text]);
                self.in_place(Aes::encrypt(aes, &mut text))?;
                checksum
            }
            Enctype::Aes128Sha2 | Enctype::Aes256Sha2 => {
                self.in_place(Aes::encrypt(aes, &mut text))?;
                mac.hash(&[&[0; BLOCK], &text])
            }
        };
        checksum.truncate(self.enctype.checksum_len());
        text.append(&mut checksum);
        Ok(text)
    }

    /// Decrypts a message.
    ///
    /// # Errors
    /// If the data was encrypted with another key or for another use, or was changed.
    pub fn decrypt(&self, mut sealed: Vec<u8>) -> Result<Zeroizing<Vec<u8>>> {
        let (aes, mac) = self.parts()?;
        let end = sealed.len().checked_sub(self.enctype.checksum_len());
        let Some(end) = end.filter(|end| *end >= BLOCK) else {
            return Err(Error::malformed(format!(
                "what {} has encrypted is too short: {} bytes",
                self.enctype,
                sealed.len()
            )));
        };
        let checksum = sealed.split_off(end);
        let mut text = Zeroizing::new(sealed);
        let differs = || Error::integrity(self.enctype);
        match self.enctype {
            Enctype::Aes128Sha1 | Enctype::Aes256Sha1 => {
                self.in_place(aes.decrypt(&mut text))?;
                if !mac.verify(&[&text], &checksum) {
                    return Err(differs());
                }
            }
            Enctype::Aes128Sha2 | Enctype::Aes256Sha2 => {
                if !mac.verify(&[&[0; BLOCK], &text], &checksum) {
                    return Err(differs());
                }
                self.in_place(aes.decrypt(&mut text))?;
            }
        }
        text.drain(..BLOCK);
        Ok(text)
    }

    fn in_place(&self, done: Option<()>) -> Result<()> {
        done.ok_or_else(|| Error::malformed(format!("{} takes a block or more", self.enctype)))
    }

    /// Returns the checksum of these parts as one message.
    pub fn checksum(&self, parts: &[&[u8]]) -> Vec<u8> {
        let mut whole = self.checksum.as_ref().map(|mac| mac.hash(parts)).unwrap_or_default();
        whole.truncate(self.enctype.checksum_len());
        whole
    }

    /// Returns whether `checksum` is the checksum of these parts as one message.
    pub fn verify(&self, parts: &[&[u8]], checksum: &[u8]) -> bool {
        checksum.len() == self.enctype.checksum_len()
            && self.checksum.as_ref().is_some_and(|mac| mac.verify(parts, checksum))
    }
}

impl fmt::Debug for UsageKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UsageKey({})", self.enctype)
    }
}

/// Fills `bytes` with random bytes from the system.
pub(crate) fn fill_random(bytes: &mut [u8]) -> Result<()> {
    getrandom::fill(bytes)
        .map_err(|e| Error::io("bytes at random from the system", std::io::Error::other(e)))
}
