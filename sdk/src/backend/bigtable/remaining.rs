//! The rows that a scan has yet to return.
//!
//! # Invariants
//!
//! - On Bigtable too, a scan returns every row once and in order, even if streams break. Once it
//!   has all rows, it sends no further request. Tests:
//!   `only_rows_that_were_asked_for_are_returned`,
//!   `nothing_is_left_after_the_last_row_that_there_can_be`, `tests/peers/conformance`.

use bytes::Bytes;

use super::explanation::unrequested_row_text;
use crate::key::RowRange;
use crate::wire::bigtable::{EndKey, RowRange as RangeMessage, RowSet, StartKey};

type Range = (Bytes, Option<Bytes>);

pub(super) struct RemainingRows {
    /// The keys of single rows, sorted, without keys that are in `ranges`.
    keys: Vec<Bytes>,
    /// The ranges of more than one row, sorted and not overlapping.
    ranges: Vec<Range>,
    reversed: bool,
    limit: Option<u64>,
    /// The last row that was returned, or that the server has looked at.
    last: Option<Bytes>,
    ended: bool,
}

impl RemainingRows {
    /// Returns the remaining rows of a scan of `range` that has not begun. If `among` is given, the
    /// scan returns only the rows that are also in one of these ranges.
    pub(super) fn new(
        range: &RowRange,
        among: Option<&[RowRange]>,
        reversed: bool,
        limit: Option<u64>,
    ) -> Self {
        let whole = bounds(range);
        let ranges = match among {
            None => vec![whole],
            Some(among) => {
                let mut parts: Vec<Range> =
                    among.iter().map(|part| intersection(&bounds(part), &whole)).collect();
                parts.sort();
                parts.into_iter().filter(|part| !is_empty(part)).fold(Vec::new(), with)
            }
        };
        let ended = range.is_empty() || ranges.is_empty();
        let (rows, ranges): (Vec<Range>, _) = ranges.into_iter().partition(is_one_row);
        let keys = rows.into_iter().map(|(key, _)| key).collect();
        Self { keys, ranges, reversed, limit, last: None, ended }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ended || self.limit_is_reached() || self.is_read()
    }

    pub(super) fn limit_is_reached(&self) -> bool {
        self.limit == Some(0)
    }

    /// Whether no requested row can follow the last row. A request for an empty set of rows would
    /// read the whole table.
    fn is_read(&self) -> bool {
        self.last.is_some()
            && !self.keys.iter().any(|key| self.is_ahead(key))
            && self.ranges.iter().all(|range| self.is_behind(range))
    }

    /// Whether a row comes after the last row, in the order of the scan.
    fn is_ahead(&self, key: &Bytes) -> bool {
        self.last.as_ref().is_none_or(|last| if self.reversed { key < last } else { key > last })
    }

    /// Whether no row of a range comes after the last row, in the order of the scan.
    fn is_behind(&self, (start, stop): &Range) -> bool {
        let Some(last) = &self.last else { return false };
        match (self.reversed, stop) {
            (true, _) => *last <= *start,
            (false, Some(stop)) => stop <= last || is_next(last, stop),
            (false, None) => false,
        }
    }

    pub(super) fn mark_ended(&mut self) {
        self.ended = true;
    }

    /// Notes that a row was returned; fails with the reason if the row was not asked for.
    pub(super) fn record_row(&mut self, row: &[u8]) -> Result<(), String> {
        if self.limit_is_reached() {
            return Err(format!("row \"{}\", past the limit", row.escape_ascii()));
        }
        if !self.has(row) {
            return Err(unrequested_row_text(row));
        }
        self.limit = self.limit.map(|limit| limit - 1);
        Ok(())
    }

    /// Whether a row was requested.
    fn has(&self, row: &[u8]) -> bool {
        let begin = self.ranges.partition_point(|(start, _)| &**start <= row);
        let range = begin.checked_sub(1).and_then(|at| self.ranges.get(at));
        range.is_some_and(|(_, stop)| stop.as_ref().is_none_or(|stop| row < &**stop))
            || self.keys.binary_search_by(|key| (**key).cmp(row)).is_ok()
    }

    /// Sets the row after which the next stream continues.
    pub(super) fn set_last_row(&mut self, last: Option<&[u8]>) {
        self.last = last.map(Bytes::copy_from_slice);
    }

    /// Returns the rows that the next stream requests, and the maximum number of rows, where 0 is
    /// no limit. Returns `None` if no rows are left: a request without rows would read the whole
    /// table.
    pub(super) fn next_request(&self) -> Option<(RowSet, i64)> {
        let limit = self.limit.map_or(0, |limit| i64::try_from(limit).unwrap_or(i64::MAX));
        (!self.is_empty()).then(|| (self.rows(), limit))
    }

    fn rows(&self) -> RowSet {
        let rest = self.ranges.iter().filter(|range| !self.is_behind(range));
        let row_ranges = rest.map(|range| self.rest_of(range)).collect();
        let row_keys = self.keys.iter().filter(|key| self.is_ahead(key)).cloned().collect();
        RowSet { row_keys, row_ranges }
    }

    fn rest_of(&self, (first, stop): &Range) -> RangeMessage {
        let mut start = (!first.is_empty()).then(|| StartKey::StartKeyClosed(first.clone()));
        let mut end = stop.clone().map(EndKey::EndKeyOpen);
        match (&self.last, self.reversed) {
            (Some(last), false) if last >= first => {
                start = Some(StartKey::StartKeyOpen(last.clone()));
            }
            (Some(last), true) if stop.as_ref().is_none_or(|stop| last < stop) => {
                end = Some(EndKey::EndKeyOpen(last.clone()));
            }
            _ => {}
        }
        RangeMessage { start_key: start, end_key: end }
    }
}

fn bounds(range: &RowRange) -> Range {
    let copy = Bytes::copy_from_slice;
    (copy(range.start()), range.stop().map(copy))
}

/// Whether there is no key between `key` and `next`.
fn is_next(key: &[u8], next: &[u8]) -> bool {
    next.split_last().is_some_and(|(last, rest)| *last == 0 && rest == key)
}

fn is_one_row((start, stop): &Range) -> bool {
    stop.as_ref().is_some_and(|stop| is_next(start, stop))
}

fn is_empty((start, stop): &Range) -> bool {
    stop.as_ref().is_some_and(|stop| stop <= start)
}

fn intersection((start, stop): &Range, (from, to): &Range) -> Range {
    let stop = match (stop, to) {
        (Some(stop), Some(to)) => Some(stop.min(to).clone()),
        (stop, to) => stop.as_ref().or(to.as_ref()).cloned(),
    };
    (start.max(from).clone(), stop)
}

/// Adds a range to `ranges`. No range in `ranges` begins after the added range. If the last of them
/// overlaps or touches the added range, the two are merged.
fn with(mut ranges: Vec<Range>, (start, stop): Range) -> Vec<Range> {
    match ranges.last_mut() {
        Some((_, before)) if before.as_ref().is_none_or(|before| start <= *before) => {
            if stop.is_none() || before.as_ref().is_some_and(|before| stop.as_ref() > Some(before))
            {
                *before = stop;
            }
        }
        _ => ranges.push((start, stop)),
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::RowBuf;

    fn range(start: &[u8], stop: Option<&[u8]>) -> RowRange {
        RowRange::new(RowBuf::from_slice(start), stop.map(RowBuf::from_slice))
    }

    fn bounds(rest: &RemainingRows) -> (Option<StartKey>, Option<EndKey>) {
        let range = rest.rows().row_ranges.remove(0);
        (range.start_key, range.end_key)
    }

    #[test]
    fn a_scan_continues_after_its_last_row() {
        let mut rest = RemainingRows::new(&range(b"b", Some(b"m")), None, false, Some(2));
        let closed = StartKey::StartKeyClosed("b".into());
        let end = || Some(EndKey::EndKeyOpen("m".into()));
        assert_eq!(bounds(&rest), (Some(closed), end()));
        rest.set_last_row(Some(b"c"));
        rest.record_row(b"c").unwrap();
        assert_eq!(bounds(&rest), (Some(StartKey::StartKeyOpen("c".into())), end()));
        assert_eq!(rest.next_request().map(|(_, limit)| limit), Some(1));
        rest.record_row(b"d").unwrap();
        assert_eq!(rest.next_request(), None, "a limit of 0 would be none");
        assert_eq!(rest.record_row(b"e").unwrap_err(), "row \"e\", past the limit");
    }

    #[test]
    fn only_rows_that_were_asked_for_are_returned() {
        let row = |key: &[u8]| RowRange::row(key);
        let some = [range(b"b", Some(b"d")), row(b"f"), range(b"m", None), row(b"x")];
        for reversed in [false, true] {
            let mut rest = RemainingRows::new(&RowRange::all(), Some(&some), reversed, None);
            for key in [&b"b"[..], b"c\xff", b"f", b"m", b"x", b"z"] {
                rest.record_row(key).unwrap();
            }
            for key in [&b""[..], b"a\xff", b"d", b"e", b"f\0", b"l"] {
                let error = rest.record_row(key).unwrap_err();
                assert!(error.ends_with("which was not asked for"), "{error}");
            }
        }
    }

    #[test]
    fn nothing_is_left_after_the_last_row_that_there_can_be() {
        let mut rest = RemainingRows::new(&range(b"b", Some(b"m\0")), None, false, None);
        rest.set_last_row(Some(b"l"));
        assert!(!rest.is_empty());
        rest.set_last_row(Some(b"m"));
        assert!(rest.is_empty());
        let mut rest = RemainingRows::new(&range(b"b", None), None, true, None);
        rest.set_last_row(Some(b"c"));
        assert!(!rest.is_empty());
        let before = Some(EndKey::EndKeyOpen("c".into()));
        assert_eq!(bounds(&rest), (Some(StartKey::StartKeyClosed("b".into())), before));
        rest.set_last_row(Some(b"b"));
        assert!(rest.is_empty());
        assert!(RemainingRows::new(&range(b"b", Some(b"b")), None, false, None).is_empty());
    }

    #[test]
    fn a_scan_of_several_ranges_passes_over_what_is_between_them() {
        let several = [range(b"p", None), range(b"a", Some(b"c")), range(b"b", Some(b"d"))];
        let new =
            |reversed| RemainingRows::new(&range(b"b", Some(b"z")), Some(&several), reversed, None);
        let rows = |rest: &RemainingRows| -> Vec<(Option<StartKey>, Option<EndKey>)> {
            rest.rows().row_ranges.into_iter().map(|r| (r.start_key, r.end_key)).collect()
        };
        let from = |key: &'static str| Some(StartKey::StartKeyClosed(key.into()));
        let after = |key: &'static str| Some(StartKey::StartKeyOpen(key.into()));
        let to = |key: &'static str| Some(EndKey::EndKeyOpen(key.into()));
        let mut rest = new(false);
        assert_eq!(rows(&rest), [(from("b"), to("d")), (from("p"), to("z"))]);
        rest.set_last_row(Some(b"c"));
        assert_eq!(rows(&rest), [(after("c"), to("d")), (from("p"), to("z"))]);
        rest.set_last_row(Some(b"e"));
        assert_eq!(rows(&rest), [(from("p"), to("z"))]);
        rest.set_last_row(Some(b"q"));
        assert_eq!(rows(&rest), [(after("q"), to("z"))]);
        let mut rest = new(true);
        rest.set_last_row(Some(b"q"));
        assert_eq!(rows(&rest), [(from("b"), to("d")), (from("p"), to("q"))]);
        rest.set_last_row(Some(b"p"));
        assert_eq!(rows(&rest), [(from("b"), to("d"))]);
        rest.set_last_row(Some(b"b"));
        assert!(rest.is_empty());
        let none = RemainingRows::new(&range(b"e", Some(b"f")), Some(&several), false, None);
        assert!(none.is_empty());
    }

    #[test]
    fn single_rows_are_asked_for_by_their_keys() {
        let row = |key: &[u8]| RowRange::row(key);
        let some = [row(b"m"), row(b"c"), range(b"b", Some(b"d")), row(b"x"), row(b"m")];
        let new = |reversed| RemainingRows::new(&RowRange::all(), Some(&some), reversed, None);
        let keys = |rest: &RemainingRows| rest.rows().row_keys;
        let mut rest = new(false);
        assert_eq!((keys(&rest), rest.rows().row_ranges.len()), (vec!["m".into(), "x".into()], 1));
        rest.set_last_row(Some(b"m"));
        assert_eq!((keys(&rest), rest.rows().row_ranges.len()), (vec!["x".into()], 0));
        assert!(!rest.is_empty());
        rest.set_last_row(Some(b"x"));
        assert!(rest.is_empty());
        let mut rest = new(true);
        rest.set_last_row(Some(b"m"));
        assert_eq!((keys(&rest), rest.rows().row_ranges.len()), (Vec::<Bytes>::new(), 1));
        let one = RemainingRows::new(&row(b"a"), None, false, None).rows();
        assert_eq!((one.row_keys, one.row_ranges.len()), (vec![Bytes::from("a")], 0));
    }
}
