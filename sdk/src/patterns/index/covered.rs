//! The cells of a row that are copied into its index entries, and the encoding of these copies.

use bytes::Bytes;

use crate::model::cell::{Cell, CellType};
use crate::table::{Table, private::ColumnName};
use crate::{Result, Row, Timestamp};

/// The columns whose cells are copied into an index entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Covered {
    columns: &'static [ColumnName],
    ranges: &'static [ColumnName],
}

impl Covered {
    /// Returns the columns that a type reads.
    pub(super) fn of<T: Table>() -> Self {
        Self { columns: T::COLUMNS, ranges: T::RANGES }
    }

    pub(super) fn contains(&self, family: &[u8], qualifier: &[u8]) -> bool {
        let column = |name: &ColumnName| name.0.as_bytes() == family && name.1 == qualifier;
        let range =
            |name: &ColumnName| name.0.as_bytes() == family && qualifier.starts_with(name.1);
        self.columns.iter().any(column) || self.ranges.iter().any(range)
    }

    /// Encodes the cells of a row that are in these columns: for each cell its family, qualifier
    /// and value, each preceded by its length in 4 bytes.
    pub(super) fn encode(&self, row: &Row) -> Vec<u8> {
        let mut bytes = Vec::new();
        let cells = row.cells().iter().filter(|c| self.contains(c.family(), c.qualifier()));
        for part in cells.flat_map(|cell| [cell.family(), cell.qualifier(), cell.value()]) {
            // A cell is smaller than 4 GiB.
            bytes.extend(u32::try_from(part.len()).unwrap_or(u32::MAX).to_be_bytes());
            bytes.extend(part);
        }
        bytes
    }
}

/// Decodes the cells that an index entry contains, and returns them as a row; `None` if they cannot
/// be decoded, or if there are no cells.
pub(super) fn decode(row: &[u8], time: Timestamp, bytes: &Bytes) -> Result<Option<Row>> {
    let mut cells = Vec::new();
    let mut rest = &bytes[..];
    while !rest.is_empty() {
        let mut part = || {
            let (len, after) = rest.split_first_chunk()?;
            let len = usize::try_from(u32::from_be_bytes(*len)).ok()?;
            let (part, after) = after.split_at_checked(len)?;
            rest = after;
            Some(part)
        };
        let (Some(family), Some(qualifier), Some(value)) = (part(), part(), part()) else {
            return Ok(None);
        };
        cells.push(Cell::new(row, family, qualifier, time, CellType::Put, value)?);
    }
    Ok(Row::new(cells, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cells_of_an_entry_are_those_of_the_row() {
        let time = Timestamp::from_millis(5);
        let cell = |family, qualifier, value: &str| {
            Cell::new("r", family, qualifier, time, CellType::Put, value).unwrap()
        };
        let all = vec![cell("b", "p", ""), cell("b", "t", "HBase"), cell("c", "xy", "1")];
        let covered = Covered { columns: &[("b", b"p"), ("b", b"n")], ranges: &[("c", b"x")] };
        let bytes = Bytes::from(covered.encode(&Row::new(all.clone(), false).unwrap()));
        let row = decode(b"r", time, &bytes).unwrap().unwrap();
        assert_eq!(row.cells(), [all[0].clone(), all[2].clone()]);
        assert_eq!(decode(b"r", time, &bytes.slice(..bytes.len() - 1)).unwrap(), None);
    }
}
