//! What a scan reads, and what is left of it after a row.

use bytes::Bytes;

use super::hash::Fnv;
use super::{PageToken, Position, Scan, ScanOrder};
use crate::key::RowRange;
use crate::{Error, Result, TableName, show};

/// The rows of a scan: their ranges and order, and the layout of their keys.
#[derive(Debug)]
pub(crate) struct Extent {
    pub(crate) table: TableName,
    /// The fingerprint of the key type; 0 if the keys are only bytes.
    pub(crate) layout: u64,
    pub(crate) ranges: Vec<RowRange>,
    pub(crate) order: ScanOrder,
}

/// What is left of a scan.
pub(crate) struct Rest {
    /// One for each range of the scan.
    pub(crate) ranges: Vec<RowRange>,
    /// The scan without its position, and with the rest of its limit.
    pub(crate) scan: Scan,
    /// How many rows there were on the pages before.
    pub(crate) before: u64,
}

impl Extent {
    /// What is left of a scan from its position on.
    pub(crate) fn rest(&self, mut scan: Scan) -> Result<Rest> {
        let (row, before) = match scan.position.take() {
            None => return Ok(Rest { ranges: self.ranges.clone(), scan, before: 0 }),
            Some(Position::After(row)) => (row, 0),
            Some(Position::Token(token)) if token.scan == self.fingerprint() => {
                (token.row, token.rows)
            }
            Some(Position::Token(_)) => {
                return Err(Error::invalid(
                    "the page token is of another scan; the table, the key type, the ranges and the direction must be \
                     those of the scan that returned it",
                ));
            }
        };
        if !self.ranges.iter().any(|range| range.contains(&row)) {
            let row = show::row_key(&row);
            let text = format!("it cannot start after {row}, which is in none of its ranges");
            return Err(Error::invalid(text));
        }
        let ranges = self.ranges.iter().map(|range| self.order.rest_of(range, &row)).collect();
        scan.limit = scan.limit.map(|limit| limit.saturating_sub(before));
        Ok(Rest { ranges, scan, before })
    }

    /// The token of a page that ends with this row.
    pub(crate) fn token(&self, row: Bytes, rows: u64) -> PageToken {
        PageToken { scan: self.fingerprint(), rows, row }
    }

    fn fingerprint(&self) -> u64 {
        let mut hash = Fnv::default();
        hash.add_part(self.table.as_str().as_bytes());
        hash.add(&self.layout.to_be_bytes());
        hash.add(&[u8::from(self.order.reversed)]);
        for range in &self.ranges {
            hash.add_part(range.start());
            match range.stop() {
                Some(stop) => hash.add_part(stop),
                None => hash.add(&[0xff; 8]),
            }
        }
        hash.finish()
    }
}
