//! Typed row keys and a native async client for HBase and Cloud Bigtable.
//!
//! A row key is a struct: its fields become bytes that sort as the fields do, and code for a scan
//! that is not a set of row ranges does not compile. A row is a struct too: its fields are cells.
//! The client speaks HBase's own RPC to real clusters, which it finds through ZooKeeper or through
//! their servers; with the feature `bigtable` it speaks gRPC to Cloud Bigtable. The mock server
//! that belongs to the project speaks both protocols. The client is tested against HBase 2.4, 2.5
//! and 2.6 and Google's Bigtable emulator.
//!
//! ```
//! use tallrow::{Client, RowKey, Table};
//!
//! /// What a user did, newest first.
//! #[derive(RowKey, Debug, PartialEq)]
//! struct EventKey {
//!     user: u32,
//!     #[key(rev_ts)]
//!     at: i64,
//! }
//!
//! #[derive(Table, Debug, PartialEq)]
//! #[table(name = "events")]
//! #[family("d")]
//! struct Event {
//!     #[key]
//!     key: EventKey,
//!     #[cell("d:w")]
//!     what: String,
//! }
//!
//! #[tokio::main]
//! async fn main() -> tallrow::Result<()> {
//!     // On a cluster: hbase+zk://host, hbase+rpc://host, hbase-site:/path or
//!     // bigtable://project/instance.
//!     let client = Client::connect("mock:").await?;
//!     client.admin().create::<Event>().await?;
//!
//!     let events = client.table::<Event>();
//!     for (at, what) in [(1_000, "sign in"), (2_000, "search"), (3_000, "buy")] {
//!         events.put(&Event { key: EventKey { user: 7, at }, what: what.into() }).await?;
//!     }
//!     let mut newest = events.scan(EventKey::scan().user(7)).limit(2).rows();
//!     assert_eq!(newest.next_row().await?.unwrap().what, "buy");
//!     assert_eq!(newest.next_row().await?.unwrap().what, "search");
//!     assert_eq!(newest.next_row().await?, None);
//!     Ok(())
//! }
//! ```
//!
//! # Where to look
//!
//! | | |
//! |---|---|
//! | [`RowKey`], [`key`] | row keys: encodings, order, ranges, splits |
//! | [`Table`](trait@Table), [`TypedTable`], [`table`] | rows as values of a type |
//! | [`mod@column`], [`value`] | the columns of a row type, conditions on them, and how values become bytes |
//! | [`RawTable`], [`op`], [`cell`] | rows as bytes |
//! | [`Scan`], [`scan`] | many rows in order, and pages of them |
//! | `query`, with the feature `bigtable` | queries in SQL |
//! | `changes`, with the feature `bigtable` | change streams |
//! | [`writer`] | many writes, collected and sent together |
//! | [`Filter`], [`filter`] | which cells of a read the server returns |
//! | [`Admin`], [`TableDescriptor`], [`admin`] | creating, describing and altering tables |
//! | [`ids`] | unique ids, in blocks from a counter |
//! | [`index`] | secondary indexes, which stay right when a writer stops half-way |
//! | [`list`] | lists and feeds: rows, columns or one cell |
//! | [`lookup`] | short ids for long names: numeric substitution |
//! | [`observe`] | metrics, and observers of what a client does |
//! | [`regions`] | where rows are, and a warm start |
//! | [`key_migration`] | other row keys for a row or a table that exists |
//! | [`series`] | time series, in the tables of OpenTSDB |
//! | [`sizes`] | what rows take on disk |
//! | [`simulate`] | which regions the rows of a key would be in |
//! | [`authentication`] | clusters that ask who the client is: Kerberos |
//! | [`Config`], [`DeliveryGuarantee`] | deadlines, limits, and what happens after a lost reply |
//! | [`settings`] | HBase's own files, settings in addresses, and a report of what became of them |
//! | [`Error`], [`ErrorKind`] | what went wrong, and what can be done |
//!
//! # Guarantees
//!
//! A write that was acknowledged is on the server. A write that was not acknowledged is an error:
//! it failed, or its outcome is [unknown](ErrorKind::OutcomeUnknown). A put or delete takes effect
//! once, unless its [`DeliveryGuarantee`] allows more. Increments and appends are applied once,
//! however often they have to be sent to HBase, and return the new value only if no other write can
//! be part of it; they are sent to Bigtable only once, and if no answer arrives, their outcome is
//! unknown. A scan returns every row of its range once, in order, even if regions move or split. No
//! operation waits longer than its deadline, and every future may be dropped at any time.
//!
//! # Features
//!
//! <!-- features: from sdk/Cargo.toml -->
//! | feature | what it adds |
//! |---|---|
//! | `derive` (default) | `#[derive(RowKey)]`, `#[derive(Table)]`, `#[derive(CellGroup)]` |
//! | `metrics` (default) | `Client::metrics`: what a client does, counted, in histograms of a fixed size |
//! | `mock` | the URL `mock:`, a cluster inside the process, for tests and first steps |
//! | `testing` | `test_row_key!`, which tests your own key types; for `[dev-dependencies]` |
//! | `bigtable` | Cloud Bigtable: the URL `bigtable://project/instance` |
//! | `google-credentials` | Google's application default credentials, for Cloud Bigtable; keys of service accounts need `ring` or `aws-lc-rs`, which sign with them |
//! | `chrono`, `jiff`, `time` | points in time and dates of these crates as fields of a row key, and in cells (`codec = UnixMillis`) |
//! | `uuid` | `uuid::Uuid` as a field of a row key, and in cells (`codec = ordered`) |
//! | `json` | cells that hold JSON of a `serde` type (`codec = json`); schemas of keys as JSON |
//! | `cbor` | cells that hold CBOR of a `serde` type (`codec = cbor`) |
//! | `rustls-023` | TLS by rustls 0.23, with a cryptography provider that the program installs |
//! | `ring` | TLS with `ring` as the cryptography provider; building it needs a C compiler |
//! | `aws-lc-rs` | TLS with `aws-lc-rs` as the cryptography provider, in preference to `ring`; building it needs a C compiler and, on some systems, CMake |
//! | `java-keystores` | TLS with Java's stores of keys and certificates (JKS, PKCS12), and keys with a password |
//! | `kerberos` | secured clusters: logins by Kerberos and delegation tokens, also as HBase's files have them |
//! | `compression-gzip`, `compression-lz4`, `compression-snappy`, `compression-zstd` | compressed cells between client and servers: `Config::compression` |
//! | `prometheus` | the metrics in Prometheus's text format |
//! | `opentelemetry-033` | the metrics by OpenTelemetry's API 0.33, and its current context as the trace of calls |
//! | `tracing` | a span of `tracing` for each operation, and one for each of its attempts |
//! <!-- end of features -->

use tallrow_wire as wire;

pub mod admin;
pub mod authentication;
mod backend;
mod client;
mod config;
#[doc(hidden)]
pub mod fuzz;
pub mod key;
mod model;
pub mod observe;
mod patterns;
mod raw_table;
mod reading;
mod request;
mod runtime;
mod sizing;
pub mod table;

pub use admin::{Admin, FamilyDescriptor, TableDescriptor};
pub use client::Client;
pub use config::Config;
#[cfg(feature = "bigtable")]
pub use config::access_tokens::{AccessToken, AccessTokens};
pub use config::compression::Compression;
pub use config::connector::Connector;
#[cfg(feature = "rustls-023")]
pub use config::tls::Tls;
pub use model::error::{Attempt, Error, ErrorKind, Result};
pub use model::naming::TableRef;
pub use model::row::Row;
pub use model::row_key_display::RowKeyDisplay;
pub use model::table_name::TableName;
pub use model::timestamp::Timestamp;
pub use raw_table::RawTable;
pub use request::delivery::DeliveryGuarantee;
pub use runtime::retry_budget::RetryBudget;
pub use table::{Batch, CellGroup, Table, TypedTable, Update};
// Only the trait: `tallrow_codec::RowKey` would also import codec's derive, which generates paths
// of `tallrow_codec`.
pub use tallrow_codec::__private::v1::RowKey;
#[cfg(feature = "testing")]
pub use tallrow_codec::{install_counting_allocator, test_row_key};

// Modules that are public at the root, whichever folder contains them, and the most used items of
// these modules.
pub use config::settings;
pub use model::{cell, value};
pub use patterns::{ids, index, key_migration, list, lookup, series};
pub use raw_table::{regions, writer};
pub use request::{filter, op};
pub use sizing::{simulate, sizes};
pub use table::column;

pub use filter::Filter;
pub use op::{Append, Delete, Get, Increment, Put};
pub use scan::{Page, PageToken, Scan};
pub use value::{Aggregated, Counter};

#[cfg(all(feature = "bigtable", feature = "derive"))]
pub use tallrow_derive::FromSqlRow;
#[cfg(feature = "derive")]
pub use tallrow_derive::{CellGroup, RowKey, Table};

#[cfg(feature = "bigtable")]
pub mod changes {
    //! The change stream of a table, which Bigtable keeps for a day to a week: which rows were
    //! changed, by whom, when and how.
    //!
    //! [`TypedTable::changes`](crate::TypedTable::changes) and
    //! [`RawTable::changes`](crate::RawTable::changes) say what is read, a [`ChangeStream`] returns
    //! it, and a [`ChangePosition`] is saved so that it continues after a restart.

    pub use crate::model::changes::{
        CellChange, ChangePartition, ChangePosition, ChangeRecord, ChangeSource, RowChanges,
    };
    pub use crate::raw_table::{ChangeStream, ChangeStreamBuilder};
    pub use crate::table::{ColumnChange, TypedChanges};
}

#[cfg(feature = "bigtable")]
pub mod query {
    //! Queries in SQL, which Bigtable answers: [`Client::prepare`](crate::Client::prepare) prepares
    //! one, [`PreparedQuery`] executes it, and [`QueryRows`] are its rows. These are the types of
    //! parameters and results:
    //!
    //! | SQL | [`SqlType`] | [`SqlValue`] | in Rust |
    //! |---|---|---|---|
    //! | `BYTES` | `Bytes` | `Bytes` | `bytes::Bytes`, `Vec<u8>`, `&[u8]` |
    //! | `STRING` | `String` | `String` | `String`, `&str` |
    //! | `INT64` | `Int64` | `Int64` | `i64`, and `i16`, `i32`, `u16`, `u32`, `u64` if the number fits |
    //! | `FLOAT32`, `FLOAT64` | `Float32`, `Float64` | the same | `f32`; `f64`, also of a `FLOAT32` |
    //! | `BOOL` | `Bool` | `Bool` | `bool` |
    //! | `TIMESTAMP` | `Timestamp` | `Timestamp` | [`SqlTimestamp`], `std::time::SystemTime` |
    //! | `DATE` | `Date` | `Date` | [`SqlDate`] |
    //! | `ARRAY<T>` | `Array` | `Array` | `Vec<T>` |
    //! | `STRUCT<..>` | `Struct` | `Struct` | [`SqlRow`], a tuple, a type with `#[derive(FromSqlRow)]` |
    //! | `MAP<K, V>` | `Map` | `Map` | `HashMap<K, V>`, `BTreeMap<K, V>` |
    //! | `PROTO`, `ENUM` | `Proto`, `Enum` | `Bytes`, `Int64` | as `BYTES` and `INT64` |
    //! | `NULL` | | `Null` | `Option::None` |
    //!
    //! Structs and maps are only results: a parameter is a value of one of the types before them, or
    //! an array of such values.

    pub use crate::client::{BoundQuery, PreparedQuery, QueryRows};
    pub use crate::model::query::{
        FromSqlRow, FromSqlValue, IntoSqlValue, SqlColumnIndex, SqlDate, SqlField, SqlRow,
        SqlTimestamp, SqlType, SqlValue,
    };
}

pub mod scan {
    //! Reading many rows in the order of their keys: [`Scan`], and the types that a scan returns.

    pub use crate::reading::{
        FirstRows, Page, PageEnd, RequestStats, RowStream, ScanMetrics, ScanPlan, ScanStep,
    };
    pub use crate::request::scan::{PageToken, Scan};
}

/// The items that the code generated by the derives uses; not part of the public API.
#[doc(hidden)]
pub mod __private {
    /// The first version of these items. A derive that generates different code gets a module of
    /// its own.
    pub mod v1 {
        pub use tallrow_codec::__private::v1::*;

        pub use std::vec::Vec;

        pub use crate::admin::FamilyDescriptor;
        #[cfg(feature = "bigtable")]
        pub use crate::model::query::{FromSqlRow, FromSqlValue, SqlRow, SqlValue, from_struct};
        pub use crate::model::value::{
            CellField, Counter, DecodeCell, EncodeCell, NativeCodec, OfExtremum, OfSketch, OfSum,
            ValueError, ValueOrOption, Versions,
        };
        pub use crate::table::column::{CellMap, Column, DynamicColumns};
        pub use crate::table::derived::*;
        pub use crate::table::private::*;
        pub use crate::table::{
            CellGroup, GroupColumns, KeyOf, RecordRow, Table, WriteOptions, WriteRow,
        };
        pub use crate::{Put, Result as TableResult, Row as TableCells, Timestamp};
        pub use core::primitive::u32;
    }
}
