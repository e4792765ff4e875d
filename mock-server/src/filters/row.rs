//! Filters that select rows by their keys or by their number.

use bytes::Bytes;
use fastrand::Rng;
use tallrow_wire::proto::{self, InclusiveStopFilter, PageFilter, PrefixFilter, RandomRowFilter};

use super::comparator::Comparison;
use super::filter::raise_last_byte;
use super::fuzzy_row::FuzzyRow;
use super::message::{decode_comparison_filter, decode_message};
use super::row_ranges::RowRanges;
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
        "FuzzyRowFilter" => Box::new(FuzzyRow::new(decode_message(sent)?, reversed)),
        "MultiRowRangeFilter" => Box::new(RowRanges::new(decode_message(sent)?, reversed)),
        _ => return Ok(None),
    };
    Ok(Some(filter))
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

    fn hint(&mut self, _: &StoredCell) -> Option<Hint> {
        let mut row = self.prefix.to_vec();
        if self.reversed {
            raise_last_byte(&mut row);
        }
        Some(Hint::Row(row.into()))
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
