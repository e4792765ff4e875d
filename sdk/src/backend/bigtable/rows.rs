//! Converts rows of the service to rows of this crate.

use bytes::Bytes;

use super::micros::timestamp;
use crate::model::cell::{Cell, CellType, EncodedCells};
use crate::wire::bigtable::{MergedCell, MergedRow};
use crate::{Error, Result, Row};

/// Rows that are read together, in one block of memory.
#[derive(Default)]
pub(super) struct RowBlock {
    cells: EncodedCells,
    /// How many cells each row has.
    counts: Vec<usize>,
}

impl RowBlock {
    /// Makes an empty block with room for `rows` rows, whose cells have `bytes` bytes in total.
    pub(super) fn with_capacity(bytes: usize, rows: usize) -> Self {
        Self { cells: EncodedCells::with_capacity(bytes), counts: Vec::with_capacity(rows) }
    }

    /// The size of the rows in bytes.
    pub(super) fn size(&self) -> usize {
        self.cells.size()
    }

    pub(super) fn row_count(&self) -> usize {
        self.counts.len()
    }

    pub(super) fn cell_count(&self) -> usize {
        self.cells.cell_count()
    }

    /// Adds a row, with its cells in the order of families, qualifiers and timestamps, the newest
    /// first.
    pub(super) fn add(&mut self, row: &mut MergedRow) -> Result<()> {
        row.sort();
        push(row, &mut self.cells)?;
        self.counts.push(row.cells().len());
        Ok(())
    }

    /// Returns the rows. If `cells_per_part` is given, a row of more cells is divided into several
    /// rows, each of at most that many cells.
    pub(super) fn finish(self, cells_per_part: Option<usize>) -> Vec<Row> {
        let mut cells = self.cells.cells();
        let mut rows = Vec::with_capacity(self.counts.len());
        for count in self.counts {
            let cells: Vec<Cell> = cells.by_ref().take(count).collect();
            match cells_per_part {
                Some(most) if most < cells.len() => {
                    let last = cells.len().div_ceil(most.max(1)) - 1;
                    for (at, cells) in cells.chunks(most.max(1)).enumerate() {
                        let row = Row::new(cells.to_vec(), false);
                        rows.extend(row.map(|row| row.with_partial(at < last)));
                    }
                }
                _ => rows.extend(Row::new(cells, false)),
            }
        }
        rows
    }
}

/// Converts a single row.
pub(super) fn convert_row(mut row: MergedRow) -> Result<Option<Row>> {
    row.sort();
    let mut cells = EncodedCells::default();
    push(&row, &mut cells)?;
    Ok(Row::new(cells.into_cells().collect(), false))
}

fn push(row: &MergedRow, cells: &mut EncodedCells) -> Result<()> {
    let key = row.key();
    let mut push = |cell: MergedCell<'_>| {
        let time = Some(timestamp(cell.timestamp_micros)?);
        let pushed = cells.push(key, cell.family, cell.qualifier, time, CellType::Put, cell.value);
        pushed.map_err(Error::protocol)
    };
    let pushed = row.cells().try_for_each(&mut push);
    pushed.map_err(|error| error.on_row(&Bytes::copy_from_slice(key)))
}

#[cfg(test)]
pub(super) mod tests {
    use prost::Message;

    use super::*;
    use crate::wire::bigtable::{Cell, Column, Family, Row as RowMessage};

    /// A row of column `f:q` with its key as the value, at these times.
    pub(in super::super) fn merged(key: &'static str, times: &[i64]) -> MergedRow {
        let cell =
            |time: &i64| Cell { timestamp_micros: *time, value: key.into(), labels: Vec::new() };
        let cells = times.iter().map(cell).collect();
        let columns = vec![Column { qualifier: "q".into(), cells }];
        let families = vec![Family { name: "f".into(), columns }];
        MergedRow::decode(&RowMessage { key: key.into(), families }.encode_to_vec()).unwrap()
    }

    #[test]
    fn a_time_that_is_no_millisecond_is_an_error_with_its_row() {
        let mut block = RowBlock::default();
        block.add(&mut merged("a", &[5_000])).unwrap();
        let error = block.add(&mut merged("b", &[5_000, 4_999])).unwrap_err().to_string();
        assert!(error.starts_with("\"b\": the time of a cell is 4999 µs"), "{error}");
    }

    #[test]
    fn a_row_alone_has_its_newest_cell_first() {
        let row = convert_row(merged("a", &[5_000, 7_000])).unwrap().unwrap();
        let times: Vec<_> = row.cells().iter().map(|c| c.timestamp().as_millis()).collect();
        assert_eq!((row.key(), &times[..]), (&b"a"[..], &[7, 5][..]));
    }
}
