//! Errors of encoding and decoding row keys.
//!
//! An encoding reports a [`FieldError`]; the derived key adds its own name, the name of the field
//! and, when decoding, the byte at which the field starts.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use core::convert::Infallible;
use core::fmt;

/// Why a value does not fit its encoding, or why bytes are not an encoded value.
///
/// ```
/// use tallrow_codec::FieldErrorKind;
///
/// let fault = FieldErrorKind::UnexpectedEnd { need: 8, found: 3 };
/// assert_eq!(fault.to_string(), "need 8 bytes, found 3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldErrorKind {
    /// A value is longer than the width of its field.
    TooLong {
        /// The length of the value.
        found: usize,
        /// The width of the field.
        width: usize,
    },
    /// A value is shorter than the width of its field, and the field is not padded.
    TooShort {
        /// The length of the value.
        found: usize,
        /// The width of the field.
        width: usize,
    },
    /// A value contains a byte that its encoding reserves: an end byte, a separator, padding at the
    /// end, or a byte below the padding.
    Reserved {
        /// The byte.
        byte: u8,
        /// Its position in the value.
        at: usize,
    },
    /// A value contains a character outside `chars`.
    DisallowedChar {
        /// The first byte of the character.
        byte: u8,
        /// Its position in the value.
        at: usize,
    },
    /// A value is outside the range of its encoding.
    OutOfRange {
        /// The values that would fit.
        allowed: &'static str,
    },
    /// The row key ends inside a field.
    UnexpectedEnd {
        /// The number of bytes that the field needs.
        need: usize,
        /// The number of bytes that remain.
        found: usize,
    },
    /// The row key continues after the last field.
    Trailing {
        /// The number of bytes left over.
        found: usize,
    },
    /// A list has more items than its field allows.
    TooMany {
        /// The maximum number of items.
        max: usize,
    },
    /// A list contains the same item twice.
    Duplicate {
        /// The index of the second occurrence among the given items.
        at: usize,
    },
    /// The end mark of a field of variable length is missing.
    Unterminated,
    /// The row key contains bytes that the encoding of the field never writes.
    NotCanonical {
        /// What the encoding writes in place of these bytes.
        expected: &'static str,
    },
    /// The row key contains a value that the encoding of the field can represent but the type of
    /// the field cannot: for example 29 seconds after a full hour, in a type that counts minutes.
    OutsideType {
        /// The values that the type can hold.
        expected: &'static str,
    },
    /// No variant of the enum has this tag.
    UnknownTag {
        /// The tag.
        found: FoundTag,
    },
    /// A text in the row key is not UTF-8.
    NotUtf8 {
        /// The number of valid bytes at the start of the text.
        valid: usize,
    },
    /// A text is stored in changed form (escaped, inverted, reversed), so it cannot be borrowed
    /// from the row key.
    NotBorrowed,
    /// The salt or hash prefix does not match the fields after it.
    WrongSaltOrHash,
    /// The field has a compatibility encoding, which a schema cannot read or write.
    CompatEncoding,
    /// A field has no value.
    Missing,
    /// A value belongs to no field of the key, or to a field that already has a value.
    UnexpectedValue,
    /// The row matches none of the layouts of a key that has several.
    NoLayout,
}

impl core::error::Error for FieldErrorKind {}

impl fmt::Display for FieldErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooLong { found, width } => {
                write!(f, "{found} bytes do not fit a width of {width}")
            }
            Self::TooShort { found, width } => {
                write!(f, "{found} bytes do not fill a width of {width}")
            }
            Self::Reserved { byte, at } => {
                write!(f, "byte {byte:#04x} at {at} is reserved by the encoding")
            }
            Self::DisallowedChar { byte, at } => {
                write!(f, "byte {byte:#04x} at {at} is outside the field's chars")
            }
            Self::OutOfRange { allowed } => write!(f, "the value must be {allowed}"),
            Self::UnexpectedEnd { need, found } => write!(f, "need {need} bytes, found {found}"),
            Self::Trailing { found } => write!(f, "{found} bytes are left over"),
            Self::TooMany { max } => write!(f, "at most {max} items are allowed"),
            Self::Duplicate { at } => write!(f, "item {at} is a duplicate"),
            Self::Unterminated => f.write_str("its end mark is missing"),
            Self::NotCanonical { expected } | Self::OutsideType { expected } => {
                write!(f, "expected {expected}")
            }
            Self::UnknownTag { found } => write!(f, "no variant has the tag {found}"),
            Self::NotUtf8 { valid } => write!(f, "not UTF-8 after {valid} bytes"),
            Self::NotBorrowed => {
                f.write_str("the text is stored changed and cannot be borrowed; use Cow or String")
            }
            Self::CompatEncoding => f.write_str(
                "the field has a compatibility encoding, which a schema cannot read; use the type \
                 of the key",
            ),
            Self::Missing => f.write_str("it has no value"),
            Self::UnexpectedValue => {
                f.write_str("the key has no such field, or has its value already")
            }
            Self::NoLayout => f.write_str("the row matches no layout of the key"),
            Self::WrongSaltOrHash => f.write_str(
                "it does not match the fields after it: the row has another layout or is damaged",
            ),
        }
    }
}

/// The tag of an enum variant as found in a row key: a number, or up to 8 bytes.
///
/// ```
/// use tallrow_codec::FoundTag;
///
/// assert_eq!(
///     (FoundTag::from(7_u8).to_string(), FoundTag::from(*b"OP").to_string()),
///     ("7".into(), "b\"OP\"".into())
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FoundTag(TagBytes);

#[derive(Clone, Copy, PartialEq, Eq)]
enum TagBytes {
    Number(u32),
    /// The number of bytes, and the bytes.
    Bytes(u8, [u8; 8]),
}

macro_rules! tag {
    ($($int:ty)*) => {$(
        impl From<$int> for FoundTag {
            fn from(number: $int) -> Self {
                Self(TagBytes::Number(number.into()))
            }
        }
    )*};
}

tag! { u8 u16 u32 }

/// Keeps the first 8 bytes; a tag has no more.
impl<const N: usize> From<[u8; N]> for FoundTag {
    fn from(tag: [u8; N]) -> Self {
        Self::from_bytes(&tag)
    }
}

impl FoundTag {
    /// Returns a tag with the first 8 of these bytes.
    pub(crate) fn from_bytes(tag: &[u8]) -> Self {
        let mut bytes = [0; 8];
        bytes.iter_mut().zip(tag).for_each(|(to, from)| *to = *from);
        Self(TagBytes::Bytes(tag.len().min(8) as u8, bytes))
    }
}

impl fmt::Display for FoundTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            TagBytes::Number(number) => number.fmt(f),
            TagBytes::Bytes(len, bytes) => {
                let bytes = bytes.get(..usize::from(*len)).unwrap_or_default();
                write!(f, "b\"{}\"", bytes.escape_ascii())
            }
        }
    }
}

impl fmt::Debug for FoundTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A [`FieldErrorKind`], with the name of the inner field if the error is in a nested key.
///
/// ```
/// use tallrow_codec::{FieldError, FieldErrorKind};
///
/// let fault = FieldError::from(FieldErrorKind::Unterminated);
/// assert_eq!(fault.kind(), FieldErrorKind::Unterminated);
/// assert_eq!(fault.to_string(), "its end mark is missing");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldError {
    kind: FieldErrorKind,
    inner: Option<&'static str>,
}

impl FieldError {
    /// Returns what is wrong.
    pub const fn kind(&self) -> FieldErrorKind {
        self.kind
    }

    /// Adds the name of a field of a nested key, unless the error already has the name of an inner
    /// field.
    #[doc(hidden)]
    #[cold]
    pub fn in_field(self, field: &'static str) -> Self {
        Self { kind: self.kind, inner: self.inner.or(Some(field)) }
    }
}

impl From<FieldErrorKind> for FieldError {
    #[cold]
    fn from(kind: FieldErrorKind) -> Self {
        Self { kind, inner: None }
    }
}

impl From<Infallible> for FieldError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(field) = self.inner {
            write!(f, "its field {field}: ")?;
        }
        self.kind.fmt(f)
    }
}

impl core::error::Error for FieldError {}

/// The error for a value that does not fit the encoding of its field.
///
/// ```
/// use tallrow_codec::{EncodeError, FieldErrorKind};
///
/// let error =
///     EncodeError::new("Order", "shop", FieldErrorKind::TooLong { found: 9, width: 8 }.into());
/// assert_eq!(error.to_string(), "encode Order: field shop: 9 bytes do not fit a width of 8");
/// assert_eq!(error.field(), "shop");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct EncodeError(Box<Place>);

/// Where an error occurred. Boxed, so that a `Result` takes the space of the row key and one word.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    key: Name,
    field: Name,
    /// The field of a nested key.
    inner: Option<Name>,
    offset: usize,
    kind: FieldErrorKind,
}

/// The name of a type or field; a name from a schema that is read at run time is owned.
pub(crate) type Name = Cow<'static, str>;

impl Place {
    /// Writes what is wrong, after the name of the field if the error is in a nested key.
    fn fault(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(inner) = &self.inner {
            write!(f, "its field {inner}: ")?;
        }
        write!(f, "{}", self.kind)
    }
}

impl EncodeError {
    /// Returns an error for the field `field` of the key type `key`.
    #[cold]
    pub fn new(key: &'static str, field: &'static str, fault: FieldError) -> Self {
        Self::with_names(key.into(), field.into(), fault.inner.map(Cow::Borrowed), fault.kind)
    }

    #[cold]
    pub(crate) fn with_names(
        key: Name,
        field: Name,
        inner: Option<Name>,
        kind: FieldErrorKind,
    ) -> Self {
        Self(Box::new(Place { key, field, inner, offset: 0, kind }))
    }

    /// Returns the name of the key type.
    pub fn key(&self) -> &str {
        &self.0.key
    }

    /// Returns the name of the field.
    pub fn field(&self) -> &str {
        &self.0.field
    }

    /// Returns what is wrong.
    pub fn kind(&self) -> FieldErrorKind {
        self.0.kind
    }
}

impl From<Infallible> for EncodeError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { key, field, .. } = &*self.0;
        write!(f, "encode {key}: field {field}: ")?;
        self.0.fault(f)
    }
}

impl fmt::Debug for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EncodeError({self})")
    }
}

impl core::error::Error for EncodeError {}

/// The error for bytes that are not a row key of the expected type.
///
/// ```
/// use tallrow_codec::{DecodeError, FieldErrorKind};
///
/// let error = DecodeError::new(
///     "OrderKey",
///     "created",
///     12,
///     FieldErrorKind::UnexpectedEnd { need: 8, found: 3 }.into(),
/// );
/// assert_eq!(
///     error.to_string(),
///     "decode OrderKey: field created at byte 12: need 8 bytes, found 3"
/// );
/// assert_eq!(error.offset(), 12);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct DecodeError(Box<Place>);

impl DecodeError {
    /// Returns an error for the field that starts at byte `offset` of a row key.
    #[cold]
    pub fn new(key: &'static str, field: &'static str, offset: usize, fault: FieldError) -> Self {
        Self::with_names(
            key.into(),
            field.into(),
            fault.inner.map(Cow::Borrowed),
            offset,
            fault.kind,
        )
    }

    #[cold]
    pub(crate) fn with_names(
        key: Name,
        field: Name,
        inner: Option<Name>,
        offset: usize,
        kind: FieldErrorKind,
    ) -> Self {
        Self(Box::new(Place { key, field, inner, offset, kind }))
    }

    /// Returns the name of the key type.
    pub fn key(&self) -> &str {
        &self.0.key
    }

    /// Returns the name of the field; `salt` or `hash` for the key prefix, `tag` for the tag of a
    /// record variant, `end` for what follows the last field, and an empty name for
    /// [`FieldErrorKind::NoLayout`].
    pub fn field(&self) -> &str {
        &self.0.field
    }

    /// Returns the index of the byte of the row key at which the field starts.
    pub fn offset(&self) -> usize {
        self.0.offset
    }

    /// Returns the name of the inner field, if the error is in a nested key.
    #[cfg(feature = "testing")]
    pub(crate) fn inner(&self) -> Option<&str> {
        self.0.inner.as_deref()
    }

    /// Returns what is wrong.
    pub fn kind(&self) -> FieldErrorKind {
        self.0.kind
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { key, field, offset, .. } = &*self.0;
        write!(f, "decode {key}: ")?;
        if !field.is_empty() {
            write!(f, "field {field} at byte {offset}: ")?;
        }
        self.0.fault(f)
    }
}

impl fmt::Debug for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DecodeError({self})")
    }
}

impl core::error::Error for DecodeError {}
