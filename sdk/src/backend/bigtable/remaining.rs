//! The rows that a scan has yet to return, and the requests that ask for them, one after another:
//! the rows of a scan of many ranges do not fit into one request.
//!
//! # Invariants
//!
//! - On Bigtable too, a scan returns every row once and in order, even if streams break. Once it
//!   has all rows, it sends no further request. Tests:
//!   `only_rows_that_were_asked_for_are_returned`,
//!   `nothing_is_left_after_the_last_row_that_there_can_be`,
//!   `ranges_that_do_not_fit_into_a_request_are_requested_in_order`, `tests/peers/conformance`.

use std::collections::VecDeque;

use bytes::Bytes;

use super::explanation::unrequested_row_text;
use super::request_room::RequestRoom;
use crate::key::RowRange;
use crate::wire::bigtable::{EndKey, RowRange as RangeMessage, RowSet, StartKey};

type Range = (Bytes, Option<Bytes>);

pub(super) struct RemainingRows {
    /// What is left of the ranges of the current request. All ranges are sorted, and do not
    /// overlap.
    requested: VecDeque<Range>,
    /// The ranges of later requests.
    later: VecDeque<Range>,
    reversed: bool,
    limit: Option<u64>,
    /// The last row that was returned, or that the server has looked at.
    last: Option<Bytes>,
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
            _ if range.is_empty() => Vec::new(),
            None => vec![whole],
            Some(among) => {
                let mut parts: Vec<Range> =
                    among.iter().map(|part| intersection(&bounds(part), &whole)).collect();
                parts.sort();
                parts.into_iter().filter(|part| !is_empty(part)).fold(Vec::new(), with)
            }
        };
        Self { requested: VecDeque::new(), later: ranges.into(), reversed, limit, last: None }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.limit_is_reached() || self.requested.is_empty() && self.later.is_empty()
    }

    pub(super) fn limit_is_reached(&self) -> bool {
        self.limit == Some(0)
    }

    /// Notes that the stream of the current request has ended well: it has returned all of its rows
    /// that there are.
    pub(super) fn mark_request_read(&mut self) {
        self.requested.clear();
    }

    /// Notes that a row was returned; fails with the reason if the current request does not ask for
    /// the row.
    pub(super) fn record_row(&mut self, row: &[u8]) -> Result<(), String> {
        if self.limit_is_reached() {
            return Err(format!("row \"{}\", past the limit", row.escape_ascii()));
        }
        let begun = self.requested.partition_point(|(start, _)| &**start <= row);
        let range = begun.checked_sub(1).and_then(|at| self.requested.get(at));
        match range {
            Some((_, stop)) if stop.as_ref().is_none_or(|stop| row < &**stop) => {
                self.limit = self.limit.map(|limit| limit - 1);
                Ok(())
            }
            _ => Err(unrequested_row_text(row)),
        }
    }

    /// Sets the row after which the next stream continues.
    pub(super) fn set_last_row(&mut self, last: Option<&[u8]>) {
        self.last = last.map(Bytes::copy_from_slice);
        let Some(last) = &self.last else { return };
        // This is done for each page, so that only the ends of the lists are looked at.
        for ranges in [&mut self.requested, &mut self.later] {
            if self.reversed {
                while ranges.back().is_some_and(|(start, _)| last <= start) {
                    ranges.pop_back();
                }
            } else {
                while ranges.front().is_some_and(|range| is_before(range, last)) {
                    ranges.pop_front();
                }
            }
        }
    }

    /// Returns the rows that the next stream requests, and the maximum number of rows, where 0 is
    /// no limit. As long as a request is not [read](Self::mark_request_read), this is what is left
    /// of it. Returns `None` if no rows are left: a request without rows would read the whole
    /// table.
    pub(super) fn next_request(&mut self) -> Option<(RowSet, i64)> {
        if self.is_empty() {
            return None;
        }
        if self.requested.is_empty() {
            self.take_request();
        }
        let limit = self.limit.map_or(0, |limit| i64::try_from(limit).unwrap_or(i64::MAX));
        Some((self.rows(), limit))
    }

    /// Takes as many ranges as fit into a request, in the order of the scan.
    fn take_request(&mut self) {
        let mut room = RequestRoom::new();
        let mut fits = |range: &&Range| {
            let stop = range.1.as_ref().filter(|_| !is_one_row(range));
            room.take_if_fits(range.0.len() + stop.map_or(0, Bytes::len))
        };
        let count = match self.reversed {
            false => self.later.iter().take_while(&mut fits).count(),
            true => self.later.iter().rev().take_while(&mut fits).count(),
        };
        self.requested = match self.reversed {
            false => self.later.drain(..count).collect(),
            true => self.later.split_off(self.later.len() - count),
        };
    }

    /// Returns what is left of the rows of the current request: single rows as their keys.
    fn rows(&self) -> RowSet {
        let (keys, ranges): (Vec<_>, Vec<_>) =
            self.requested.iter().partition(|range| is_one_row(range));
        RowSet {
            row_keys: keys.into_iter().map(|(key, _)| key.clone()).collect(),
            row_ranges: ranges.into_iter().map(|range| self.rest_of(range)).collect(),
        }
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

/// Whether no row of a range comes after the row `last`.
fn is_before((_, stop): &Range, last: &Bytes) -> bool {
    stop.as_ref().is_some_and(|stop| stop <= last || is_next(last, stop))
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

    fn bounds(rest: &mut RemainingRows) -> (Option<StartKey>, Option<EndKey>) {
        let range = rest.next_request().unwrap().0.row_ranges.remove(0);
        (range.start_key, range.end_key)
    }

    #[test]
    fn a_scan_continues_after_its_last_row() {
        let mut rest = RemainingRows::new(&range(b"b", Some(b"m")), None, false, Some(2));
        let closed = StartKey::StartKeyClosed("b".into());
        let end = || Some(EndKey::EndKeyOpen("m".into()));
        assert_eq!(bounds(&mut rest), (Some(closed), end()));
        rest.set_last_row(Some(b"c"));
        rest.record_row(b"c").unwrap();
        assert_eq!(bounds(&mut rest), (Some(StartKey::StartKeyOpen("c".into())), end()));
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
            rest.next_request().unwrap();
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
        assert_eq!(bounds(&mut rest), (Some(StartKey::StartKeyClosed("b".into())), before));
        rest.set_last_row(Some(b"b"));
        assert!(rest.is_empty());
        assert!(RemainingRows::new(&range(b"b", Some(b"b")), None, false, None).is_empty());
    }

    #[test]
    fn a_scan_of_several_ranges_passes_over_what_is_between_them() {
        let several = [range(b"p", None), range(b"a", Some(b"c")), range(b"b", Some(b"d"))];
        let new =
            |reversed| RemainingRows::new(&range(b"b", Some(b"z")), Some(&several), reversed, None);
        let rows = |rest: &mut RemainingRows| -> Vec<(Option<StartKey>, Option<EndKey>)> {
            let (rows, _) = rest.next_request().unwrap();
            rows.row_ranges.into_iter().map(|r| (r.start_key, r.end_key)).collect()
        };
        let from = |key: &'static str| Some(StartKey::StartKeyClosed(key.into()));
        let after = |key: &'static str| Some(StartKey::StartKeyOpen(key.into()));
        let to = |key: &'static str| Some(EndKey::EndKeyOpen(key.into()));
        let mut rest = new(false);
        assert_eq!(rows(&mut rest), [(from("b"), to("d")), (from("p"), to("z"))]);
        rest.set_last_row(Some(b"c"));
        assert_eq!(rows(&mut rest), [(after("c"), to("d")), (from("p"), to("z"))]);
        rest.set_last_row(Some(b"e"));
        assert_eq!(rows(&mut rest), [(from("p"), to("z"))]);
        rest.set_last_row(Some(b"q"));
        assert_eq!(rows(&mut rest), [(after("q"), to("z"))]);
        let mut rest = new(true);
        rest.set_last_row(Some(b"q"));
        assert_eq!(rows(&mut rest), [(from("b"), to("d")), (from("p"), to("q"))]);
        rest.set_last_row(Some(b"p"));
        assert_eq!(rows(&mut rest), [(from("b"), to("d"))]);
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
        let rows = |rest: &mut RemainingRows| {
            let (rows, _) = rest.next_request().unwrap();
            (rows.row_keys, rows.row_ranges.len())
        };
        let mut rest = new(false);
        assert_eq!(rows(&mut rest), (vec!["m".into(), "x".into()], 1));
        rest.set_last_row(Some(b"m"));
        assert_eq!(rows(&mut rest), (vec!["x".into()], 0));
        assert!(!rest.is_empty());
        rest.set_last_row(Some(b"x"));
        assert!(rest.is_empty());
        let mut rest = new(true);
        rest.set_last_row(Some(b"m"));
        assert_eq!(rows(&mut rest), (Vec::<Bytes>::new(), 1));
        let mut one = RemainingRows::new(&row(b"a"), None, false, None);
        assert_eq!(rows(&mut one), (vec![Bytes::from("a")], 0));
    }

    #[test]
    fn ranges_that_do_not_fit_into_a_request_are_requested_in_order() {
        // 1,000 single rows and 1,000 ranges, of which no two touch, with 3 MB of keys.
        let part = |at: usize| {
            let key = format!("{at:0>1000}");
            match at % 2 {
                0 => RowRange::row(key.as_bytes()),
                _ => range(key.as_bytes(), Some(format!("{key}5").as_bytes())),
            }
        };
        let parts: Vec<_> = (0..2_000).map(part).collect();
        for reversed in [false, true] {
            let mut rest =
                RemainingRows::new(&RowRange::all(), Some(&parts), reversed, Some(5_000));
            let mut found: Vec<Bytes> = Vec::new();
            let mut requests = 0;
            while let Some((rows, limit)) = rest.next_request() {
                requests += 1;
                assert_eq!(limit, 5_000 - found.len() as i64);
                let bytes = prost::Message::encoded_len(&rows);
                assert!(bytes <= 480 << 10, "{bytes}");
                assert!(requests == 7 || bytes > 470 << 10, "{bytes}");
                let starts = rows.row_ranges.into_iter().map(|range| match range.start_key {
                    Some(StartKey::StartKeyClosed(key)) => key,
                    other => panic!("{other:?}"),
                });
                let mut keys: Vec<_> = rows.row_keys.into_iter().chain(starts).collect();
                keys.sort();
                if reversed {
                    keys.reverse();
                }
                for (at, key) in keys.iter().enumerate() {
                    rest.record_row(key).unwrap();
                    found.push(key.clone());
                    if at == 0 {
                        // The stream breaks, and the rest of the same request is requested.
                        rest.set_last_row(Some(key));
                        let (again, limit) = rest.next_request().unwrap();
                        let left = again.row_keys.len() + again.row_ranges.len();
                        assert!((keys.len() - 1..=keys.len()).contains(&left), "{left}");
                        assert_eq!(limit, 5_000 - found.len() as i64);
                    }
                }
                rest.mark_request_read();
            }
            let mut expected: Vec<_> = parts.iter().map(|part| part.start().to_vec()).collect();
            if reversed {
                expected.reverse();
            }
            assert!(found == expected, "{} of {}", found.len(), expected.len());
            assert_eq!(requests, 7);
        }
    }

    /// A scan with a page for each of its rows. If each page looked at all ranges, this would
    /// take minutes.
    #[test]
    fn the_pages_of_a_scan_do_not_look_at_all_of_its_ranges() {
        const ROWS: u32 = 100_000;
        let key = |at: u32| at.to_be_bytes();
        let parts: Vec<_> = (0..ROWS).map(|at| RowRange::row(&key(2 * at))).collect();
        for reversed in [false, true] {
            let mut rest = RemainingRows::new(&RowRange::all(), Some(&parts), reversed, None);
            let mut found = 0;
            while let Some((rows, _)) = rest.next_request() {
                let mut keys = rows.row_keys;
                if reversed {
                    keys.reverse();
                }
                for row in &keys {
                    assert!(!rest.is_empty());
                    rest.record_row(row).unwrap();
                    rest.set_last_row(Some(row));
                    found += 1;
                }
                rest.mark_request_read();
            }
            assert_eq!(found, ROWS);
        }
    }
}
