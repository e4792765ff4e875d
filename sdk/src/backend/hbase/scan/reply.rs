//! The results in the answer to a call for a page.

use crate::wire::WireError;
use crate::wire::cell::Cell;
use crate::wire::cell_block::CellBlock;
use crate::wire::proto::ScanResponse;

/// A row, or a part of a row.
pub(super) struct Part {
    pub(super) cells: Vec<Cell>,
    /// Whether more of the row follows.
    pub(super) partial: bool,
}

/// Returns the results of an answer: first the results in the cell block, then the results in the
/// message.
pub(super) fn parts(response: &ScanResponse, mut block: CellBlock) -> Result<Vec<Part>, WireError> {
    let partial = |at: usize| response.partial_flag_per_result.get(at).copied().unwrap_or(false);
    let mut parts = Vec::with_capacity(response.cells_per_result.len().min(1 << 16));
    for (at, count) in response.cells_per_result.iter().enumerate() {
        parts.push(Part { cells: block.cells(*count as usize)?, partial: partial(at) });
    }
    block.finish()?;
    for result in &response.results {
        let cells = result.cell.iter().map(Cell::from_proto).collect::<Result<Vec<_>, _>>()?;
        parts.push(Part { cells, partial: result.partial.unwrap_or(false) });
    }
    Ok(parts)
}
