//! Filters that select rows by their keys or by their number.

use bytes::Bytes;
use fastrand::Rng;
use tallrow_wire::proto::{
    self, BytesBytesPair, FuzzyRowFilter, InclusiveStopFilter, MultiRowRangeFilter, PageFilter,
    PrefixFilter, RandomRowFilter,
};

use super::comparator::Comparison;
use super::message::{decode_comparison_filter, decode_message};
use super::{Filter, Hint, ReturnCode};
use crate::base::RemoteResult;
use crate::cells::StoredCell;

/// Decodes a filter of rows; `None` for any other class.
pub(super) fn decode(
    class: &str,
    sent: &proto::Filter,
    reversed: bool,
) -> RemoteResult<Option<Box<dyn Filter>>> {
    let filter: Box<dyn Filter> = match class {
        "PrefixFilter" => {
            let prefix = decode_message::<PrefixFilter>(sent)?.prefix.unwrap_or_default();
            Box::new(Prefix { prefix, reversed, out: true, passed: false, before: false })
        }
        "InclusiveStopFilter" => {
            let stop =
                decode_message::<InclusiveStopFilter>(sent)?.stop_row_key.unwrap_or_default();
            Box::new(InclusiveStop { stop, reversed, done: false })
        }
        "PageFilter" => {
            let size = decode_message::<PageFilter>(sent)?.page_size;
            Box::new(Page { size, rows: 0 })
        }
        "RandomRowFilter" => {
            let chance = decode_message::<RandomRowFilter>(sent)?.chance;
            Box::new(RandomRow { chance, random: Rng::with_seed(0), out: false })
        }
        "RowFilter" => Box::new(Row { comparison: decode_comparison_filter(sent)?, out: false }),
        "FuzzyRowFilter" => {
            let fuzzy: FuzzyRowFilter = decode_message(sent)?;
            let v2 = fuzzy.is_mask_v2.unwrap_or(false);
            let key = |pair: BytesBytesPair| {
                let fixed = fixed_bytes(&pair.second, v2);
                FuzzyKey { key: pair.first, fixed }
            };
            Box::new(FuzzyRow(fuzzy.fuzzy_keys_data.into_iter().map(key).collect()))
        }
        "MultiRowRangeFilter" => {
            let ranges: MultiRowRangeFilter = decode_message(sent)?;
            let range = |r: proto::RowRange| RowRange {
                start: r.start_row.unwrap_or_default(),
                start_inclusive: r.start_row_inclusive.unwrap_or(false),
                stop: r.stop_row.unwrap_or_default(),
                stop_inclusive: r.stop_row_inclusive.unwrap_or(false),
            };
            Box::new(RowRanges(ranges.row_range_list.into_iter().map(range).collect()))
        }
        _ => return Ok(None),
    };
    Ok(Some(filter))
}

/// Returns which bytes of a fuzzy key are fixed.
///
/// In the mask of a user, 0 means fixed and 1 means any. HBase rewrites the mask: -1 means fixed,
/// and 2 means any, or 0 in the older form. A mask of the older form that has only 0 and -1 is
/// therefore read as a rewritten mask.
fn fixed_bytes(mask: &[u8], v2: bool) -> Vec<bool> {
    let any = if v2 { 2 } else { 0 };
    let rewritten = mask.iter().all(|byte| *byte == 0xFF || *byte == any);
    mask.iter().map(|byte| *byte == 0xFF || (*byte == 0 && !rewritten)).collect()
}

/// `PrefixFilter`
#[derive(Debug)]
struct Prefix {
    prefix: Bytes,
    reversed: bool,
    out: bool,
    passed: bool,
    /// Whether the row is before the prefix.
    before: bool,
}

impl Filter for Prefix {
    fn reset(&mut self) {
        self.out = true;
    }

    fn filter_all_remaining(&self) -> bool {
        self.passed
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        if self.passed {
            return true;
        }
        let order = row.get(..self.prefix.len()).unwrap_or(row).cmp(&self.prefix[..]);
        let order = if self.reversed { order.reverse() } else { order };
        self.passed = order.is_gt();
        self.before = order.is_lt();
        self.out = order.is_ne();
        self.passed
    }

    fn filter_cell(&mut self, _: &StoredCell) -> ReturnCode {
        match self.before {
            true => ReturnCode::SEEK_NEXT_USING_HINT,
            false => ReturnCode::include_if(!self.out, ReturnCode::NEXT_ROW),
        }
    }

    fn hint(&self, _: &StoredCell) -> Option<Hint> {
        Some(Hint::Row)
    }

    fn gives_hints(&self) -> bool {
        true
    }

    fn filter_row(&mut self) -> bool {
        self.out
    }
}

/// `InclusiveStopFilter`
#[derive(Debug)]
struct InclusiveStop {
    stop: Bytes,
    reversed: bool,
    done: bool,
}

impl Filter for InclusiveStop {
    fn filter_all_remaining(&self) -> bool {
        self.done
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        let order = row.cmp(&self.stop[..]);
        self.done = if self.reversed { order.is_lt() } else { order.is_gt() };
        self.done
    }

    fn filter_cell(&mut self, _: &StoredCell) -> ReturnCode {
        ReturnCode::include_if(!self.done, ReturnCode::NEXT_ROW)
    }
}

/// `PageFilter`
#[derive(Debug)]
struct Page {
    size: i64,
    rows: i64,
}

impl Filter for Page {
    fn filter_all_remaining(&self) -> bool {
        self.rows >= self.size
    }

    fn filter_row_key(&mut self, _: &[u8]) -> bool {
        false
    }

    fn filter_cell(&mut self, _: &StoredCell) -> ReturnCode {
        ReturnCode::INCLUDE
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn filter_row(&mut self) -> bool {
        self.rows += 1;
        self.rows > self.size
    }
}

/// `RandomRowFilter`
#[derive(Debug)]
struct RandomRow {
    chance: f32,
    random: Rng,
    out: bool,
}

impl Filter for RandomRow {
    fn filter_row_key(&mut self, _: &[u8]) -> bool {
        self.out = self.random.f64() >= f64::from(self.chance);
        self.out
    }

    fn filter_cell(&mut self, _: &StoredCell) -> ReturnCode {
        ReturnCode::include_if(!self.out, ReturnCode::NEXT_ROW)
    }

    fn has_filter_row(&self) -> bool {
        true
    }

    fn filter_row(&mut self) -> bool {
        self.out
    }
}

/// `RowFilter`
#[derive(Debug)]
struct Row {
    comparison: Comparison,
    out: bool,
}

impl Filter for Row {
    fn reset(&mut self) {
        self.out = false;
    }

    fn filter_row_key(&mut self, row: &[u8]) -> bool {
        self.out = !self.comparison.holds(row);
        self.out
    }

    fn filter_cell(&mut self, _: &StoredCell) -> ReturnCode {
        ReturnCode::include_if(!self.out, ReturnCode::NEXT_ROW)
    }

    fn filter_row(&mut self) -> bool {
        self.out
    }
}

/// A key of a `FuzzyRowFilter`.
#[derive(Debug)]
struct FuzzyKey {
    key: Bytes,
    /// Which bytes of the key are fixed.
    fixed: Vec<bool>,
}

/// `FuzzyRowFilter`
#[derive(Debug)]
struct FuzzyRow(Vec<FuzzyKey>);

impl Filter for FuzzyRow {
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        let row = cell.row();
        // A shorter row is compared with the start of the key.
        let matches = self.0.iter().any(|FuzzyKey { key, fixed }| {
            key.iter().zip(fixed).zip(row).all(|((k, fixed), r)| !fixed || k == r)
        });
        ReturnCode::include_if(matches, ReturnCode::SEEK_NEXT_USING_HINT)
    }

    fn hint(&self, _: &StoredCell) -> Option<Hint> {
        Some(Hint::Row)
    }

    fn gives_hints(&self) -> bool {
        true
    }
}

/// One range of `MultiRowRangeFilter`.
#[derive(Debug)]
struct RowRange {
    start: Bytes,
    start_inclusive: bool,
    stop: Bytes,
    stop_inclusive: bool,
}

impl RowRange {
    fn contains(&self, row: &[u8]) -> bool {
        let after_start = row > &self.start[..] || (self.start_inclusive && row == self.start);
        let before_stop = self.stop.is_empty()
            || row < &self.stop[..]
            || (self.stop_inclusive && row == self.stop);
        after_start && before_stop
    }
}

/// `MultiRowRangeFilter`
#[derive(Debug)]
struct RowRanges(Vec<RowRange>);

impl Filter for RowRanges {
    fn filter_cell(&mut self, cell: &StoredCell) -> ReturnCode {
        let contained = self.0.iter().any(|r| r.contains(cell.row()));
        ReturnCode::include_if(contained, ReturnCode::SEEK_NEXT_USING_HINT)
    }

    fn hint(&self, _: &StoredCell) -> Option<Hint> {
        Some(Hint::Row)
    }

    fn gives_hints(&self) -> bool {
        true
    }
}
