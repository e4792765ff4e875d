//! HBase's protobuf messages, as prost structs.
//!
//! Message, field and enum names and numbers are those of the `.proto` files of HBase 2.6.4 (package `hbase.pb`), one
//! module a file; each module head names its file. All of them are proto2: an `Option` is an optional field, a bare
//! scalar a required one. Byte fields are [`bytes::Bytes`] and share the buffer they were decoded from. Fields that
//! no part of this project reads are left out; unknown fields are skipped on decode.
//!
//! ```
//! use prost::Message;
//! use tallrow_wire::proto::TableName;
//!
//! let name = TableName { namespace: "default".into(), qualifier: "t".into() };
//! let bytes = name.encode_to_vec();
//! assert_eq!(bytes, b"\x0a\x07default\x12\x01t");
//! assert_eq!(TableName::decode(&bytes[..]).unwrap(), name);
//! ```
#![allow(missing_docs)]

mod admin;
mod cell;
mod client;
mod cluster_status;
mod comparator;
mod encoded;
mod filter;
mod hbase;
mod master;
mod master_switch;
mod procedure;
mod registry;
mod rpc;
mod zookeeper;

pub use admin::*;
pub use cell::*;
pub use client::*;
pub use cluster_status::*;
pub use comparator::*;
pub use encoded::*;
pub use filter::*;
pub use hbase::*;
pub use master::*;
pub use master_switch::*;
pub use procedure::*;
pub use registry::*;
pub use rpc::*;
pub use zookeeper::*;
