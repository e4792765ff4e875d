//! The order in which a scan returns rows, and the rows that follow a given row in this order.
//!
//! # Invariants
//!
//! - A row is a position in every scan that contains it, and pages contain every row once: rows
//!   have one total order, by the bytes after the salt, then by the salt. Tests:
//!   `the_rest_of_a_range_is_what_comes_later`,
//!   `tests/suites/client/paging.rs::a_salted_key_is_a_position_in_every_bucket`,
//!   `tests/suites/paging/mod.rs::every_row_is_on_one_page_of_the_mock`.

use std::cmp::Ordering;

use crate::key::{RowBuf, RowRange};

/// The order of the rows of a scan: by the bytes that follow the salt of their keys, and by the
/// salt if these are the same.
///
/// Salt and rest are the whole key, so no two rows are equal in this order, and the key of one row
/// is a position in all buckets. If the scan is reversed, the last row comes first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ScanOrder {
    /// How many bytes of salt the keys have; 0 if there is one range.
    pub(crate) salt_len: usize,
    pub(crate) reversed: bool,
}

impl ScanOrder {
    pub(crate) fn compare(self, a: &[u8], b: &[u8]) -> Ordering {
        let (salt_a, rest_a) = self.divide(a);
        let (salt_b, rest_b) = self.divide(b);
        self.apply_direction(rest_a.cmp(rest_b).then_with(|| salt_a.cmp(salt_b)))
    }

    /// Converts an ordering of keys into that of the scan, which may be reversed.
    pub(crate) fn apply_direction(self, order: Ordering) -> Ordering {
        if self.reversed { order.reverse() } else { order }
    }

    /// Returns the first 8 bytes that follow the salt, as a big-endian number. If the numbers of
    /// two rows differ, the order of the numbers is that of the rows.
    pub(crate) fn sort_prefix(self, row: &[u8]) -> u64 {
        let (_, rest) = self.divide(row);
        let mut first = [0; 8];
        first.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        u64::from_be_bytes(first)
    }

    /// Returns the rows of one bucket that come after `row`; this row may be in another bucket.
    pub(crate) fn rest_after(self, range: &RowRange, row: &[u8]) -> RowRange {
        let (salt, rest) = self.divide(row);
        let (bucket, _) = self.divide(range.start());
        let here = [bucket, rest].concat();
        let next = [bucket, rest, &[0]].concat();
        let buf = |bytes: &[u8]| RowBuf::from_slice(bytes);
        let (start, stop) = (range.start(), range.stop());
        if self.reversed {
            let end = if bucket < salt { &next } else { &here };
            let stop = stop.map_or(&end[..], |stop| stop.min(end));
            RowRange::new(buf(start), Some(buf(stop)))
        } else {
            let begin = if bucket > salt { &here } else { &next };
            RowRange::new(buf(start.max(begin)), stop.map(buf))
        }
    }

    fn divide(self, row: &[u8]) -> (&[u8], &[u8]) {
        row.split_at_checked(self.salt_len).unwrap_or((row, &[]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [&[u8]; 9] =
        [b"\0", b"\0a", b"\0a\0", b"\0b", b"\x01", b"\x01a", b"\x01b", b"\x01b\xff", b"\xff\xffa"];

    fn orders() -> impl Iterator<Item = ScanOrder> {
        [0, 1]
            .into_iter()
            .flat_map(|salt_len| [false, true].map(|reversed| ScanOrder { salt_len, reversed }))
    }

    /// What remains of each range is exactly the rows that compare as later.
    #[test]
    fn the_rest_of_a_range_is_what_comes_later() {
        for order in orders() {
            let bucket = |salt| RowRange::prefix(&[salt]);
            let ranges = match order.salt_len {
                0 => vec![RowRange::all(), RowRange::prefix(b"\0a"), RowRange::row(b"\x01a")],
                _ => vec![bucket(0), bucket(1), bucket(0xff), RowRange::prefix(b"\0a")],
            };
            for (range, row) in ranges.iter().flat_map(|range| KEYS.map(|row| (range, row))) {
                let rest = order.rest_after(range, row);
                for key in KEYS {
                    let later = range.contains(key) && order.compare(row, key).is_lt();
                    assert_eq!(
                        rest.contains(key),
                        later,
                        "{key:?} after {row:?} in {range:?}, {order:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn only_the_same_row_is_equal() {
        for order in orders() {
            for (a, b) in KEYS.iter().flat_map(|a| KEYS.iter().map(move |b| (a, b))) {
                assert_eq!(order.compare(a, b).is_eq(), a == b);
                assert_eq!(order.compare(a, b), order.compare(b, a).reverse());
                let first = order.apply_direction(order.sort_prefix(a).cmp(&order.sort_prefix(b)));
                assert!(first.is_eq() || first == order.compare(a, b), "{a:?} {b:?}, {order:?}");
            }
        }
    }
}
