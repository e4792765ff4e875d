//! Row keys: salt, metric, hour, then pairs of ids for the tags.
//!
//! # Invariants
//!
//! - Points and their rows are encoded as in OpenTSDB. Tests:
//!   `tests/suites/opentsdb.rs::points_are_written_and_read_as_opentsdb_does`,
//!   `tests/peers/opentsdb`.

use bytes::Bytes;

use super::stored_point::HOUR;
use crate::key::{JavaArraysHash, RowBuf, RowRange, SaltHash};
use crate::request::scan::ScanOrder;

/// The widths of the parts of a row key, in bytes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    pub(super) salt_width: usize,
    pub(super) buckets: u32,
    pub(super) metric_width: usize,
    pub(super) tag_name_width: usize,
    pub(super) tag_value_width: usize,
}

const TIME: usize = 4;

/// The ids that all rows of a series have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SeriesIds {
    pub(super) metric: Bytes,
    /// The pairs of tag name and tag value one after the other, sorted.
    pub(super) tags: Bytes,
}

impl Layout {
    /// Returns what is wrong with the layout, if anything. Row keys with 0 buckets have no salt.
    pub(super) fn problem(&self) -> Option<String> {
        let widths = [self.metric_width, self.tag_name_width, self.tag_value_width];
        if let Some(width) = widths.iter().find(|width| !(1..=8).contains(*width)) {
            return Some(format!("ids are 1 to 8 bytes wide, not {width}"));
        }
        let (width, buckets) = (self.salt_width, u64::from(self.buckets));
        match (width, buckets) {
            (0, 0) => None,
            (1..=4, 1..) if (buckets - 1) >> (8 * width) == 0 => None,
            _ => Some(format!(
                "a salt of {width} bytes and {buckets} buckets: its width is 1 to 4 bytes, and there are 1 to \
                 256 buckets for a width of 1, 65,536 for 2, and so on"
            )),
        }
    }

    /// Returns the order in which the rows of several buckets are merged: by metric, hour and tags.
    pub(super) fn order(&self) -> ScanOrder {
        ScanOrder { salt_len: self.salt_width, reversed: false }
    }

    /// Returns the length of a pair of tag name and tag value.
    pub(super) fn pair_len(&self) -> usize {
        self.tag_name_width + self.tag_value_width
    }

    /// Returns how many bytes precede the tags.
    pub(super) fn tags_offset(&self) -> usize {
        self.salt_width + self.metric_width + TIME
    }

    /// Returns the salt of a series. The bucket is chosen by the hash of the row key without salt
    /// and time, so all rows of a series are in one bucket.
    fn salt(&self, series: &SeriesIds) -> Vec<u8> {
        if self.buckets == 0 {
            return Vec::new();
        }
        let mut hash = JavaArraysHash::default();
        hash.feed(&series.metric);
        hash.feed(&series.tags);
        self.bucket(hash.bucket(self.buckets))
    }

    fn bucket(&self, number: u32) -> Vec<u8> {
        number.to_be_bytes().into_iter().skip(TIME - self.salt_width).collect()
    }

    /// Returns the row key of a series for the hour that starts at this second.
    pub(super) fn row(&self, series: &SeriesIds, start: u32) -> Bytes {
        let salt = self.salt(series);
        [&salt[..], &series.metric, &start.to_be_bytes(), &series.tags].concat().into()
    }

    /// Returns the range of rows of a series for the hours from `first` to `last`, both included,
    /// given by the seconds at which they start.
    pub(super) fn series_range(&self, series: &SeriesIds, first: u32, last: u32) -> RowRange {
        let stop = [&self.row(series, last)[..], &[0]].concat();
        RowRange::new(buf(&self.row(series, first)), Some(buf(&stop)))
    }

    /// Returns the ranges of rows of a metric, one for each bucket, for the hours from `first` to
    /// `last`, both included, given by the seconds at which they start.
    pub(super) fn metric_ranges(&self, metric: &[u8], first: u32, last: u32) -> Vec<RowRange> {
        let salts: Vec<_> = match self.buckets {
            0 => vec![Vec::new()],
            buckets => (0..buckets).map(|number| self.bucket(number)).collect(),
        };
        let range = |salt: Vec<u8>| {
            let metric = [&salt, metric].concat();
            let start = [&metric[..], &first.to_be_bytes()].concat();
            let stop = match last.checked_add(HOUR) {
                Some(stop) => Some(buf(&[&metric[..], &stop.to_be_bytes()].concat())),
                None => RowRange::prefix(&metric).stop().map(buf),
            };
            RowRange::new(buf(&start), stop)
        };
        salts.into_iter().map(range).collect()
    }

    /// Returns the ids in a row key, and the start of its hour in seconds; `None` if it is not a
    /// row key of this layout.
    pub(super) fn decode_row_key(&self, row: &[u8]) -> Option<(SeriesIds, u32)> {
        let (_, rest) = row.split_at_checked(self.salt_width)?;
        let (metric, rest) = rest.split_at_checked(self.metric_width)?;
        let (start, tags) = rest.split_at_checked(TIME)?;
        let start = u32::from_be_bytes(start.try_into().ok()?);
        if start % HOUR != 0 || tags.len() % self.pair_len() != 0 {
            return None;
        }
        let copy = Bytes::copy_from_slice;
        Some((SeriesIds { metric: copy(metric), tags: copy(tags) }, start))
    }
}

fn buf(bytes: &[u8]) -> RowBuf {
    RowBuf::from_slice(bytes)
}
