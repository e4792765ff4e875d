//! Rows that are written together.

use tallrow::cell::{Cell, CellType};
use tallrow::op::RowOperation;
use tallrow::{Delete, Put, Row};

/// The changes of some rows that follow each other.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) operations: Vec<RowOperation>,
    pub(super) rows: u64,
    pub(super) cells: u64,
    pub(super) bytes: usize,
    /// The last row that is complete with this batch.
    pub(super) last: Option<Vec<u8>>,
}

impl Batch {
    /// Adds a row, or a part of one.
    pub(super) fn add(&mut self, part: &Row) {
        let mut put = Put::new(part.key());
        for cell in part.cells() {
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
        self.cells += part.cells().len() as u64;
        self.bytes += part.cells().iter().map(Cell::size).sum::<usize>();
        if !part.is_partial() {
            self.rows += 1;
            self.last = Some(part.key().to_vec());
        }
    }
}

/// The delete that leaves the same marker.
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
