//! The results in the answer to a call for a page.

use crate::model::cell::Cell;
use crate::wire::cell_block::CellBlock;
use crate::wire::proto::ScanResponse;
use crate::wire::{WireError, cell};

/// A row, or a part of a row.
pub(super) struct Part {
    pub(super) cells: Vec<Cell>,
    /// Whether more of the row follows.
    pub(super) partial: bool,
}

/// Returns the results of an answer: first the results in the cell block, then the results in the
/// message.
pub(super) fn parts(response: &ScanResponse, mut block: CellBlock) -> Result<Vec<Part>, WireError> {
    let mut partial = response.partial_flag_per_result.iter().copied();
    let mut parts = Vec::with_capacity(response.cells_per_result.len().min(1 << 16));
    for count in &response.cells_per_result {
        let cells = block.cells_as(*count as usize, Cell::from_wire)?;
        parts.push(Part { cells, partial: partial.next().unwrap_or(false) });
    }
    block.finish()?;
    for result in &response.results {
        let cells =
            result.cell.iter().map(|cell| cell::Cell::from_proto(cell).map(Cell::from_wire));
        let cells = cells.collect::<Result<_, _>>()?;
        parts.push(Part { cells, partial: result.partial.unwrap_or(false) });
    }
    Ok(parts)
}
