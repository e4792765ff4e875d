//! Encoding and decoding of HBase's RPC protocol, for clients and servers, and the messages of
//! Bigtable's services.
//!
//! There are no sockets, no runtime and no clock: every function maps bytes to values or values to
//! bytes. Both the `tallrow` client and the `tallrow-mock` server are built on this crate, so a
//! mistake in this crate would not show when they talk to each other. The crate is therefore tested
//! against bytes captured between the official Java client and real servers (`tests/captured`), and
//! its messages are compared with the descriptors in HBase's jars (`tests/descriptors`).
//!
//! | module | what it encodes and decodes | source in HBase |
//! |---|---|---|
//! | [`preamble`] | the first six bytes of a connection, and the connection header | `NettyRpcConnection`, `RPC.proto` |
//! | [`frame`] | request and response frames | `IPCUtil`, `ServerCall` |
//! | [`cell`] | one cell as a view over its `KeyValue` bytes | `KeyValue` |
//! | [`cell_block`] | the cells that follow a message in its frame | `KeyValueCodec` |
//! | [`compression`] | compressed cell blocks | `CellBlockBuilder`, Hadoop's codecs |
//! | [`exception`] | exceptions in headers and messages, and the names of their classes | `ExceptionResponse` |
//! | [`region`] | region names, encoded names, and the order of the rows of `hbase:meta` | `RegionInfo`, `MetaCellComparator` |
//! | [`multi`] | requests with operations, and the results of `Multi`, without a struct for each | `Client.proto` |
//! | [`meta`] | rows of `hbase:meta` | `CatalogFamilyFormat` |
//! | [`zookeeper`] | the ZooKeeper packets with which znodes are read, and what HBase puts before a message in a znode | `zookeeper.jute`, `RecoverableZooKeeper` |
//! | [`proto`] | the protobuf messages | the `.proto` files |
//! | `bigtable` | the messages of Cloud Bigtable, with the feature `bigtable` | Google's `.proto` files |
//!
//! Everything that is decoded is checked: a length is compared with the bytes that are present
//! before anything is allocated for it, remaining bytes are an error, and nothing panics.

#[cfg(feature = "bigtable")]
pub mod bigtable;
pub mod cell;
pub mod cell_block;
pub mod compression;
mod error;
pub mod exception;
pub mod frame;
#[doc(hidden)]
pub mod fuzz;
mod jenkins;
pub mod meta;
pub mod multi;
pub mod preamble;
pub mod proto;
pub mod region;
pub mod zookeeper;

pub use error::WireError;
