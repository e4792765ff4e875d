//! What a change stream returns, and positions in it. The types are those of the public module
//! `changes`, whose docs are in `lib.rs`.

mod frontier;
mod partition;
mod position;
mod record;
mod row_change;
mod watermarks;

pub(crate) use frontier::{Frontier, Opened, PartitionStart, PartitionToken, StreamStart};
pub use partition::ChangePartition;
pub use position::ChangePosition;
pub use record::ChangeRecord;
pub use row_change::{CellChange, ChangeSource, RowChanges};
pub(crate) use watermarks::Watermarks;
