//! Encryption types: the kinds of keys.

use std::fmt;

/// An encryption type: the kind of a key, and how it encrypts and signs.
///
/// Older types, such as `arcfour-hmac` and `des3-cbc-sha1`, are broken or deprecated
/// ([RFC 8429](https://www.rfc-editor.org/rfc/rfc8429)) and not supported.
///
/// ```
/// use tallrow_kerberos::Enctype;
///
/// assert_eq!("aes256-cts".parse(), Ok(Enctype::Aes256Sha1));
/// assert_eq!(Enctype::Aes256Sha2.to_string(), "aes256-cts-hmac-sha384-192");
/// assert_eq!(Enctype::from_number(23), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Enctype {
    /// `aes128-cts-hmac-sha1-96` (17)
    Aes128Sha1,
    /// `aes256-cts-hmac-sha1-96` (18)
    Aes256Sha1,
    /// `aes128-cts-hmac-sha256-128` (19)
    Aes128Sha2,
    /// `aes256-cts-hmac-sha384-192` (20)
    Aes256Sha2,
}

impl Enctype {
    /// All supported types, the preferred types first, in the order of MIT Kerberos.
    pub const ALL: [Self; 4] =
        [Self::Aes256Sha1, Self::Aes128Sha1, Self::Aes256Sha2, Self::Aes128Sha2];

    /// The number of the type in messages and files.
    ///
    /// ```
    /// assert_eq!(tallrow_kerberos::Enctype::Aes256Sha1.number(), 18);
    /// ```
    pub fn number(self) -> i32 {
        match self {
            Self::Aes128Sha1 => 17,
            Self::Aes256Sha1 => 18,
            Self::Aes128Sha2 => 19,
            Self::Aes256Sha2 => 20,
        }
    }

    /// The type with this number; `None` if it is not supported.
    ///
    /// ```
    /// use tallrow_kerberos::Enctype;
    ///
    /// assert_eq!(Enctype::from_number(20), Some(Enctype::Aes256Sha2));
    /// ```
    pub fn from_number(number: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.number() == number)
    }

    /// The number of bytes of a key.
    pub(crate) fn key_len(self) -> usize {
        match self {
            Self::Aes128Sha1 | Self::Aes128Sha2 => 16,
            Self::Aes256Sha1 | Self::Aes256Sha2 => 32,
        }
    }

    /// The number of bytes of a checksum.
    pub(crate) fn checksum_len(self) -> usize {
        match self {
            Self::Aes128Sha1 | Self::Aes256Sha1 => 12,
            Self::Aes128Sha2 => 16,
            Self::Aes256Sha2 => 24,
        }
    }

    /// The number of the checksum type that belongs to this encryption type.
    pub(crate) fn checksum_number(self) -> i32 {
        match self {
            Self::Aes128Sha1 => 15,
            Self::Aes256Sha1 => 16,
            Self::Aes128Sha2 => 19,
            Self::Aes256Sha2 => 20,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Aes128Sha1 => "aes128-cts-hmac-sha1-96",
            Self::Aes256Sha1 => "aes256-cts-hmac-sha1-96",
            Self::Aes128Sha2 => "aes128-cts-hmac-sha256-128",
            Self::Aes256Sha2 => "aes256-cts-hmac-sha384-192",
        }
    }
}

impl fmt::Display for Enctype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Reads the names of MIT Kerberos and their aliases (`aes256-cts`, `aes128-sha1`, `aes256-sha2`,
/// ..).
impl std::str::FromStr for Enctype {
    type Err = UnknownEnctype;

    fn from_str(name: &str) -> Result<Self, UnknownEnctype> {
        match name.to_ascii_lowercase().as_str() {
            "aes128-cts-hmac-sha1-96" | "aes128-cts" | "aes128-sha1" => Ok(Self::Aes128Sha1),
            "aes256-cts-hmac-sha1-96" | "aes256-cts" | "aes256-sha1" => Ok(Self::Aes256Sha1),
            "aes128-cts-hmac-sha256-128" | "aes128-sha2" => Ok(Self::Aes128Sha2),
            "aes256-cts-hmac-sha384-192" | "aes256-sha2" => Ok(Self::Aes256Sha2),
            _ => Err(UnknownEnctype(())),
        }
    }
}

/// The error for a name that is not the name of an [`Enctype`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEnctype(());

impl fmt::Display for UnknownEnctype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an encryption type that is supported: aes128-cts-hmac-sha1-96, ")?;
        f.write_str("aes256-cts-hmac-sha1-96, aes128-cts-hmac-sha256-128 and ")?;
        f.write_str("aes256-cts-hmac-sha384-192 are")
    }
}

impl std::error::Error for UnknownEnctype {}
