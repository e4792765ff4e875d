//! The messages of Cloud Bigtable's gRPC services, as prost structs.
//!
//! The messages are those of `google.bigtable.v2` (rows) and `google.bigtable.admin.v2` (tables),
//! with the messages of `google.longrunning`, `google.rpc` and `google.protobuf` that these use.
//! Messages, fields and enums have Google's names and numbers; nested messages are flat, and have
//! Google's name as `#[doc(alias = "..")]` where it differs. `tests/descriptors` compares every
//! field with the descriptors in Google's jars.
//!
//! All messages are proto3: a field that is not set has its default, and a message field is an
//! `Option`. Byte fields are [`bytes::Bytes`] and share the buffer they were decoded from. Fields
//! that nothing in this project reads are left out.
//!
//! ```
//! use prost::Message;
//! use tallrow_wire::bigtable::{SampleRowKeysRequest, method};
//!
//! let request = SampleRowKeysRequest { table_name: "t".into(), ..Default::default() };
//! assert_eq!(request.encode_to_vec(), b"\x0a\x01t");
//! assert_eq!(method::SAMPLE_ROW_KEYS, "/google.bigtable.v2.Bigtable/SampleRowKeys");
//! ```
#![allow(missing_docs)]

pub mod method;

mod authorized_view;
mod backup;
mod change_merger;
mod change_stream;
mod crc32c;
mod data;
mod feature_flags;
mod fields;
mod google;
mod long_running;
mod merged_row;
mod mutation;
mod mutations;
mod query;
mod read_rows;
mod result_batches;
mod row_chunk;
mod row_filter;
mod row_merger;
mod row_outcomes;
mod row_set;
mod rows;
mod schema_bundle;
mod table;
mod table_admin;
mod value;
mod value_type;

pub use authorized_view::*;
pub use backup::*;
pub use change_merger::{ChangeMerger, MAX_CHANGE_BYTES};
pub use change_stream::*;
pub use crc32c::crc32c;
pub use data::*;
pub use feature_flags::*;
pub use fields::{Field, Fields};
pub use google::*;
pub use long_running::*;
pub use merged_row::{MergedCell, MergedRow, decode_read_modify_write_row};
pub use mutation::*;
pub use mutations::{EncodedMutations, MutateRow};
pub use query::*;
pub use read_rows::*;
pub use result_batches::{MAX_PENDING_BYTES, ResultBatches};
pub use row_chunk::{ReadRowsPart, RowChunk, read_rows_parts};
pub use row_filter::*;
pub use row_merger::{MAX_ROW_BYTES, RowMerger};
pub use row_outcomes::mutate_rows_outcomes;
pub use row_set::*;
pub use rows::*;
pub use schema_bundle::*;
pub use table::*;
pub use table_admin::*;
pub use value::*;
pub use value_type::*;
