use std::fmt;

use bytes::Bytes;
use prost::Message;

use super::regex::RegexString;
use crate::op::Compare;
use crate::wire::proto::{self, ByteArrayComparable};

/// What a filter compares a row key, a family, a qualifier or a value with.
///
/// Bytes are a [`binary`](Comparator::binary) comparator, so wherever one is asked for they may be given as they are.
///
/// ```
/// use tallrow::{Compare, Comparator, Filter};
///
/// let from_m = Filter::row(Compare::GreaterOrEqual, "m");
/// let errors = Filter::value(Compare::Equal, Comparator::substring("error"));
/// assert_eq!(format!("{:?}", from_m.and(errors)), r#"(RowFilter(>= "m") AND ValueFilter(= substring "error"))"#);
/// ```
#[derive(Clone, PartialEq)]
pub struct Comparator(Kind);

#[derive(Clone, PartialEq)]
enum Kind {
    Binary(Bytes),
    BinaryPrefix(Bytes),
    BinaryComponent(Bytes, u32),
    Bit(Bytes, BitwiseOp),
    Long(i64),
    Null,
    Regex(RegexString),
    Substring(String),
}

/// How [`Comparator::bit`] combines its bytes with those of a cell.
///
/// See [`Comparator::bit`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "HBase's BitComparator.BitwiseOp, complete")]
pub enum BitwiseOp {
    /// Bits that are set in both.
    And,
    /// Bits that are set in either.
    Or,
    /// Bits that are set in one of them only.
    Xor,
}

impl Comparator {
    /// Compares as unsigned bytes, from the first on; the shorter of two is less where they are the same so far
    /// (`BinaryComparator`).
    ///
    /// See [`Comparator`] for an example of this and `substring`.
    pub fn binary(bytes: impl AsRef<[u8]>) -> Self {
        Self(Kind::Binary(Bytes::copy_from_slice(bytes.as_ref())))
    }

    /// Compares with as many bytes as are given here; what follows them does not matter (`BinaryPrefixComparator`).
    ///
    /// ```
    /// use tallrow::{Compare, Comparator, Filter};
    /// let drafts = Filter::qualifier(Compare::Equal, Comparator::binary_prefix("draft:"));
    /// assert_eq!(format!("{drafts:?}"), r#"QualifierFilter(= prefix "draft:")"#);
    /// ```
    pub fn binary_prefix(bytes: impl AsRef<[u8]>) -> Self {
        Self(Kind::BinaryPrefix(Bytes::copy_from_slice(bytes.as_ref())))
    }

    /// Compares with as many bytes as are given here, from this offset on (`BinaryComponentComparator`, HBase 2.3 and
    /// later).
    ///
    /// ```
    /// use tallrow::{Compare, Comparator, Filter};
    /// let day_7 = Filter::row(Compare::Equal, Comparator::binary_component([0, 7], 4));
    /// assert_eq!(format!("{day_7:?}"), r#"RowFilter(= "\x00\x07" at 4)"#);
    /// ```
    pub fn binary_component(bytes: impl AsRef<[u8]>, offset: u32) -> Self {
        Self(Kind::BinaryComponent(Bytes::copy_from_slice(bytes.as_ref()), offset))
    }

    /// Is equal to bytes of the same length with which any bit remains (`BitComparator`); takes `Equal` and `NotEqual`.
    ///
    /// ```
    /// use tallrow::{BitwiseOp, Compare, Comparator, Filter};
    /// let flagged = Filter::value(Compare::Equal, Comparator::bit(BitwiseOp::And, [0, 0b100]));
    /// assert_eq!(format!("{flagged:?}"), r#"ValueFilter(= And bits "\x00\x04")"#);
    /// ```
    pub fn bit(operation: BitwiseOp, bytes: impl AsRef<[u8]>) -> Self {
        Self(Kind::Bit(Bytes::copy_from_slice(bytes.as_ref()), operation))
    }

    /// Compares as signed numbers of 8 bytes (`LongComparator`). What it makes of cells of another width is not
    /// defined.
    ///
    /// ```
    /// use tallrow::{Compare, Comparator, Filter};
    /// let below_zero = Filter::value(Compare::Less, Comparator::long(0));
    /// assert_eq!(format!("{below_zero:?}"), "ValueFilter(< long 0)");
    /// ```
    pub fn long(number: i64) -> Self {
        Self(Kind::Long(number))
    }

    /// Is equal to nothing that is stored, not even to an empty value (`NullComparator`); takes `Equal` and `NotEqual`.
    ///
    /// ```
    /// use tallrow::{Compare, Comparator, Filter};
    /// let there = Filter::column_value("d", "q", Compare::NotEqual, Comparator::null());
    /// assert_eq!(format!("{there:?}"), "ColumnValueFilter(d:q != null)");
    /// ```
    pub fn null() -> Self {
        Self(Kind::Null)
    }

    /// Is equal to text in which this pattern is found, anywhere (`RegexStringComparator`, with the patterns of
    /// `java.util.regex`); takes `Equal` and `NotEqual`.
    ///
    /// See [`RegexString`] for an example, and for patterns on other text than UTF-8.
    pub fn regex(pattern: impl Into<RegexString>) -> Self {
        Self(Kind::Regex(pattern.into()))
    }

    /// Is equal to text that contains this one, whatever the case of either (`SubstringComparator`); takes `Equal` and
    /// `NotEqual`.
    pub fn substring(text: impl Into<String>) -> Self {
        Self(Kind::Substring(text.into()))
    }

    /// The bytes of a binary comparator.
    pub(crate) fn binary_operand(&self) -> Option<&[u8]> {
        match &self.0 {
            Kind::Binary(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// What is wrong with comparing like this, if anything.
    pub(super) fn problem(&self, compare: Compare) -> Option<String> {
        let name = match &self.0 {
            Kind::Binary(_) | Kind::BinaryPrefix(_) | Kind::BinaryComponent(..) | Kind::Long(_) => {
                return None;
            }
            Kind::Regex(regex) => {
                if let Some(problem) = regex.problem() {
                    return Some(problem);
                }
                "a regular expression"
            }
            Kind::Bit(..) => "a bit comparator",
            Kind::Null => "a null comparator",
            Kind::Substring(_) => "a substring",
        };
        (!matches!(compare, Compare::Equal | Compare::NotEqual)).then(|| {
            format!("{compare:?} does not apply to {name}, which is equal or not equal only")
        })
    }

    pub(crate) fn to_proto(&self) -> proto::Comparator {
        let comparable = |bytes: &Bytes| ByteArrayComparable { value: Some(bytes.clone()) };
        let binary = |bytes: &Bytes| {
            proto::BinaryComparator { comparable: comparable(bytes) }.encode_to_vec()
        };
        // The binary, the prefix and the long comparator have one shape.
        let (name, message) = match &self.0 {
            Kind::Binary(bytes) => ("BinaryComparator", binary(bytes)),
            Kind::BinaryPrefix(bytes) => ("BinaryPrefixComparator", binary(bytes)),
            Kind::Long(number) => {
                ("LongComparator", binary(&Bytes::copy_from_slice(&number.to_be_bytes())))
            }
            Kind::BinaryComponent(bytes, offset) => (
                "BinaryComponentComparator",
                proto::BinaryComponentComparator { value: bytes.clone(), offset: *offset }
                    .encode_to_vec(),
            ),
            Kind::Bit(bytes, bits) => {
                let operation = match bits {
                    BitwiseOp::And => proto::BitwiseOp::And,
                    BitwiseOp::Or => proto::BitwiseOp::Or,
                    BitwiseOp::Xor => proto::BitwiseOp::Xor,
                };
                let message = proto::BitComparator {
                    comparable: comparable(bytes),
                    bitwise_op: operation as i32,
                };
                ("BitComparator", message.encode_to_vec())
            }
            Kind::Null => ("NullComparator", Vec::new()),
            Kind::Regex(regex) => ("RegexStringComparator", regex.to_proto().encode_to_vec()),
            Kind::Substring(text) => (
                "SubstringComparator",
                proto::SubstringComparator { substr: text.clone() }.encode_to_vec(),
            ),
        };
        proto::Comparator {
            name: [super::PACKAGE, name].concat(),
            serialized_comparator: Some(message.into()),
        }
    }
}

impl<B: AsRef<[u8]>> From<B> for Comparator {
    fn from(bytes: B) -> Self {
        Self::binary(bytes)
    }
}

impl fmt::Debug for Comparator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |bytes: &Bytes| format!("\"{}\"", bytes.escape_ascii());
        match &self.0 {
            Kind::Binary(bytes) => f.write_str(&shown(bytes)),
            Kind::BinaryPrefix(bytes) => write!(f, "prefix {}", shown(bytes)),
            Kind::BinaryComponent(bytes, offset) => write!(f, "{} at {offset}", shown(bytes)),
            Kind::Bit(bytes, bits) => write!(f, "{bits:?} bits {}", shown(bytes)),
            Kind::Long(number) => write!(f, "long {number}"),
            Kind::Null => f.write_str("null"),
            Kind::Regex(regex) => write!(f, "{regex:?}"),
            Kind::Substring(text) => write!(f, "substring {text:?}"),
        }
    }
}
