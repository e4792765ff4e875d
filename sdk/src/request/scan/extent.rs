//! The rows that a scan reads, and which of them remain after a given row.
//!
//! # Invariants
//!
//! - A token continues only the scan that made the token. Tests:
//!   `tests/suites/client/paging.rs::a_token_of_another_scan_is_refused`.

use bytes::Bytes;

use super::hash::Fnv;
use super::{PageToken, Scan, ScanOrder};
use crate::key::RowRange;
use crate::model::show;
use crate::{Error, Result, TableName};

/// The rows of a scan: their ranges and order, and the layout of their keys.
#[derive(Debug)]
pub(crate) struct Extent {
    pub(crate) table: TableName,
    /// The fingerprint of the key type; 0 if the keys are only bytes.
    pub(crate) layout: u64,
    pub(crate) ranges: Vec<RowRange>,
    pub(crate) order: ScanOrder,
}

/// The part of a scan that remains to be read.
pub(crate) struct RemainingScan {
    /// The part of each range that remains to be read.
    pub(crate) ranges: Vec<RowRange>,
    /// The scan without its position, and with the limit reduced by the rows of earlier pages.
    pub(crate) scan: Scan,
    /// How many rows the earlier pages contained.
    pub(crate) before: u64,
}

impl Extent {
    /// Returns the part of a scan that remains to be read at its position.
    pub(crate) fn rest(&self, mut scan: Scan) -> Result<RemainingScan> {
        let Some(position) = scan.position.take() else {
            return Ok(RemainingScan { ranges: self.ranges.clone(), scan, before: 0 });
        };
        let parts = "the table, the key type, the ranges and the direction";
        let (row, before) = position.resolve(self.fingerprint(), parts)?;
        if !self.ranges.iter().any(|range| range.contains(&row)) {
            let row = show::row_key(&row);
            let text = format!("it cannot start after {row}, which is in none of its ranges");
            return Err(Error::invalid(text));
        }
        let ranges = self.ranges.iter().map(|range| self.order.rest_after(range, &row)).collect();
        scan.limit = scan.limit.map(|limit| limit.saturating_sub(before));
        Ok(RemainingScan { ranges, scan, before })
    }

    /// Returns the token of a page whose last row is `last_row`; `rows_so_far` is the number of
    /// rows on this and all earlier pages.
    pub(crate) fn token(&self, last_row: Bytes, rows_so_far: u64) -> PageToken {
        PageToken { scan: self.fingerprint(), rows: rows_so_far, row: last_row }
    }

    fn fingerprint(&self) -> u64 {
        let mut hash = Fnv::default();
        hash.add_part(self.table.as_str().as_bytes());
        hash.add(&self.layout.to_be_bytes());
        hash.add(&[u8::from(self.order.reversed)]);
        self.ranges.iter().for_each(|range| hash.add_range(range));
        hash.finish()
    }
}
