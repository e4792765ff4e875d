//! The bytes of HBase's RPC, both ways: what a client writes and a server reads, and the reverse.
//!
//! No sockets, no runtime, no clock: every function here maps bytes to values or values to bytes. The `tallrow` client
//! and the `tallrow-mock` server are both built on it; because a mistake here would be invisible between the two, its
//! judge is a set of byte captures between the official Java client and a real server (`tests/captured`).
//!
//! | module | what it maps | source in HBase |
//! |---|---|---|
//! | [`preamble`] | the first six bytes of a connection, the connection header | `NettyRpcConnection`, `RPC.proto` |
//! | [`frame`] | request and response frames | `IPCUtil`, `ServerCall` |
//! | [`cell`] | one cell as a view over its `KeyValue` bytes | `KeyValue` |
//! | [`cell_block`] | cells one after the other beside a message | `KeyValueCodec` |
//! | [`exception`] | exceptions as headers and messages carry them, and their class names | `ExceptionResponse` |
//! | [`region`] | region names, encoded names, the order of `hbase:meta` | `RegionInfo`, `MetaCellComparator` |
//! | [`meta`] | rows of `hbase:meta` | `CatalogFamilyFormat` |
//! | [`zookeeper`] | the few ZooKeeper packets a client needs, the envelope around znode payloads | `zookeeper.jute`, `RecoverableZooKeeper` |
//! | [`proto`] | the messages | the `.proto` files |
//!
//! Everything read from outside is checked before it is used: lengths never allocate up front, left-over bytes are an
//! error, and nothing panics.
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

pub mod cell;
pub mod cell_block;
mod error;
pub mod exception;
pub mod frame;
pub mod meta;
pub mod preamble;
pub mod proto;
pub mod region;
pub mod zookeeper;

pub use error::WireError;
