//! Cells: their bytes, their order, and sorted sets of them.

mod position;
mod sorted;
mod stored;

pub(crate) use position::{Position, Positioned};
pub(crate) use sorted::{Cells, Cursor};
pub(crate) use stored::{NewCell, RowOrder, StoredCell};
