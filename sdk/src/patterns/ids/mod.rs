//! Unique ids, taken in blocks from a counter in a table.
//!
//! [`IdBlocks`] adds the size of a block to a counter, and then returns the ids of this block from
//! memory. The tasks of a process share one [`IdBlocks`]; each process has its own, and all
//! processes use the same counter.
//!
//! # Bytes
//! The counter is a cell that contains a signed big-endian number of 8 bytes: the largest id of all
//! blocks that have been taken so far. The cell is absent until the first block is fetched. Any
//! client can take a block of ids by incrementing the cell.
//!
//! # Cost
//!
//! | | calls |
//! |---|---|
//! | an id of a block in memory | none |
//! | a block of n ids | 1 increment |
//! | the first block, if the counter is below [`first`](IdBlocksBuilder::first) | 2 increments |
//!
//! All callers that find no id in memory wait for the same increment, which takes at least as many
//! ids as they wait for.
//!
//! # Guarantees
//! - No id is returned twice: each block contains the ids that one increment added to the counter.
//! - If the reply to an increment is lost, it is not known which ids the increment took. That block
//!   is counted as [lost](IdBlocks::lost_block_count), and another block is fetched; after ten lost
//!   blocks the call returns an error.
//! - The future of a call may be dropped at any time. The block that the call was waiting for is
//!   kept for other calls.
//! - Ids have gaps, because the ids that are in the memory of a process when it ends are never
//!   used. Ids of different processes are not in order.

mod blocks;
mod builder;
mod pool;

pub use blocks::IdBlocks;
pub use builder::IdBlocksBuilder;
