//! What a scan within one row reads, and what is left of it after a cell.

use bytes::Bytes;

use super::hash::Fnv;
use super::{PageToken, Position};
use crate::{Error, Result, TableName, show};

/// The cells of a scan within one row: the qualifiers from `start` up to, not including, `stop`.
#[derive(Debug)]
pub(crate) struct CellExtent<'s> {
    pub(crate) table: &'s TableName,
    pub(crate) row: &'s [u8],
    pub(crate) family: &'static str,
    pub(crate) start: Vec<u8>,
    pub(crate) stop: Option<Vec<u8>>,
}

impl CellExtent<'_> {
    /// The first qualifier that is left at a position, and how many cells were before it.
    pub(crate) fn rest(&self, position: Option<Position>) -> Result<(Vec<u8>, u64)> {
        let (last, before) = match position {
            None => return Ok((self.start.clone(), 0)),
            Some(Position::After(last)) => (last, 0),
            Some(Position::Token(token)) if token.scan == self.fingerprint() => {
                (token.row, token.rows)
            }
            Some(Position::Token(_)) => {
                return Err(Error::invalid(
                    "the page token is of another scan; the table, the row, the columns and their range must be those of \
                     the scan that returned it",
                ));
            }
        };
        if !self.contains(&last) {
            let column = show::column(self.family.as_bytes(), &last);
            let text = format!("it cannot start after {column}, which is not in its range");
            return Err(Error::invalid(text));
        }
        Ok(([&last[..], &[0]].concat(), before))
    }

    pub(crate) fn contains(&self, qualifier: &[u8]) -> bool {
        *self.start <= *qualifier && self.stop.as_ref().is_none_or(|stop| qualifier < &stop[..])
    }

    /// The token of a page that ends with this qualifier.
    pub(crate) fn token(&self, qualifier: Bytes, cells: u64) -> PageToken {
        PageToken { scan: self.fingerprint(), rows: cells, row: qualifier }
    }

    fn fingerprint(&self) -> u64 {
        let mut hash = Fnv::default();
        // No scan of rows begins with a part of this length.
        hash.add(&[0xff; 8]);
        hash.add_part(self.table.as_str().as_bytes());
        hash.add_part(self.row);
        hash.add_part(self.family.as_bytes());
        hash.add_part(&self.start);
        match &self.stop {
            Some(stop) => hash.add_part(stop),
            None => hash.add(&[0xff; 8]),
        }
        hash.finish()
    }
}
