//! HBase's protobuf messages, as prost structs.
//!
//! Messages, fields and enums have the names and numbers that the `.proto` files of HBase 2.6.4
//! give them (package `hbase.pb`). Nested messages, and messages that share one struct, have other
//! names here; a search finds them by HBase's names, which are in `#[doc(alias = "..")]`.
//! `tests/descriptors` compares every field with the descriptors in HBase's jars.
//!
//! All messages are proto2: an optional field is an `Option`, and a required field is not. Byte
//! fields are [`bytes::Bytes`] and share the buffer they were decoded from. Fields that nothing in
//! this project reads are left out; they are skipped on decoding, as unknown fields are.
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

mod access_control;
mod admin;
mod authentication;
mod cell;
mod client;
mod cluster_id;
mod cluster_status;
mod comparator;
mod error_handling;
mod filter;
mod hbase;
mod master;
mod master_switch;
mod multi_row_mutation;
mod procedure;
mod quota;
mod registry;
mod replication;
mod rpc;
mod slow_log;
mod snapshot;
mod tracing;
mod visibility_labels;
mod zookeeper;

pub use access_control::*;
pub use admin::*;
pub use authentication::*;
pub use cell::*;
pub use client::*;
pub use cluster_id::*;
pub use cluster_status::*;
pub use comparator::*;
pub use error_handling::*;
pub use filter::*;
pub use hbase::*;
pub use master::*;
pub use master_switch::*;
pub use multi_row_mutation::*;
pub use procedure::*;
pub use quota::*;
pub use registry::*;
pub use replication::*;
pub use rpc::*;
pub use slow_log::*;
pub use snapshot::*;
pub use tracing::*;
pub use visibility_labels::*;
pub use zookeeper::*;
