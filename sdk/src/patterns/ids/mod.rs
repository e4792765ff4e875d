//! Unique ids, in blocks from a counter in a table.
//!
//! [`IdBlocks`] adds the size of a block to a counter, and then gives out the ids of the block from
//! memory. Several tasks share one [`IdBlocks`]; several processes each have one, on the same
//! counter.
//!
//! # Bytes
//! The counter is a cell of 8 bytes, a signed big-endian number: the largest id of all blocks so
//! far. It is absent until the first block is fetched. Any client that increments it takes ids in
//! the same way.
//!
//! # Cost
//!
//! | | calls |
//! |---|---|
//! | an id of a block in memory | none |
//! | a block of n ids | 1 increment |
//! | the first block, if the counter is below [`first`](IdBlocksBuilder::first) | 2 increments |
//!
//! Callers that find no id wait for one increment together; it takes at least as many ids as
//! callers wait for.
//!
//! # Guarantees
//! - No id is given out twice: each block is the difference that one increment made.
//! - If the reply to an increment is lost, it is not known which ids are its own. That block is
//!   counted as [lost](IdBlocks::lost), and another one is fetched; after ten of them callers get
//!   an error.
//! - A caller may be dropped at any time. A block that is being fetched for it is kept for the
//!   others.
//! - Ids are not without gaps, and not in order between processes: those in memory are skipped when
//!   a process ends.

mod blocks;
mod builder;
mod pool;

pub use blocks::IdBlocks;
pub use builder::IdBlocksBuilder;
