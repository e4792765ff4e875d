//! Change streams: the partitions of a table, each read as a stream, followed where they are
//! divided and merged.

mod builder;
mod partition;
mod partitions;
mod read;
mod source;
mod stream;

pub use builder::ChangeStreamBuilder;
pub(crate) use read::decode_changes;
pub(crate) use source::ChangesOf;
pub use stream::ChangeStream;
