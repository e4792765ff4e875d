//! The rows that a scan has still to return.

use bytes::Bytes;

use crate::key::RowRange;
use crate::wire::bigtable::{EndKey, RowRange as RangeMessage, RowSet, StartKey};

pub(super) struct Remaining {
    start: Bytes,
    stop: Option<Bytes>,
    reversed: bool,
    limit: Option<u64>,
    /// The last row that was returned or looked at.
    last: Option<Bytes>,
    ended: bool,
}

impl Remaining {
    pub(super) fn new(range: &RowRange, reversed: bool, limit: Option<u64>) -> Self {
        let copy = Bytes::copy_from_slice;
        Self {
            start: copy(range.start()),
            stop: range.stop().map(copy),
            reversed,
            limit,
            last: None,
            ended: range.is_empty(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ended || self.limit_is_reached() || self.is_read()
    }

    pub(super) fn limit_is_reached(&self) -> bool {
        self.limit == Some(0)
    }

    /// Whether nothing can come after the last row. An empty set of rows would be the whole table.
    fn is_read(&self) -> bool {
        let Some(last) = &self.last else { return false };
        match (self.reversed, &self.stop) {
            (true, _) => *last <= self.start,
            (false, Some(stop)) => {
                stop.len() <= last.len() + 1 && *stop <= [&last[..], b"\0"].concat()
            }
            (false, None) => false,
        }
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
        let mut start =
            (!self.start.is_empty()).then(|| StartKey::StartKeyClosed(self.start.clone()));
        let mut end = self.stop.clone().map(EndKey::EndKeyOpen);
        match (&self.last, self.reversed) {
            (Some(last), false) => start = Some(StartKey::StartKeyOpen(last.clone())),
            (Some(last), true) => end = Some(EndKey::EndKeyOpen(last.clone())),
            (None, _) => {}
        }
        let range = RangeMessage { start_key: start, end_key: end };
        RowSet { row_keys: Vec::new(), row_ranges: vec![range] }
    }
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
}
