//! Typed row keys and a native async client for HBase.
//!
//! A row key is a struct: its fields become bytes that sort as the fields do, and a scan that the key cannot answer
//! with ranges of rows does not compile. A row is a struct too: its fields are cells. The client speaks HBase's own
//! RPC to real clusters, found through ZooKeeper or through their servers, and to the mock that comes with it.
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
//!     let client = Client::connect("mock:").await?; // or hbase+zk://host:2181, hbase+rpc://host:16000
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
//! | [`RawTable`], [`op`] | rows as bytes |
//! | [`Filter`], [`filter`] | which cells of a read the server returns |
//! | [`Admin`], [`TableDescriptor`], [`admin`] | creating, describing and altering tables |
//! | [`sizes`] | what rows take on disk |
//! | [`Config`], [`DeliveryGuarantee`] | deadlines, limits, and what happens after a lost reply |
//! | [`Error`], [`ErrorKind`] | what went wrong, and what can be done |
//!
//! # What is promised
//!
//! A write that was acknowledged is on the server. One that was not is an error: failed, or
//! [`OutcomeUnknown`](ErrorKind::OutcomeUnknown). A put or delete takes effect once, unless its [`DeliveryGuarantee`] allows more.
//! Increments and appends are applied once, however often they have to be sent, and return a value only if it is
//! theirs. A scan returns every row of its range once, in order, even if regions move or split. Nothing waits
//! longer than its deadline, and every future may be dropped.
//!
//! # Features
//!
//! | feature | |
//! |---|---|
//! | `derive` (default) | `#[derive(RowKey)]` and `#[derive(Table)]` |
//! | `json`, `cbor` | cells that hold a `serde` value: `#[cell("d:x", codec = json)]` |
//! | `mock` | the address `mock:`: a cluster inside the process, for tests and first steps |

use tallrow_wire as wire;

pub mod admin;
mod backend;
pub mod cell;
mod client;
pub mod column;
mod columns;
mod config;
mod connector;
mod delivery;
mod descriptor;
mod error;
pub mod filter;
mod hbase;
pub mod op;
mod random_salt;
mod raw_table;
mod row;
mod scan;
mod show;
pub mod sizes;
pub mod table;
mod table_name;
mod timestamp;
mod together;
mod url;
pub mod value;
mod write_clock;

pub use admin::{Admin, FamilyDescriptor, TableDescriptor};
pub use client::Client;
pub use config::Config;
pub use connector::Connector;
pub use delivery::DeliveryGuarantee;
pub use error::{Error, ErrorKind, Result};
pub use filter::Filter;
pub use op::{Append, Delete, Get, Increment, Put};
pub use raw_table::RawTable;
pub use row::Row;
pub use scan::Scan;
pub use table::{CellGroup, Table, TypedTable, Update};
pub use table_name::TableName;
// The trait alone: under its own name it would come with codec's derive, which writes other paths than ours.
pub use tallrow_codec::__private::v1::RowKey;
#[cfg(feature = "testing")]
pub use tallrow_codec::{install_counting_allocator, test_row_key};
pub use timestamp::Timestamp;
pub use value::Counter;

#[cfg(feature = "derive")]
pub use tallrow_derive::{CellGroup, RowKey, Table};

pub mod key {
    //! Row keys: the encodings, orders, ranges and splits of `tallrow-codec`, which has all of it without a client.
    //!
    //! The derive is the same by either name, and writes paths of this crate alone:
    //!
    //! ```
    //! #[derive(tallrow::key::RowKey)]
    //! struct UserKey {
    //!     user: u32,
    //! }
    //!
    //! assert_eq!(UserKey { user: 7 }.encode(), [0, 0, 0, 7]);
    //! ```
    //!
    //! No name means one thing here and another in the crate, so both can be imported whole:
    //!
    //! ```
    //! # #![deny(warnings)]
    //! use tallrow::key::*;
    //! use tallrow::*;
    //!
    //! #[derive(RowKey)]
    //! struct ShopKey {
    //!     shop: u16,
    //! }
    //!
    //! assert_eq!(ShopKey::scan().shop(7).row_ranges()?, [RowRange::row(&[0, 7])]);
    //! # Ok::<(), EncodeError>(())
    //! ```

    pub use crate::random_salt::random_salt;
    pub use tallrow_codec::*;
    // In place of codec's own, which writes paths of `tallrow_codec`.
    #[cfg(feature = "derive")]
    pub use tallrow_derive::RowKey;
}

/// What the code of the derives calls; no part of the public interface.
#[doc(hidden)]
pub mod __private {
    /// The first version: a derive that writes other code calls into another.
    pub mod v1 {
        pub use tallrow_codec::__private::v1::*;

        pub use std::vec::Vec;

        pub use crate::admin::FamilyDescriptor;
        pub use crate::column::{CellMap, Column, DynamicColumns};
        pub use crate::table::derived::*;
        pub use crate::table::private::*;
        pub use crate::table::{CellGroup, GroupColumns, RecordRow, Table, WriteOptions, WriteRow};
        pub use crate::value::{
            CellField, CellSlot, Counter, DecodeCell, EncodeCell, NativeCodec, ValueError, Versions,
        };
        pub use crate::{Put, Result as TableResult, Row as TableCells, Timestamp};
        pub use core::primitive::u32;
    }
}

/// The programs of the README are run with the other examples.
#[cfg(all(doctest, feature = "mock"))]
#[doc = include_str!("../../README.md")]
struct Readme;

/// So are those of the guide to tables.
#[cfg(all(doctest, feature = "mock"))]
#[doc = include_str!("../../docs/tables.md")]
struct Tables;

/// So are those of the page on typed rows.
#[cfg(all(doctest, feature = "mock", feature = "json"))]
#[doc = include_str!("../../docs/typed-rows.md")]
struct TypedRows;
