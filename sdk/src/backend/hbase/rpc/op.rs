//! An operation on one row as a connection sends it, already encoded, and the reply to it.

use bytes::Bytes;

use super::CallError;
use crate::wire::WireError;
use crate::wire::cell::Cell;
use crate::wire::cell_block::CellBlock;
use crate::wire::multi::OperationResult;
use crate::wire::proto;

/// The request of an [`Op`], already encoded.
#[derive(Clone, Debug)]
pub(crate) enum Request {
    /// A `Get`.
    Get(Bytes),
    /// A `MutationProto`.
    Mutate(Bytes),
    /// Several `MutationProto`s of one row, applied together.
    MutateRow(Vec<Bytes>),
}

impl Request {
    pub(crate) fn messages(&self) -> &[Bytes] {
        match self {
            Self::Get(message) | Self::Mutate(message) => std::slice::from_ref(message),
            Self::MutateRow(messages) => messages,
        }
    }

    pub(crate) fn messages_mut(&mut self) -> &mut [Bytes] {
        match self {
            Self::Get(message) | Self::Mutate(message) => std::slice::from_mut(message),
            Self::MutateRow(messages) => messages,
        }
    }

    pub(crate) fn size(&self) -> usize {
        self.messages().iter().map(Bytes::len).sum()
    }
}

/// One operation on one row, already encoded; it may be sent alone, or with others in a `Multi`.
#[derive(Clone, Debug)]
pub(crate) struct Op {
    pub(crate) request: Request,
    /// The cells of the mutations of the operation, as a cell block.
    pub(crate) cells: Bytes,
    /// A `Condition` that must hold for the mutations to be applied.
    pub(crate) condition: Option<Bytes>,
}

impl Op {
    pub(crate) fn size(&self) -> usize {
        self.request.size() + self.cells.len() + self.condition.as_ref().map_or(0, Bytes::len)
    }

    /// Whether the operation needs a region action of its own in a `Multi`.
    pub(crate) fn is_atomic(&self) -> bool {
        self.condition.is_some() || matches!(self.request, Request::MutateRow(_))
    }
}

/// An operation, with the region that it is sent to.
pub(crate) trait Routed {
    fn op(&self) -> &Op;

    /// The full name of the region.
    fn region(&self) -> &[u8];
}

/// The answer to an [`Op`].
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct OpReply {
    pub(crate) cells: Vec<Cell>,
    pub(crate) exists: bool,
    /// Whether a mutation was applied; false only if its condition did not hold.
    pub(crate) processed: bool,
    pub(crate) stale: bool,
}

impl OpReply {
    /// Converts the result of one action of a `Multi`. `block` is the cell block that follows the
    /// message, from which the cells of the result are taken.
    pub(super) fn from_action(
        result: &OperationResult<'_>,
        processed: bool,
        block: &mut CellBlock,
    ) -> Result<Self, WireError> {
        let cells = result.cells(block)?;
        Ok(Self { cells, exists: result.exists, processed, stale: result.stale })
    }

    /// Converts the result of a `Get` or `Mutate`. `block` is the cell block that follows the
    /// message, from which the cells of the result are taken.
    pub(super) fn from_result(
        result: Option<proto::Result>,
        processed: bool,
        block: &mut CellBlock,
    ) -> Result<Self, CallError> {
        let result = result.unwrap_or_default();
        Ok(Self {
            cells: cells_of(&result, block)?,
            exists: result.exists.unwrap_or(false),
            processed,
            stale: result.stale.unwrap_or(false),
        })
    }
}

/// Returns the cells of a result: first as many cells from `block`, the cell block that follows the
/// message, as the result says, and then the cells inside the result.
pub(crate) fn cells_of(
    result: &proto::Result,
    block: &mut CellBlock,
) -> Result<Vec<Cell>, WireError> {
    let count = usize::try_from(result.associated_cell_count.unwrap_or(0)).unwrap_or(0);
    let mut cells = block.cells(count)?;
    for cell in &result.cell {
        cells.push(Cell::from_proto(cell)?);
    }
    Ok(cells)
}
