//! Comparators: what a condition or a filter compares a stored value with.

use std::borrow::Cow;
use std::cmp::Ordering;

use bytes::Bytes;
use prost::Message;
use regex_lite::{Regex, RegexBuilder};
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{
    self, BinaryComparator, BinaryComponentComparator, BitComparator, BitwiseOp, CompareType,
    RegexStringComparator, SubstringComparator,
};

use super::big_decimal::BigDecimal;
use crate::base::{RemoteResult, remote_exception};

/// The package of every comparator and filter.
pub(crate) const PACKAGE: &str = "org.apache.hadoop.hbase.filter.";

/// A comparator with its operand.
#[derive(Clone, Debug)]
pub(crate) enum Comparator {
    /// Compares bytes with the value.
    Binary(Bytes),
    /// Compares bytes with the same number of bytes at the start of the value.
    Prefix(Bytes),
    /// Compares a number with the value, which is read as a signed 8-byte number.
    Long(i64),
    /// Compares a decimal number with the value, which is read as a decimal number too.
    BigDecimal(BigDecimal),
    /// Combines bytes with a value of the same length, by a bitwise operator.
    Bit(Bytes, BitwiseOp),
    /// Compares with an absent or empty value.
    Null,
    /// Searches for a text in the value, ignoring case.
    Substring(String),
    /// Searches for a match of a regular expression in the value.
    Regex(Regex, Charset),
    /// Compares bytes with the same number of bytes of the value, beginning at an offset.
    Component(Bytes, usize),
}

impl Comparator {
    /// Decodes a comparator.
    pub(crate) fn decode(message: &proto::Comparator) -> RemoteResult<Self> {
        let bytes = || message.serialized_comparator.clone().unwrap_or_default();
        let bad = |e: prost::DecodeError| {
            let text = format!("{}: {e}", message.name);
            remote_exception(exception::DO_NOT_RETRY, text)
        };
        let operand = || {
            let comparable = BinaryComparator::decode(bytes()).map_err(bad)?.comparable;
            Ok::<_, RemoteException>(comparable.value.unwrap_or_default())
        };
        match message.name.strip_prefix(PACKAGE).unwrap_or_default() {
            "BinaryComparator" => Ok(Self::Binary(operand()?)),
            "BinaryPrefixComparator" => Ok(Self::Prefix(operand()?)),
            "LongComparator" => {
                let operand = operand()?;
                let number = operand[..].try_into().map(i64::from_be_bytes).map_err(|_| {
                    let text = format!("LongComparator with {} bytes, expected 8", operand.len());
                    remote_exception(exception::IO, text)
                })?;
                Ok(Self::Long(number))
            }
            "BigDecimalComparator" => {
                let number = BigDecimal::read(&operand()?).ok_or_else(|| {
                    remote_exception(exception::IO, "java.lang.NullPointerException")
                })?;
                Ok(Self::BigDecimal(number))
            }
            "BitComparator" => {
                let message = BitComparator::decode(bytes()).map_err(bad)?;
                let operation = BitwiseOp::try_from(message.bitwise_op);
                let operation =
                    operation.map_err(|e| remote_exception(exception::IO, e.to_string()))?;
                Ok(Self::Bit(message.comparable.value.unwrap_or_default(), operation))
            }
            "NullComparator" => Ok(Self::Null),
            "SubstringComparator" => {
                let message = SubstringComparator::decode(bytes()).map_err(bad)?;
                Ok(Self::Substring(message.substr.to_lowercase()))
            }
            "RegexStringComparator" => {
                let message = RegexStringComparator::decode(bytes()).map_err(bad)?;
                Ok(Self::Regex(pattern(&message)?, Charset::of(&message.charset)))
            }
            "BinaryComponentComparator" => {
                let message = BinaryComponentComparator::decode(bytes()).map_err(bad)?;
                Ok(Self::Component(message.value, message.offset as usize))
            }
            _ => Err(remote_exception(
                exception::IO,
                format!("java.lang.ClassNotFoundException: {}", message.name),
            )),
        }
    }

    /// Whether an absent value is equal to the operand.
    pub(crate) fn equals_absent(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Binary(bytes)
            | Self::Prefix(bytes)
            | Self::Bit(bytes, _)
            | Self::Component(bytes, _) => bytes.is_empty(),
            Self::Substring(text) => text.is_empty(),
            Self::Regex(pattern, _) => pattern.as_str().is_empty(),
            Self::Long(_) | Self::BigDecimal(_) => false,
        }
    }

    /// Compares the operand with a stored value.
    pub(crate) fn compare(&self, value: &[u8]) -> Ordering {
        let found = |found: bool| if found { Ordering::Equal } else { Ordering::Greater };
        match self {
            Self::Binary(operand) => operand[..].cmp(value),
            Self::Prefix(operand) => operand[..].cmp(value.get(..operand.len()).unwrap_or(value)),
            Self::Long(operand) => match value.try_into() {
                Ok(bytes) => operand.cmp(&i64::from_be_bytes(bytes)),
                Err(_) => operand.to_be_bytes()[..].cmp(value),
            },
            // HBase throws a NullPointerException for a value that is not a number.
            Self::BigDecimal(operand) => match BigDecimal::read(value) {
                Some(number) => operand.compare(&number),
                None => Ordering::Greater,
            },
            Self::Bit(operand, operation) => {
                let any = operand.iter().zip(value).any(|(a, b)| match operation {
                    BitwiseOp::And => a & b != 0,
                    BitwiseOp::Or => a | b != 0,
                    BitwiseOp::Xor => a ^ b != 0,
                });
                found(operand.len() == value.len() && any)
            }
            Self::Null => Ordering::Greater,
            Self::Substring(operand) => {
                found(String::from_utf8_lossy(value).to_lowercase().contains(operand.as_str()))
            }
            Self::Regex(pattern, charset) => found(pattern.is_match(&charset.text(value))),
            Self::Component(operand, offset) => {
                let part = value.get(*offset..).unwrap_or_default();
                operand[..].cmp(part.get(..operand.len()).unwrap_or(part))
            }
        }
    }
}

/// The charset in which a regular expression reads bytes as text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Charset {
    Utf8,
    Latin1,
}

impl Charset {
    /// Returns the charset with this name; UTF-8 for an unknown name.
    fn of(name: &str) -> Self {
        let latin_1 = ["ISO-8859-1", "ISO_8859-1", "latin1"];
        match latin_1.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            true => Self::Latin1,
            false => Self::Utf8,
        }
    }

    fn text(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            Self::Utf8 => String::from_utf8_lossy(bytes),
            Self::Latin1 => bytes.iter().map(|b| char::from(*b)).collect(),
        }
    }
}

/// Removes `\Q` and `\E` from a Java pattern, and escapes the literal text between them.
fn without_quotes(pattern: &str) -> String {
    let mut plain = String::new();
    let mut rest = pattern;
    while let Some(at) = rest.find('\\') {
        let (before, from) = rest.split_at(at);
        plain.push_str(before);
        rest = from;
        if let Some(quoted) = rest.strip_prefix("\\Q") {
            let (literal, after) = quoted.split_once("\\E").unwrap_or((quoted, ""));
            plain.push_str(&regex_lite::escape(literal));
            rest = after;
        } else {
            let (escaped, after) = rest.split_at(rest.chars().take(2).map(char::len_utf8).sum());
            plain.push_str(escaped);
            rest = after;
        }
    }
    plain + rest
}

/// Compiles a Java pattern; the flags are those of `java.util.regex.Pattern`.
fn pattern(message: &RegexStringComparator) -> RemoteResult<Regex> {
    let flag = |bit: i32| message.pattern_flags & bit != 0;
    RegexBuilder::new(&without_quotes(&message.pattern))
        .case_insensitive(flag(2))
        .ignore_whitespace(flag(4))
        .multi_line(flag(8))
        .dot_matches_new_line(flag(32))
        .build()
        .map_err(|e| {
            remote_exception(
                exception::DO_NOT_RETRY,
                format!("pattern \"{}\": {e}", message.pattern),
            )
        })
}

/// Whether "operand `compare_type` value" holds, given how the two compare.
pub(crate) fn holds(compare_type: CompareType, ordering: Ordering) -> bool {
    match compare_type {
        CompareType::Less => ordering.is_lt(),
        CompareType::LessOrEqual => ordering.is_le(),
        CompareType::Equal => ordering.is_eq(),
        CompareType::NotEqual => ordering.is_ne(),
        CompareType::GreaterOrEqual => ordering.is_ge(),
        CompareType::Greater => ordering.is_gt(),
        CompareType::NoOp => false,
    }
}

/// A comparison of a filter. It is read as "stored part, comparison, operand"; a condition is read
/// the other way round.
#[derive(Clone, Debug)]
pub(crate) struct Comparison {
    compare_type: CompareType,
    comparator: Comparator,
}

impl Comparison {
    /// Decodes a comparison.
    pub(crate) fn decode(compare_type: i32, comparator: &proto::Comparator) -> RemoteResult<Self> {
        let compare_type = CompareType::try_from(compare_type)
            .map_err(|e| remote_exception(exception::DO_NOT_RETRY, e.to_string()))?;
        // A request with a filter that cannot be decoded must not be retried, whatever the reason.
        let comparator = Comparator::decode(comparator)
            .map_err(|e| RemoteException { class: exception::DO_NOT_RETRY.into(), ..e })?;
        Ok(Self { compare_type, comparator })
    }

    /// Whether the comparison holds for a part of a cell.
    pub(crate) fn holds(&self, part: &[u8]) -> bool {
        holds(self.compare_type, self.comparator.compare(part).reverse())
    }
}
