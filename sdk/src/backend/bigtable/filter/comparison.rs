//! Converts comparisons to the sets of strings for which they hold.

use super::byte_ranges::ByteRanges;
use super::pattern::{StringSet, any_bytes, any_of};
use super::text_pattern;
use crate::request::filter::{BitwiseOp, Comparator, CompareOperator, Operand};

/// Returns the strings for which a comparison holds; `None` if Bigtable cannot make the comparison.
pub(super) fn matching_strings(
    compare: CompareOperator,
    comparator: &Comparator,
) -> Option<StringSet> {
    let equal = match &comparator.0 {
        Operand::Binary(bytes) => {
            return Some(StringSet::Ranges(ByteRanges::where_compare(compare, bytes)));
        }
        Operand::BinaryPrefix(bytes) => {
            return Some(StringSet::Ranges(ByteRanges::compared_prefix(compare, bytes)));
        }
        Operand::Long(number) => {
            return Some(StringSet::Ranges(ByteRanges::compared_long(compare, *number)));
        }
        Operand::BinaryComponent(bytes, offset) => return component(compare, bytes, *offset),
        Operand::Null => StringSet::Ranges(ByteRanges::empty()),
        Operand::Bit(bytes, operation) => bits(bytes, *operation),
        Operand::AllBits(mask) => StringSet::Bits { mask: mask.clone(), negated: false },
        Operand::Regex(regex) => StringSet::regex(text_pattern::java_regex_pattern(regex)?),
        Operand::Substring(text) => StringSet::regex(text_pattern::substring_pattern(text)?),
        Operand::BigDecimal(_) | Operand::Custom(..) => return None,
    };
    match compare {
        CompareOperator::Equal => Some(equal),
        CompareOperator::NotEqual => Some(equal.complement()),
        _ => None,
    }
}

/// Returns the strings for which `part <compare> bytes` holds, where `part` begins at `offset` in
/// the string and is as long as `bytes`.
fn component(compare: CompareOperator, bytes: &[u8], offset: u32) -> Option<StringSet> {
    let rest = StringSet::Ranges(ByteRanges::compared_prefix(compare, bytes)).to_regex()?;
    let offset = usize::try_from(offset).unwrap_or(usize::MAX);
    Some(StringSet::regex(any_bytes(offset) + &rest))
}

/// Returns the strings that are as long as `with` and for which `operation`, applied to the string
/// and `with`, gives a result with any bit set.
fn bits(with: &[u8], operation: BitwiseOp) -> StringSet {
    let remains = |with: u8, byte: u8| match operation {
        BitwiseOp::And => with & byte != 0,
        BitwiseOp::Or => with | byte != 0,
        BitwiseOp::Xor => with ^ byte != 0,
    };
    let class = |with: u8| {
        let mut kept = String::new();
        let mut from = 0_u16;
        while from < 0x100 {
            let inside = |byte: &u16| remains(with, u8::try_from(*byte).unwrap_or_default());
            let to = from + (from..0x100).take_while(inside).count() as u16;
            if to > from {
                kept.push_str(&format!("\\x{from:02x}-\\x{:02x}", to - 1));
            }
            from = to + 1;
        }
        (!kept.is_empty()).then(|| format!("[{kept}]"))
    };
    let alternatives = with.iter().enumerate();
    let parts: Vec<String> = alternatives
        .filter_map(|(at, with)| Some((at, class(*with)?)))
        .map(|(at, some)| {
            let behind = with.len().saturating_sub(at).saturating_sub(1);
            any_bytes(at) + &some + &any_bytes(behind)
        })
        .collect();
    match parts.is_empty() {
        true => StringSet::Ranges(ByteRanges::empty()),
        false => StringSet::regex(any_of(parts)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(compare: CompareOperator, comparator: Comparator) -> String {
        match matching_strings(compare, &comparator) {
            None => "none".into(),
            Some(pattern) => pattern.to_regex().unwrap_or_else(|| "nothing".into()),
        }
    }

    #[test]
    fn comparisons_are_patterns() {
        let equal = CompareOperator::Equal;
        assert_eq!(shown(equal, Comparator::binary("a")), "a");
        assert_eq!(shown(equal, Comparator::binary_prefix("a")), "a\\C*");
        assert_eq!(shown(equal, Comparator::binary_component("a", 1_002)), "\\C{1000}\\C{2}a\\C*");
        assert_eq!(shown(equal, Comparator::null()), "nothing");
        assert_eq!(shown(CompareOperator::NotEqual, Comparator::null()), "\\C*");
        let bit = |operation, bytes: &[u8]| shown(equal, Comparator::bit(operation, bytes));
        assert_eq!(bit(BitwiseOp::And, &[0x80]), "[\\x80-\\xff]");
        assert_eq!(
            bit(BitwiseOp::Xor, &[1, 2]),
            "([\\x00-\\x00\\x02-\\xff]\\C{1}|\\C{1}[\\x00-\\x01\\x03-\\xff])"
        );
        assert_eq!(bit(BitwiseOp::And, &[0]), "nothing");
        assert_eq!(bit(BitwiseOp::Or, &[]), "nothing");
        assert_eq!(shown(CompareOperator::NotEqual, Comparator::substring("a")), "nothing");
        assert_eq!(shown(equal, Comparator::custom("c", "")), "none");
        assert_eq!(shown(equal, Comparator::regex("(?=a)")), "none");
    }
}
