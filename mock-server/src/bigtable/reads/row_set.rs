//! The rows of a read, as ranges that are sorted, not empty, and do not overlap.

use std::collections::VecDeque;
use std::fmt;

use bytes::Bytes;
use tallrow_wire::bigtable::{EndKey, RowRange, RowSet, StartKey};

use crate::bigtable::status::{StatusResult, invalid};

/// The row keys from `start` up to, but not including, `end`; without an end, up to the last row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KeyRange {
    pub(super) start: Bytes,
    pub(super) end: Option<Bytes>,
}

/// Returns the ranges of a row set; an empty set is the whole table.
pub(super) fn ranges(set: Option<&RowSet>) -> StatusResult<VecDeque<KeyRange>> {
    let Some(set) = set.filter(|s| !s.row_keys.is_empty() || !s.row_ranges.is_empty()) else {
        return Ok(VecDeque::from([KeyRange { start: Bytes::new(), end: None }]));
    };
    let mut ranges = Vec::with_capacity(set.row_keys.len() + set.row_ranges.len());
    for (at, key) in set.row_keys.iter().enumerate() {
        if key.is_empty() {
            return Err(invalid(format!(
                "Error in field 'row_keys' : Error in element #{at} : Row keys must be non-empty"
            )));
        }
        ranges.push(KeyRange { start: key.clone(), end: Some(successor(key)) });
    }
    for (at, range) in set.row_ranges.iter().enumerate() {
        ranges.extend(key_range(range, &format_args!("'row_ranges' : Error in element #{at}"))?);
    }
    ranges.sort_by(|a, b| a.start.cmp(&b.start));
    Ok(merged(ranges))
}

/// Decodes a range; `None` if it is empty. `field` is the place of the range in the request, for
/// error texts.
pub(super) fn key_range(
    range: &RowRange,
    field: &dyn fmt::Display,
) -> StatusResult<Option<KeyRange>> {
    let (start, open) = match &range.start_key {
        None => (Bytes::new(), false),
        Some(StartKey::StartKeyClosed(key)) => (key.clone(), false),
        Some(StartKey::StartKeyOpen(key)) => (key.clone(), !key.is_empty()),
    };
    let (end, closed) = match &range.end_key {
        None => (Bytes::new(), false),
        Some(EndKey::EndKeyOpen(key)) => (key.clone(), false),
        Some(EndKey::EndKeyClosed(key)) => (key.clone(), true),
    };
    if !end.is_empty() && start > end {
        return Err(invalid(format!(
            "Error in field {field} : start_key must be less than end_key"
        )));
    }
    let start = if open { successor(&start) } else { start };
    let end = match (end.is_empty(), closed) {
        (true, _) => None,
        (false, true) => Some(successor(&end)),
        (false, false) => Some(end),
    };
    let empty = end.as_ref().is_some_and(|end| start >= end);
    Ok((!empty).then_some(KeyRange { start, end }))
}

/// Returns the ranges of the rows with any of these prefixes.
pub(super) fn of_prefixes(prefixes: &[Bytes]) -> VecDeque<KeyRange> {
    let range = |prefix: &Bytes| KeyRange { start: prefix.clone(), end: end_of_prefix(prefix) };
    let mut ranges: Vec<_> = prefixes.iter().map(range).collect();
    ranges.sort_by(|a, b| a.start.cmp(&b.start));
    merged(ranges)
}

/// Returns the first key after those with a prefix; `None` if no key is after them.
fn end_of_prefix(prefix: &[u8]) -> Option<Bytes> {
    let last = prefix.iter().rposition(|byte| *byte != u8::MAX)?;
    let mut end = prefix.get(..=last)?.to_vec();
    *end.last_mut()? += 1;
    Some(end.into())
}

/// Returns what is in both of two lists of ranges, which are sorted and do not overlap.
pub(super) fn intersection(
    ranges: &VecDeque<KeyRange>,
    others: &VecDeque<KeyRange>,
) -> VecDeque<KeyRange> {
    let mut both = VecDeque::new();
    let mut others = others.iter().peekable();
    for range in ranges {
        while let Some(other) = others.peek() {
            both.extend(range.intersection(other));
            let ends_first = match (&other.end, &range.end) {
                (Some(other), Some(end)) => other < end,
                (Some(_), None) => true,
                (None, _) => false,
            };
            if !ends_first {
                break;
            }
            others.next();
        }
    }
    both
}

impl KeyRange {
    /// Returns what is in both ranges, if anything is.
    fn intersection(&self, other: &Self) -> Option<Self> {
        let start = self.start.clone().max(other.start.clone());
        let end = match (&self.end, &other.end) {
            (Some(a), Some(b)) => Some(a.clone().min(b.clone())),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        let has_rows = end.as_ref().is_none_or(|end| start < *end);
        has_rows.then_some(Self { start, end })
    }
}

fn merged(sorted: Vec<KeyRange>) -> VecDeque<KeyRange> {
    let mut merged: VecDeque<KeyRange> = VecDeque::with_capacity(sorted.len());
    for next in sorted {
        match merged.back_mut() {
            Some(last) if last.end.as_ref().is_none_or(|end| next.start <= end) => {
                if last.end.is_some() && (next.end.is_none() || next.end > last.end) {
                    last.end = next.end;
                }
            }
            _ => merged.push_back(next),
        }
    }
    merged
}

/// Returns the next key after a key.
pub(super) fn successor(key: &[u8]) -> Bytes {
    let mut next = Vec::with_capacity(key.len() + 1);
    next.extend_from_slice(key);
    next.push(0);
    next.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: StartKey, end: EndKey) -> RowRange {
        RowRange { start_key: Some(start), end_key: Some(end) }
    }

    fn of(keys: &[&'static str], ranges_: Vec<RowRange>) -> Vec<(Bytes, Option<Bytes>)> {
        let row_keys = keys.iter().map(|k| Bytes::from(*k)).collect();
        let set = RowSet { row_keys, row_ranges: ranges_ };
        ranges(Some(&set)).unwrap().into_iter().map(|r| (r.start, r.end)).collect()
    }

    #[test]
    fn keys_and_ranges_become_sorted_ranges_without_overlaps() {
        assert_eq!(ranges(None).unwrap(), [KeyRange { start: "".into(), end: None }]);
        let closed = |a, b| range(StartKey::StartKeyClosed(a), EndKey::EndKeyClosed(b));
        let open = |a, b| range(StartKey::StartKeyOpen(a), EndKey::EndKeyOpen(b));
        assert_eq!(
            of(&["x", "b", "b"], vec![closed("a".into(), "c".into())]),
            [("a".into(), Some("c\0".into())), ("x".into(), Some("x\0".into()))]
        );
        assert_eq!(of(&[], vec![open("a".into(), "a\0".into())]), []);
        let all = [("a".into(), None)];
        assert_eq!(of(&["z"], vec![closed("a".into(), "".into())]), all);
    }

    #[test]
    fn prefixes_become_ranges_and_ranges_are_intersected() {
        let of = |prefixes: &[&'static [u8]]| {
            let prefixes: Vec<_> = prefixes.iter().map(|p| Bytes::from_static(p)).collect();
            of_prefixes(&prefixes)
        };
        let range = |start: &'static [u8], end: Option<&'static [u8]>| KeyRange {
            start: Bytes::from_static(start),
            end: end.map(Bytes::from_static),
        };
        assert_eq!(of(&[]), []);
        assert_eq!(of(&[b"b", b"a\xff", b"a\xff1"]), [range(b"a\xff", Some(b"c"))]);
        assert_eq!(of(&[b"\xff\xff", b"a"]), [range(b"a", Some(b"b")), range(b"\xff\xff", None)]);
        assert_eq!(of(&[b"x", b""]), [range(b"", None)]);
        let ranges = VecDeque::from([
            range(b"a", Some(b"c")),
            range(b"d", Some(b"e")),
            range(b"f", Some(b"g")),
            range(b"m", None),
        ]);
        let others = VecDeque::from([
            range(b"b", Some(b"d5")),
            range(b"fa", Some(b"fb")),
            range(b"x", None),
        ]);
        let both = [
            range(b"b", Some(b"c")),
            range(b"d", Some(b"d5")),
            range(b"fa", Some(b"fb")),
            range(b"x", None),
        ];
        assert_eq!(intersection(&ranges, &others), both);
        assert_eq!(intersection(&others, &ranges), both);
        assert_eq!(intersection(&ranges, &of(&[b""])), ranges);
        assert_eq!(intersection(&ranges, &of(&[])), []);
    }

    #[test]
    fn an_inverted_range_and_an_empty_key_are_refused() {
        let inverted = range(StartKey::StartKeyClosed("b".into()), EndKey::EndKeyOpen("a".into()));
        let set = RowSet { row_keys: Vec::new(), row_ranges: vec![inverted] };
        assert!(ranges(Some(&set)).unwrap_err().message.contains("element #0 : start_key must be"));
        let set = RowSet { row_keys: vec![Bytes::new()], row_ranges: Vec::new() };
        assert!(ranges(Some(&set)).unwrap_err().message.contains("must be non-empty"));
    }
}
