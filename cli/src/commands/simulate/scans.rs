//! The cost of scans of the simulated tables.

use std::sync::atomic::{AtomicU64, Ordering};

use tallrow::key::RowRange;
use tallrow::key::schema::{FuzzyRow, MatchError, Schema};
use tallrow::simulate::{RegionMap, ScanCost};

use crate::failure::{Failure, Result};
use crate::keys::layouts::unknown_field_error;

/// A scan for the rows in which some fields have some values.
#[derive(Debug)]
pub(super) struct DesignScan {
    /// The text of the scan as it was given.
    pub(super) text: String,
    ranges: Vec<RowRange>,
    fuzzy: Option<FuzzyRow>,
    /// The reason why the scan has to read all rows; none if ranges are enough.
    unselective: Option<String>,
    read: AtomicU64,
    found: AtomicU64,
}

/// The cost of a scan.
#[derive(Clone, Debug)]
pub(super) struct ScanReport {
    pub(super) text: String,
    pub(super) cost: ScanCost,
    /// The number of rows of the table that are in the ranges.
    pub(super) read: u64,
    /// The number of these rows that the servers return; none if the client has to filter.
    pub(super) found: Option<u64>,
    pub(super) calls: u64,
    pub(super) reads_all_because: Option<String>,
}

impl DesignScan {
    /// Makes a scan for the rows that a text such as `user=7` selects.
    pub(super) fn new(schema: &Schema, text: &str) -> Result<Self> {
        let wrong = |why: String| {
            let why = unknown_field_error(std::slice::from_ref(schema), text).unwrap_or(why);
            Failure::usage(format!("--scan {text:?} of {}: {why}", schema.name()))
                .advise("write the values of some fields as NAME=VALUE, NAME=VALUE")
        };
        let fields = schema.parse_values(text).map_err(|error| wrong(error.to_string()))?;
        let (ranges, fuzzy, unselective) = match schema.select_rows(&fields) {
            Ok(found) => (found.ranges, found.fuzzy, None),
            Err(MatchError::Encode(error)) => return Err(wrong(error.to_string())),
            Err(error) => (vec![RowRange::all()], None, Some(error.to_string())),
        };
        let (read, found) = (AtomicU64::new(0), AtomicU64::new(0));
        Ok(Self { text: text.into(), ranges, fuzzy, unselective, read, found })
    }

    /// Counts a row as read if the scan reads it, and as found if the scan also returns it.
    pub(super) fn count_row(&self, row: &[u8]) {
        if self.ranges.iter().any(|range| range.contains(row)) {
            self.read.fetch_add(1, Ordering::Relaxed);
            if self.fuzzy.as_ref().is_none_or(|fuzzy| fuzzy.matches(row)) {
                self.found.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Returns the cost of the scan on a table with `row_factor` times as many rows as were
    /// counted, each of `row_bytes` bytes.
    pub(super) fn report(self, map: &RegionMap, row_factor: f64, row_bytes: u64) -> ScanReport {
        let cost = map.cost(&self.ranges);
        let of_table = |met: AtomicU64| (met.into_inner() as f64 * row_factor).round() as u64;
        let (read, found) = (of_table(self.read), of_table(self.found));
        let calls = cost.calls(found.saturating_mul(row_bytes));
        let found = self.unselective.is_none().then_some(found);
        ScanReport {
            text: self.text,
            cost,
            read,
            found,
            calls,
            reads_all_because: self.unselective,
        }
    }
}
