//! Sets of byte strings that are stored as ranges in lexicographic order.

use std::ops::Bound;

use bytes::Bytes;

use crate::key::RowRange;
use crate::request::filter::CompareOperator;

/// A set of byte strings, stored as sorted ranges. A range contains its start, and ends before
/// another string or has no end. Between any two ranges there are strings that are not in the set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ByteRanges(Vec<(Vec<u8>, Option<Vec<u8>>)>);

impl ByteRanges {
    pub(super) fn all() -> Self {
        Self(vec![(Vec::new(), None)])
    }

    pub(super) fn empty() -> Self {
        Self(Vec::new())
    }

    pub(super) fn exactly(bytes: &[u8]) -> Self {
        Self::new(bytes.to_vec(), Some(after(bytes)))
    }

    /// Returns the strings that begin with `bytes`.
    pub(super) fn prefix(bytes: &[u8]) -> Self {
        Self::new(bytes.to_vec(), after_prefix(bytes))
    }

    pub(super) fn between(from: Bound<&[u8]>, to: Bound<&[u8]>) -> Self {
        let start = match from {
            Bound::Included(bytes) => bytes.to_vec(),
            Bound::Excluded(bytes) => after(bytes),
            Bound::Unbounded => Vec::new(),
        };
        let end = match to {
            Bound::Included(bytes) => Some(after(bytes)),
            Bound::Excluded(bytes) => Some(bytes.to_vec()),
            Bound::Unbounded => None,
        };
        Self::new(start, end)
    }

    pub(super) fn from_row_ranges(ranges: &[RowRange]) -> Self {
        let range =
            |range: &RowRange| Self::new(range.start().to_vec(), range.stop().map(<[u8]>::to_vec));
        Self::union_of(ranges.iter().map(range))
    }

    /// Returns the strings for which `string <compare> with` holds.
    pub(super) fn where_compare(compare: CompareOperator, with: &[u8]) -> Self {
        Self::around(compare, with, Some(after(with)))
    }

    /// Returns the strings for which `beginning <compare> with` holds, where `beginning` is the
    /// string cut to the length of `with`.
    pub(super) fn compared_prefix(compare: CompareOperator, with: &[u8]) -> Self {
        Self::around(compare, with, after_prefix(with))
    }

    /// Returns ranges that contain the 8-byte strings for which `number <compare> with` holds,
    /// where `number` is the signed big-endian value of the string.
    pub(super) fn compared_long(compare: CompareOperator, with: i64) -> Self {
        let negative = || Self::new(vec![0x80], None);
        let bytes = with.to_be_bytes();
        let below = match with < 0 {
            true => Self::new(vec![0x80], Some(bytes.to_vec())),
            false => negative().union(Self::new(Vec::new(), Some(bytes.to_vec()))),
        };
        let equal = Self::exactly(&bytes);
        match compare {
            CompareOperator::Less => below,
            CompareOperator::LessOrEqual => below.union(equal),
            CompareOperator::Equal => equal,
            CompareOperator::NotEqual => equal.complement(),
            CompareOperator::GreaterOrEqual => below.complement(),
            CompareOperator::Greater => below.union(equal).complement(),
        }
    }

    /// Returns the strings for which `string <compare> range` holds, where the strings from `start`
    /// to before `end` count as equal to the range.
    fn around(compare: CompareOperator, start: &[u8], end: Option<Vec<u8>>) -> Self {
        let equal = || Self::new(start.to_vec(), end.clone());
        let below = || Self::new(Vec::new(), Some(start.to_vec()));
        match compare {
            CompareOperator::Less => below(),
            CompareOperator::LessOrEqual => Self::new(Vec::new(), end.clone()),
            CompareOperator::Equal => equal(),
            CompareOperator::NotEqual => equal().complement(),
            CompareOperator::GreaterOrEqual => below().complement(),
            CompareOperator::Greater => Self::new(Vec::new(), end.clone()).complement(),
        }
    }

    fn new(start: Vec<u8>, end: Option<Vec<u8>>) -> Self {
        match &end {
            Some(end) if *end <= start => Self::empty(),
            _ => Self(vec![(start, end)]),
        }
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self::union_of([self, other])
    }

    /// Returns the union of many sets. This sorts all ranges only once, instead of once for each
    /// set that is added.
    pub(super) fn union_of(sets: impl IntoIterator<Item = Self>) -> Self {
        let mut all: Vec<_> = sets.into_iter().flat_map(|set| set.0).collect();
        all.sort();
        let mut merged: Vec<(Vec<u8>, Option<Vec<u8>>)> = Vec::new();
        for (start, end) in all {
            match merged.last_mut() {
                Some((_, last)) if last.as_ref().is_none_or(|last| start <= *last) => {
                    match (&last, end) {
                        (None, _) => {}
                        (Some(_), None) => *last = None,
                        (Some(before), Some(end)) if end > *before => *last = Some(end),
                        (Some(_), Some(_)) => {}
                    }
                }
                _ => merged.push((start, end)),
            }
        }
        Self(merged)
    }

    pub(super) fn intersection(self, other: Self) -> Self {
        self.complement().union(other.complement()).complement()
    }

    pub(super) fn complement(&self) -> Self {
        let mut outside = Vec::new();
        let mut from = Some(Vec::new());
        for (start, end) in &self.0 {
            if let Some(from) = from.filter(|from| from < start) {
                outside.push((from, Some(start.clone())));
            }
            from = end.clone();
        }
        outside.extend(from.map(|from| (from, None)));
        Self(outside)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn is_all(&self) -> bool {
        *self == Self::all()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u8], Option<&[u8]>)> {
        self.0.iter().map(|(start, end)| (&start[..], end.as_deref()))
    }

    pub(super) fn contains(&self, bytes: &[u8]) -> bool {
        self.iter().any(|(start, end)| start <= bytes && end.is_none_or(|end| bytes < end))
    }

    /// Returns the only string in the set; `None` unless the set has exactly one string.
    pub(super) fn as_single(&self) -> Option<&[u8]> {
        match &self.0[..] {
            [(start, Some(end))] if *end == after(start) => Some(start),
            _ => None,
        }
    }
}

/// Borrows the bytes of a bound of a range.
pub(super) fn bound(bound: &Bound<Bytes>) -> Bound<&[u8]> {
    bound.as_ref().map(|bytes| &bytes[..])
}

/// Returns the first string after `bytes`.
fn after(bytes: &[u8]) -> Vec<u8> {
    [bytes, &[0]].concat()
}

/// Returns the first string after all strings with the prefix `bytes`, if there is one.
fn after_prefix(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut end = bytes.to_vec();
    while let Some(last) = end.pop() {
        if let Some(next) = last.checked_add(1) {
            end.push(next);
            return Some(end);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contains(ranges: &ByteRanges, bytes: &[u8]) -> bool {
        ranges.iter().any(|(start, end)| start <= bytes && end.is_none_or(|end| bytes < end))
    }

    fn holds(compare: CompareOperator, order: std::cmp::Ordering) -> bool {
        match compare {
            CompareOperator::Less => order.is_lt(),
            CompareOperator::LessOrEqual => order.is_le(),
            CompareOperator::Equal => order.is_eq(),
            CompareOperator::NotEqual => order.is_ne(),
            CompareOperator::GreaterOrEqual => order.is_ge(),
            CompareOperator::Greater => order.is_gt(),
        }
    }

    /// All strings of up to 3 of these bytes.
    pub(in super::super) fn strings() -> Vec<Vec<u8>> {
        let bytes = [0x00, 0x01, b'a', 0xFE, 0xFF];
        let mut all = vec![Vec::new()];
        let mut from = 0;
        for _ in 0..3 {
            let to = all.len();
            for i in from..to {
                all.extend(bytes.map(|byte| [&all[i][..], &[byte]].concat()));
            }
            from = to;
        }
        all
    }

    #[test]
    fn comparisons_are_ranges() {
        for with in strings().iter().filter(|with| with.len() < 3) {
            for compare in CompareOperator::ALL {
                let whole = ByteRanges::where_compare(compare, with);
                let prefix = ByteRanges::compared_prefix(compare, with);
                for bytes in strings() {
                    assert_eq!(contains(&whole, &bytes), holds(compare, bytes.cmp(with)));
                    let cut = &bytes[..bytes.len().min(with.len())];
                    assert_eq!(contains(&prefix, &bytes), holds(compare, cut.cmp(&with[..])));
                    assert_eq!(contains(&whole.complement(), &bytes), !contains(&whole, &bytes));
                }
            }
        }
    }

    #[test]
    fn numbers_compare_with_their_sign() {
        let numbers = [i64::MIN, -2, -1, 0, 1, 2, i64::MAX];
        for with in numbers {
            for compare in CompareOperator::ALL {
                let ranges = ByteRanges::compared_long(compare, with);
                for number in numbers {
                    let found = contains(&ranges, &number.to_be_bytes());
                    assert_eq!(
                        found,
                        holds(compare, number.cmp(&with)),
                        "{number} {compare:?} {with}"
                    );
                }
            }
        }
    }

    #[test]
    fn sets_are_in_one_form() {
        let range = |a: &str, b: &str| ByteRanges::new(a.into(), Some(b.into()));
        let both = range("c", "e").union(range("a", "c")).union(range("x", "y"));
        assert_eq!(both.iter().count(), 2);
        assert_eq!(both.clone().intersection(range("d", "xx")).iter().count(), 2);
        assert_eq!(both.clone().union(both.complement()), ByteRanges::all());
        assert!(both.clone().intersection(both.complement()).is_empty());
        assert_eq!(ByteRanges::exactly(b"a").as_single(), Some(&b"a"[..]));
        assert_eq!(ByteRanges::prefix(b"a").as_single(), None);
        assert_eq!(range("a", "z").union(range("b", "c")), range("a", "z"));
    }
}
