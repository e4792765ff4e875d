//! The rows that a scan has still to return.

use bytes::Bytes;

use crate::key::RowRange;
use crate::wire::bigtable::{EndKey, RowRange as RangeMessage, RowSet, StartKey};

pub(super) struct Remaining {
    /// All rows of the scan. No keys and no ranges would be the whole table.
    rows: RowSet,
    reversed: bool,
    limit: Option<u64>,
    /// The last row that was returned or looked at.
    last: Option<Bytes>,
    ended: bool,
}

impl Remaining {
    pub(super) fn new(range: &RowRange, reversed: bool, limit: Option<u64>) -> Self {
        let copy = Bytes::copy_from_slice;
        let start =
            (!range.start().is_empty()).then(|| StartKey::StartKeyClosed(copy(range.start())));
        let end = range.stop().map(|stop| EndKey::EndKeyOpen(copy(stop)));
        let ranges = vec![RangeMessage { start_key: start, end_key: end }];
        let rows = RowSet { row_keys: Vec::new(), row_ranges: ranges };
        Self { ended: range.is_empty(), ..Self::of(rows, reversed, limit) }
    }

    /// Those of a set, or of the whole table.
    pub(super) fn of(mut rows: RowSet, reversed: bool, limit: Option<u64>) -> Self {
        if rows.row_keys.is_empty() && rows.row_ranges.is_empty() {
            rows.row_ranges.push(RangeMessage::default());
        }
        Self { rows, reversed, limit, last: None, ended: false }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ended || self.limit_is_reached() || self.is_read()
    }

    pub(super) fn limit_is_reached(&self) -> bool {
        self.limit == Some(0)
    }

    /// Whether nothing can come after the last row. An empty set of rows would be the whole table.
    fn is_read(&self) -> bool {
        let rest = self.rows();
        rest.row_keys.is_empty() && rest.row_ranges.is_empty()
    }

    pub(super) fn end(&mut self) {
        self.ended = true;
    }

    /// A row was returned.
    pub(super) fn pass(&mut self) {
        self.limit = self.limit.map(|limit| limit.saturating_sub(1));
    }

    /// A stream that begins now continues after this row.
    pub(super) fn after(&mut self, last: Option<&Bytes>) {
        self.last = last.cloned();
    }

    /// 0 is no limit.
    pub(super) fn limit(&self) -> i64 {
        self.limit.map_or(0, |limit| i64::try_from(limit).unwrap_or(i64::MAX))
    }

    pub(super) fn rows(&self) -> RowSet {
        let Some(last) = &self.last else { return self.rows.clone() };
        let is_left = |key: &&Bytes| if self.reversed { *key < last } else { *key > last };
        let rest = if self.reversed { before } else { after };
        RowSet {
            row_keys: self.rows.row_keys.iter().filter(is_left).cloned().collect(),
            row_ranges: self.rows.row_ranges.iter().filter_map(|range| rest(range, last)).collect(),
        }
    }
}

/// What is left of a range after a row; none if nothing can be.
fn after(range: &RangeMessage, last: &Bytes) -> Option<RangeMessage> {
    let is_over = match &range.end_key {
        Some(EndKey::EndKeyOpen(end)) => !end.is_empty() && !is_between(last, end),
        Some(EndKey::EndKeyClosed(end)) => !end.is_empty() && end <= last,
        None => false,
    };
    let is_ahead = match &range.start_key {
        Some(StartKey::StartKeyClosed(start)) => start > last,
        Some(StartKey::StartKeyOpen(start)) => start >= last,
        None => false,
    };
    let start = match is_ahead {
        true => range.start_key.clone(),
        false => Some(StartKey::StartKeyOpen(last.clone())),
    };
    (!is_over).then(|| RangeMessage { start_key: start, end_key: range.end_key.clone() })
}

/// What is left of a range that is read backwards.
fn before(range: &RangeMessage, last: &Bytes) -> Option<RangeMessage> {
    let is_over = match &range.start_key {
        Some(StartKey::StartKeyClosed(start)) => last <= start,
        Some(StartKey::StartKeyOpen(start)) => !is_between(start, last),
        None => last.is_empty(),
    };
    let is_ahead = match &range.end_key {
        Some(EndKey::EndKeyClosed(end)) => !end.is_empty() && end < last,
        Some(EndKey::EndKeyOpen(end)) => !end.is_empty() && end <= last,
        None => false,
    };
    let end = match is_ahead {
        true => range.end_key.clone(),
        false => Some(EndKey::EndKeyOpen(last.clone())),
    };
    (!is_over).then(|| RangeMessage { start_key: range.start_key.clone(), end_key: end })
}

/// Whether there can be a key after the first and before the second.
fn is_between(first: &[u8], second: &[u8]) -> bool {
    let next = || first.iter().chain(&[0]);
    first < second && !second.iter().eq(next())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::RowBuf;

    fn range(start: &[u8], stop: Option<&[u8]>) -> RowRange {
        RowRange::new(RowBuf::from_slice(start), stop.map(RowBuf::from_slice))
    }

    fn bounds(rest: &Remaining) -> (Option<StartKey>, Option<EndKey>) {
        let range = rest.rows().row_ranges.remove(0);
        (range.start_key, range.end_key)
    }

    #[test]
    fn a_scan_continues_after_its_last_row() {
        let mut rest = Remaining::new(&range(b"b", Some(b"m")), false, Some(2));
        let closed = StartKey::StartKeyClosed("b".into());
        let end = || Some(EndKey::EndKeyOpen("m".into()));
        assert_eq!(bounds(&rest), (Some(closed), end()));
        rest.after(Some(&"c".into()));
        rest.pass();
        assert_eq!(bounds(&rest), (Some(StartKey::StartKeyOpen("c".into())), end()));
        assert_eq!(rest.limit(), 1);
        rest.pass();
        assert!(rest.is_empty(), "a limit of 0 would be none");
    }

    #[test]
    fn nothing_is_left_after_the_last_row_that_there_can_be() {
        let mut rest = Remaining::new(&range(b"b", Some(b"m\0")), false, None);
        rest.after(Some(&"l".into()));
        assert!(!rest.is_empty());
        rest.after(Some(&"m".into()));
        assert!(rest.is_empty());
        let mut rest = Remaining::new(&range(b"b", None), true, None);
        rest.after(Some(&"c".into()));
        assert!(!rest.is_empty());
        let before = Some(EndKey::EndKeyOpen("c".into()));
        assert_eq!(bounds(&rest), (Some(StartKey::StartKeyClosed("b".into())), before));
        rest.after(Some(&"b".into()));
        assert!(rest.is_empty());
        assert!(Remaining::new(&range(b"b", Some(b"b")), false, None).is_empty());
    }

    #[test]
    fn a_set_is_what_is_left_of_its_keys_and_ranges() {
        let closed = |start: &'static str, end: &'static str| RangeMessage {
            start_key: Some(StartKey::StartKeyClosed(start.into())),
            end_key: Some(EndKey::EndKeyClosed(end.into())),
        };
        let keys: Vec<Bytes> = ["a", "c", "x"].map(Bytes::from).into();
        let set = RowSet { row_keys: keys, row_ranges: vec![closed("b", "d"), closed("m", "p")] };
        let left = |reversed, last: &'static str| {
            let mut rest = Remaining::of(set.clone(), reversed, None);
            rest.after(Some(&last.into()));
            (rest.rows(), rest.is_empty())
        };
        let (rows, is_empty) = left(false, "c");
        assert_eq!(rows.row_keys, ["x"]);
        let open = Some(StartKey::StartKeyOpen("c".into()));
        let first = RangeMessage { start_key: open, ..closed("b", "d") };
        assert_eq!((rows.row_ranges, is_empty), (vec![first, closed("m", "p")], false));
        assert_eq!(left(false, "d").0.row_ranges, [closed("m", "p")]);
        assert!(left(false, "x").1);

        let (rows, is_empty) = left(true, "c");
        assert_eq!((rows.row_keys, is_empty), (vec!["a".into()], false));
        let open = Some(EndKey::EndKeyOpen("c".into()));
        assert_eq!(rows.row_ranges, [RangeMessage { end_key: open, ..closed("b", "d") }]);
        assert!(left(true, "a").1);
        assert!(!Remaining::of(RowSet::default(), false, None).is_empty(), "the whole table");
    }
}
