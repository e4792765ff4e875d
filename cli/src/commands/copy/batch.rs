//! The changes of rows that a copy writes together in one batch.

use tallrow::cell::{Cell, CellType};
use tallrow::op::RowOperation;
use tallrow::{Delete, Put};

/// The maximum number of cells in a put.
const PUT_CELLS: usize = 1_000;

/// The changes of consecutive rows that are written in one batch.
#[derive(Debug, Default)]
pub(super) struct CopyBatch {
    pub(super) operations: Vec<RowOperation>,
    pub(super) bytes: usize,
    /// The number of rows that are complete once this batch is written, and the number of cells in
    /// these rows.
    pub(super) rows: u64,
    pub(super) cells: u64,
    /// The key of the last of these rows.
    pub(super) last: Option<Vec<u8>>,
}

impl CopyBatch {
    /// Adds changes that write these cells, which may be only some of the cells of the row.
    pub(super) fn add(&mut self, row: &[u8], cells: &[Cell]) {
        let mut put = Put::new(row);
        for cell in cells {
            match cell.kind() {
                CellType::Put => {
                    let (family, qualifier) = (cell.family(), cell.qualifier());
                    put = put.cell_at(family, qualifier, cell.timestamp(), cell.value());
                }
                _ => self.operations.push(marker(cell).into()),
            }
        }
        if !put.is_empty() {
            self.operations.push(put.into());
        }
        self.bytes += cells.iter().map(Cell::size).sum::<usize>();
    }

    /// Records that the row with this key is complete, and how many cells it has.
    pub(super) fn complete_row(&mut self, (row, cells): (Vec<u8>, u64)) {
        self.rows += 1;
        self.cells += cells;
        self.last = Some(row);
    }
}

/// Divides the cells of a row into pieces that can be written at once: up to `PUT_CELLS` cells and
/// `bytes` bytes each. A piece with a single cell may be larger.
pub(super) fn pieces(mut cells: &[Cell], bytes: usize) -> impl Iterator<Item = &[Cell]> {
    std::iter::from_fn(move || {
        let mut size = 0;
        let fits = |cell: &&Cell| {
            size += cell.size();
            size <= bytes
        };
        let count = cells.iter().take(PUT_CELLS).take_while(fits).count().max(1);
        let (piece, rest) = cells.split_at_checked(count)?;
        cells = rest;
        Some(piece)
    })
}

/// Returns the delete that writes the same delete marker as this cell.
fn marker(cell: &Cell) -> Delete {
    let delete = Delete::new(cell.row());
    let (family, qualifier, time) = (cell.family(), cell.qualifier(), cell.timestamp());
    match cell.kind() {
        CellType::DeleteFamily => delete.family_until(family, time),
        CellType::DeleteFamilyVersion => delete.family_version(family, time),
        CellType::DeleteColumn => delete.column_until(family, qualifier, time),
        CellType::Delete | CellType::Put => delete.version(family, qualifier, time),
    }
}

#[cfg(test)]
mod tests {
    use tallrow::Timestamp;

    use super::*;

    fn cells(sizes: &[usize]) -> Vec<Cell> {
        let cell = |size: &usize| {
            let time = Timestamp::from_millis(1);
            Cell::new("r", "d", "q", time, CellType::Put, vec![0; *size]).unwrap()
        };
        sizes.iter().map(cell).collect()
    }

    #[test]
    fn pieces_are_bounded_and_all_of_it() {
        let counts = |sizes: &[usize]| -> Vec<usize> {
            pieces(&cells(sizes), 1_000).map(<[Cell]>::len).collect()
        };
        assert!(counts(&[]).is_empty());
        assert_eq!(counts(&[5_000]), vec![1]);
        assert_eq!(counts(&[400, 400, 400, 5_000, 1]), vec![2, 1, 1, 1]);
        let all: Vec<usize> = pieces(&cells(&[0; 2_500]), usize::MAX).map(<[Cell]>::len).collect();
        assert_eq!(all, vec![1_000, 1_000, 500]);
    }
}
