//! The `Qualifier` trait, for types whose values are used as qualifiers of dynamic cells, in bytes
//! that sort as the values do.

use bytes::Bytes;

use super::ValueError;
use crate::key::DecodeRowKey;

/// A type whose values are used as qualifiers of dynamic cells, in bytes that sort as the values
/// do.
///
/// | type | bytes |
/// |---|---|
/// | `String` | UTF-8, for text such as a period, `202611` |
/// | `u8` `u16` `u32` `u64` | big-endian |
/// | `i8` `i16` `i32` `i64` | big-endian, first bit inverted, so that negative ones sort first |
/// | `Vec<u8>`, `Bytes`, `[u8; N]` | as they are |
/// | [`FloorOffset<PERIOD>`](crate::key::FloorOffset) | big-endian, in the fewest bytes |
/// | [`KeyQualifier<K>`] | the fields of a row key, in their encodings |
///
/// ```
/// use tallrow::value::Qualifier;
///
/// let bytes = |n: i16| {
///     let mut out = Vec::new();
///     n.write_qualifier(&mut out);
///     out
/// };
/// assert!(bytes(-5) < bytes(-1) && bytes(-1) < bytes(3));
/// assert_eq!(i16::from_qualifier(&bytes(-5)).unwrap(), -5);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the qualifier of a cell",
    label = "no qualifier",
    note = "implement Qualifier for it; text, integers, bytes, FloorOffset<PERIOD> and KeyQualifier<K> are some already"
)]
pub trait Qualifier: Sized {
    /// Appends the bytes of the qualifier.
    fn write_qualifier(&self, out: &mut Vec<u8>);

    /// Decodes a qualifier.
    ///
    /// # Errors
    /// The bytes do not encode a value of this type.
    fn from_qualifier(bytes: &[u8]) -> Result<Self, ValueError>;
}

fn exactly<const N: usize>(bytes: &[u8]) -> Result<[u8; N], ValueError> {
    let wrong = |_| ValueError::new(format!("{N} bytes"), bytes.len().to_string());
    bytes.try_into().map_err(wrong)
}

macro_rules! number_qualifiers {
    ($($number:ty: $flip:expr;)*) => {
        $(impl Qualifier for $number {
            fn write_qualifier(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&(*self ^ $flip).to_be_bytes());
            }

            fn from_qualifier(bytes: &[u8]) -> Result<Self, ValueError> {
                exactly(bytes).map(|bytes| Self::from_be_bytes(bytes) ^ $flip)
            }
        })*
    };
}
number_qualifiers! {
    u8: 0; u16: 0; u32: 0; u64: 0;
    i8: i8::MIN; i16: i16::MIN; i32: i32::MIN; i64: i64::MIN;
}

#[diagnostic::do_not_recommend]
impl Qualifier for String {
    fn write_qualifier(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.as_bytes());
    }

    fn from_qualifier(bytes: &[u8]) -> Result<Self, ValueError> {
        let text = std::str::from_utf8(bytes);
        let bad = |e: std::str::Utf8Error| format!("byte {} is not", e.valid_up_to());
        text.map(str::to_owned).map_err(|e| ValueError::new("text in UTF-8", bad(e)))
    }
}

#[diagnostic::do_not_recommend]
impl Qualifier for Vec<u8> {
    fn write_qualifier(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self);
    }

    fn from_qualifier(bytes: &[u8]) -> Result<Self, ValueError> {
        Ok(bytes.to_vec())
    }
}

#[diagnostic::do_not_recommend]
impl Qualifier for Bytes {
    fn write_qualifier(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self);
    }

    fn from_qualifier(bytes: &[u8]) -> Result<Self, ValueError> {
        Ok(Self::copy_from_slice(bytes))
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize> Qualifier for [u8; N] {
    fn write_qualifier(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self);
    }

    fn from_qualifier(bytes: &[u8]) -> Result<Self, ValueError> {
        exactly(bytes)
    }
}

/// A qualifier that consists of several fields. Each field has one of the encodings of row keys:
/// descending, escaped, hashed, ...
///
/// The fields are encoded when the qualifier is created, so creating a qualifier from a key that
/// cannot be encoded is an error.
///
/// ```
/// use tallrow::{RowKey, value::{KeyQualifier, Qualifier}};
///
/// /// Newest first, then by name.
/// #[derive(RowKey, Clone, Debug, PartialEq)]
/// #[row_key(allow(hotspot))]
/// struct Change {
///     #[key(rev_ts)]
///     at: i64,
///     name: String,
/// }
///
/// let newer = KeyQualifier::new(Change { at: 20, name: "b".into() })?;
/// let older = KeyQualifier::new(Change { at: 10, name: "a".into() })?;
/// assert!(newer < older, "they sort as their bytes do");
/// assert_eq!(newer.key().at, 20);
/// # Ok::<(), tallrow::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct KeyQualifier<K> {
    bytes: Vec<u8>,
    key: K,
}

impl<K: DecodeRowKey> KeyQualifier<K> {
    /// Creates the qualifier that consists of the fields of `key`.
    ///
    /// See [`KeyQualifier`] for an example.
    ///
    /// # Errors
    /// The key cannot be encoded.
    pub fn new(key: K) -> crate::Result<Self> {
        Ok(Self { bytes: key.encode_key()?.as_ref().to_vec(), key })
    }

    /// The key whose fields the qualifier consists of.
    ///
    /// See [`KeyQualifier`] for an example.
    pub fn key(&self) -> &K {
        &self.key
    }
}

#[diagnostic::do_not_recommend]
impl<K: DecodeRowKey> Qualifier for KeyQualifier<K> {
    fn write_qualifier(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.bytes);
    }

    fn from_qualifier(bytes: &[u8]) -> Result<Self, ValueError> {
        let key = K::decode_key(bytes);
        let key = key.map_err(|e| ValueError::new("the fields of a key", e.to_string()))?;
        Ok(Self { bytes: bytes.to_vec(), key })
    }
}

impl<K> PartialEq for KeyQualifier<K> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<K> Eq for KeyQualifier<K> {}

impl<K> PartialOrd for KeyQualifier<K> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<K> Ord for KeyQualifier<K> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.bytes.cmp(&other.bytes)
    }
}
