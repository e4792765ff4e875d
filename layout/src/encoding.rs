//! How a field is written: its encoding, composed of the encodings of `tallrow_codec`, and whether
//! the encoding can fail.

use alloc::boxed::Box;

use crate::attributes::{DigestPart, End, RevTsKind};
use crate::field::{Field, Type};

/// The encoding of a field. Each variant corresponds to a type of `tallrow_codec`; a boxed encoding
/// is a type argument of that type.
///
/// Some variants are named after an attribute: `NulTerminated` corresponds to `Terminated<0>`,
/// `RevTsInverted` to `InvertedRevTs`, a sorted `Sep` to `SortedSep`, and an `Md5` of hex digits to
/// `Md5Hex`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is documented as the type of its name")]
pub enum Encoding {
    Native,
    RawBe,
    RevTs,
    RevTsInverted,
    Digits(usize),
    ReversedDigits(usize),
    Escaped,
    NulTerminated,
    Fixed { width: usize, pad: u8 },
    Sep { sep: u8, sorted: bool },
    Md5(DigestPart),
    Floor(Box<Self>, u32),
    Charset(Box<Self>, u128),
    ReversedChars(Box<Self>),
    Nullable(Box<Self>),
    List(Box<Self>),
    TerminatedList(Box<Self>),
    Desc(Box<Self>),
    HbaseBytes,
    Ordered,
    OrderedNumeric,
    OrderedNullable(Box<Self>),
    OrderedNullableLast(Box<Self>),
    PhoenixColumn,
    PhoenixSeparated,
    PhoenixChar(usize),
    PhoenixNonEmpty(Box<Self>),
    PhoenixNullable(Box<Self>),
    PhoenixNullableLast(Box<Self>),
    BigtableInt64,
    BigtableText,
    BigtableLastText,
    BigtablePart(Box<Self>),
    BigtableLastPart(Box<Self>),
}

/// Whether encoding a field can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallibility {
    /// Encoding cannot fail.
    Infallible,
    /// Encoding can fail.
    Fallible,
    /// The type of the field decides whether encoding can fail.
    ByType,
}

impl Encoding {
    /// Returns the encoding of a field without a compatibility target.
    pub(crate) fn without_compat(field: &Field) -> Self {
        let attributes = field.attributes();
        if let Some(md5) = attributes.md5 {
            return Self::Md5(md5);
        }
        let mut encoding = match (attributes.rev_ts, attributes.end()) {
            (Some(RevTsKind::Max), _) => Self::RevTs,
            (Some(RevTsKind::Inverted), _) => Self::RevTsInverted,
            (None, End::Native) => Self::of_number(field),
            (None, End::Escaped) => Self::Escaped,
            (None, End::Width { width, pad }) => Self::Fixed { width, pad },
            (None, End::Byte(_)) if attributes.nul_terminated => Self::NulTerminated,
            (None, End::Byte(sep)) => Self::Sep { sep, sorted: field.sorts_above_end() },
        };
        if let Some(chars) = attributes.chars {
            encoding = Self::Charset(Box::new(encoding), chars);
        }
        if attributes.reverse && attributes.digits.is_none() {
            encoding = Self::ReversedChars(Box::new(encoding));
        }
        encoding = match field.ty() {
            Type::Optional(_) => Self::Nullable(Box::new(encoding)),
            Type::List(item) => {
                let item = match **item {
                    Type::Optional(_) => Self::Nullable(Box::new(encoding)),
                    _ => encoding,
                };
                if attributes.terminated {
                    Self::TerminatedList(Box::new(item))
                } else {
                    Self::List(Box::new(item))
                }
            }
            _ => encoding,
        };
        encoding.directed(field)
    }

    fn of_number(field: &Field) -> Self {
        let attributes = field.attributes();
        let encoding = match attributes.digits {
            Some(digits) if attributes.reverse => Self::ReversedDigits(digits),
            Some(digits) => Self::Digits(digits),
            None if attributes.raw_be => Self::RawBe,
            None => Self::Native,
        };
        encoding.floored(field)
    }

    /// Adds the rounding that `floor` requests, if the field has this attribute.
    pub(crate) fn floored(self, field: &Field) -> Self {
        match field.attributes().floor {
            Some(step) => Self::Floor(Box::new(self), u32::try_from(step).unwrap_or(u32::MAX)),
            None => self,
        }
    }

    /// Adds the inversion that `desc` requests, if the field has this attribute.
    pub(crate) fn directed(self, field: &Field) -> Self {
        if field.attributes().desc { Self::Desc(Box::new(self)) } else { self }
    }
}

impl Fallibility {
    /// Returns whether encoding a field without a compatibility target can fail.
    pub(crate) fn without_compat(field: &Field) -> Self {
        let attributes = field.attributes();
        if attributes.md5.is_some() {
            return Self::Infallible;
        }
        if let Some(rev_ts) = attributes.rev_ts {
            return match field.ty() {
                Type::Int(int) if int.signed || rev_ts == RevTsKind::Inverted => Self::Infallible,
                Type::Int(_) => Self::Fallible,
                _ => Self::ByType,
            };
        }
        let ends = matches!(attributes.end(), End::Byte(_) | End::Width { .. });
        let limited =
            attributes.raw_be || attributes.digits.is_some() || attributes.chars.is_some();
        if ends || limited { Self::Fallible } else { Self::infallible_if_known(field) }
    }

    /// Returns the fallibility of a field whose encoding is infallible for all types of the
    /// standard library; an unknown type may still be fallible.
    pub(crate) fn infallible_if_known(field: &Field) -> Self {
        if field.ty().is_unknown() { Self::ByType } else { Self::Infallible }
    }
}

/// How a field is written, with all facts that the generated code of a key type needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The encoding of the field.
    pub encoding: Encoding,
    /// The number of bytes of each encoded value, if this number is known and the same for all
    /// values.
    pub width: Option<usize>,
    /// Whether encoding can fail.
    pub fallibility: Fallibility,
    /// Whether a text is stored in a changed form, so that the text cannot be borrowed from a row.
    pub is_text_transformed: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            encoding: Encoding::Native,
            width: None,
            fallibility: Fallibility::Infallible,
            is_text_transformed: false,
        }
    }
}

impl Plan {
    /// Returns how a field without a compatibility target is written.
    pub(crate) fn without_compat(field: &Field) -> Self {
        let attributes = field.attributes();
        Self {
            encoding: Encoding::without_compat(field),
            width: field.width_without_compat(),
            fallibility: Fallibility::without_compat(field),
            is_text_transformed: attributes.desc || attributes.reverse || attributes.escaped,
        }
    }
}
