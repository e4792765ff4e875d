//! GenerateInitialChangeStreamPartitions and ReadChangeStream.

mod message;
mod read;
mod token;

pub(super) use read::{generate_initial_change_stream_partitions, read_change_stream};
