//! The kinds of keys.

use std::fmt;

/// A kind of key, and how it encrypts and signs.
///
/// Older ones, such as `arcfour-hmac` and `des3-cbc-sha1`, are broken or deprecated
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
    /// All of them, the preferred ones first: the order of MIT Kerberos.
    pub const ALL: [Self; 4] =
        [Self::Aes256Sha1, Self::Aes128Sha1, Self::Aes256Sha2, Self::Aes128Sha2];

    /// The number that stands for it in messages and files.
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

    /// The kind with this number; `None` if it is not supported.
    ///
    /// ```
    /// use tallrow_kerberos::Enctype;
    ///
    /// assert_eq!(Enctype::from_number(20), Some(Enctype::Aes256Sha2));
    /// ```
    pub fn from_number(number: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.number() == number)
    }

    /// How many bytes a key has.
    pub(crate) fn key_len(self) -> usize {
        match self {
            Self::Aes128Sha1 | Self::Aes128Sha2 => 16,
            Self::Aes256Sha1 | Self::Aes256Sha2 => 32,
        }
    }

    /// How many bytes a checksum has.
    pub(crate) fn checksum_len(self) -> usize {
        match self {
            Self::Aes128Sha1 | Self::Aes256Sha1 => 12,
            Self::Aes128Sha2 => 16,
            Self::Aes256Sha2 => 24,
        }
    }

    /// The number of its checksum.
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

/// By the names of MIT Kerberos and its aliases (`aes256-cts`, `aes128-sha1`, `aes256-sha2`, ..).
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

/// A name that is not one of an [`Enctype`].
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
