//! The cells that a scan within one row reads, and which of them remain after a given cell.

use bytes::Bytes;

use super::hash::Fnv;
use super::{PageToken, Position};
use crate::key::RowRange;
use crate::model::show;
use crate::{Error, Result, TableName};

/// The cells of a scan within one row.
#[derive(Debug)]
pub(crate) struct CellScanExtent<'s> {
    pub(crate) table: &'s TableName,
    pub(crate) row: &'s [u8],
    pub(crate) family: &'static str,
    pub(crate) qualifiers: RowRange,
}

impl CellScanExtent<'_> {
    /// Returns the first qualifier that remains to be read at a position, and how many cells
    /// earlier pages returned.
    pub(crate) fn rest(&self, position: Option<Position>) -> Result<(Vec<u8>, u64)> {
        let Some(position) = position else { return Ok((self.qualifiers.start().to_vec(), 0)) };
        let parts = "the table, the row, the columns and their range";
        let (last, before) = position.resolve(self.fingerprint(), parts)?;
        if !self.qualifiers.contains(&last) {
            let column = show::column(self.family.as_bytes(), &last);
            let text = format!("it cannot start after {column}, which is not in its range");
            return Err(Error::invalid(text));
        }
        Ok(([&last[..], &[0]].concat(), before))
    }

    /// Returns the token of a page whose last cell has the qualifier `last_qualifier`;
    /// `cells_so_far` is the number of cells on this and all earlier pages.
    pub(crate) fn token(&self, last_qualifier: Bytes, cells_so_far: u64) -> PageToken {
        PageToken { scan: self.fingerprint(), rows: cells_so_far, row: last_qualifier }
    }

    fn fingerprint(&self) -> u64 {
        let mut hash = Fnv::default();
        // The fingerprint of a scan of rows never begins with a part of this length.
        hash.add(&[0xff; 8]);
        hash.add_part(self.table.as_str().as_bytes());
        hash.add_part(self.row);
        hash.add_part(self.family.as_bytes());
        hash.add_range(&self.qualifiers);
        hash.finish()
    }
}
