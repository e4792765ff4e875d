//! Turns comparators and comparison operators into HBase's messages.

use bytes::Bytes;
use prost::Message;

use crate::key::compat::hbase;
use crate::model::value::{EncodeCell, KeyEncoded};
use crate::request::filter::{
    BitwiseOp, Comparator, CompareOperator, LetterCase, Operand, RegexPattern, pattern_of_bits,
};
use crate::wire::proto::{self, ByteArrayComparable, CompareType, RegexStringComparator};

/// The Java package of HBase's own filters and comparators, with the trailing dot.
pub(super) const PACKAGE: &str = "org.apache.hadoop.hbase.filter.";

/// `Pattern.DOTALL`, which HBase's Java class `RegexStringComparator` sets by default.
const DOTALL: i32 = 32;
/// `Pattern.CASE_INSENSITIVE`, which ignores only the case of ASCII letters.
const ANY_ASCII_CASE: i32 = 2;
/// `Pattern.CASE_INSENSITIVE` and `Pattern.UNICODE_CASE`, which together ignore the case of all
/// letters.
const ANY_CASE: i32 = 2 | 64;

/// Converts a comparison operator whose left operand is the stored part of a cell, as in filters.
pub(super) fn compare_type(compare: CompareOperator) -> CompareType {
    match compare {
        CompareOperator::Less => CompareType::Less,
        CompareOperator::LessOrEqual => CompareType::LessOrEqual,
        CompareOperator::Equal => CompareType::Equal,
        CompareOperator::NotEqual => CompareType::NotEqual,
        CompareOperator::GreaterOrEqual => CompareType::GreaterOrEqual,
        CompareOperator::Greater => CompareType::Greater,
    }
}

pub(super) fn comparator_message(comparator: &Comparator) -> proto::Comparator {
    let comparable = |bytes: &Bytes| ByteArrayComparable { value: Some(bytes.clone()) };
    let binary =
        |bytes: &Bytes| proto::BinaryComparator { comparable: comparable(bytes) }.encode_to_vec();
    // The messages of the binary, prefix, long and decimal comparators have the same fields.
    let (name, message) = match &comparator.0 {
        Operand::Binary(bytes) => ("BinaryComparator", binary(bytes)),
        Operand::BinaryPrefix(bytes) => ("BinaryPrefixComparator", binary(bytes)),
        Operand::Long(number) => {
            ("LongComparator", binary(&Bytes::copy_from_slice(&number.to_be_bytes())))
        }
        Operand::BigDecimal(number) => {
            let mut bytes = Vec::new();
            // A number that cannot be encoded was already refused by `Comparator::problem`.
            let _ = KeyEncoded::<hbase::Bytes>::encode(number, &mut bytes);
            ("BigDecimalComparator", binary(&bytes.into()))
        }
        Operand::Custom(class, bytes) => {
            return proto::Comparator {
                name: class.clone(),
                serialized_comparator: Some(bytes.clone()),
            };
        }
        Operand::BinaryComponent(bytes, offset) => (
            "BinaryComponentComparator",
            proto::BinaryComponentComparator { value: bytes.clone(), offset: *offset }
                .encode_to_vec(),
        ),
        Operand::Bit(bytes, bits) => {
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
        Operand::AllBits(mask) => {
            ("RegexStringComparator", regex_message(&all_bits(mask)).encode_to_vec())
        }
        Operand::Null => ("NullComparator", Vec::new()),
        Operand::Regex(regex) => ("RegexStringComparator", regex_message(regex).encode_to_vec()),
        Operand::Substring(text) => (
            "SubstringComparator",
            proto::SubstringComparator { substr: text.to_lowercase() }.encode_to_vec(),
        ),
    };
    proto::Comparator {
        name: [PACKAGE, name].concat(),
        serialized_comparator: Some(message.into()),
    }
}

/// Returns the pattern of the bytes that have the length of a mask and all of its bits.
fn all_bits(mask: &[u8]) -> RegexPattern {
    RegexPattern::new(format!("\\A{}\\z", pattern_of_bits(mask))).latin_1()
}

fn regex_message(regex: &RegexPattern) -> RegexStringComparator {
    RegexStringComparator {
        pattern: regex.pattern.clone(),
        pattern_flags: DOTALL
            | match regex.ignore_case {
                LetterCase::Exact => 0,
                LetterCase::AnyAscii => ANY_ASCII_CASE,
                LetterCase::Any => ANY_CASE,
            },
        charset: if regex.latin_1 { "ISO-8859-1" } else { "UTF-8" }.into(),
        engine: Some("JAVA".into()),
    }
}
