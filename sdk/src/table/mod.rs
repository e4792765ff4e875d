//! Tables whose rows are values of a type: the traits that `#[derive(Table)]` implements, and the
//! reads and writes of such tables.
//!
//! | to | call on a [`TypedTable`] | it |
//! |---|---|---|
//! | read rows by their keys | [`get`](TypedTable::get), [`get_all`](TypedTable::get_all), [`exists`](TypedTable::exists) | `None` for a row that has no cells |
//! | read many rows | [`scan`](TypedTable::scan), then [`rows`](TableScan::rows), [`keys`](TableScan::keys), [`page`](TableScan::page), [`count`](TableScan::count) | in the order of their keys |
//! | read rows by keys that are in other rows | [`join`](TypedTable::join) | in the order of the other rows |
//! | read a part of a row with many cells | [`scan_cells`](TypedTable::scan_cells), then [`page`](CellScan::page) | in the order of their qualifiers |
//! | write whole rows | [`put`](TypedTable::put), [`put_all`](TypedTable::put_all) | leaves counters and cells of `None` as they are |
//! | write a row if nobody else has | [`save`](TypedTable::save) | needs a field with `row_version` |
//! | change some cells | [`update`](TypedTable::update) with an [`Update`] | in one step, without reading the row |
//! | change some cells on a condition | [`check_and_update`](TypedTable::check_and_update), [`check_and_put`](TypedTable::check_and_put), [`check_and_delete`](TypedTable::check_and_delete) | returns whether it held |
//! | count | [`increment`](TypedTable::increment), [`increment_columns`](TypedTable::increment_columns) | once, despite lost replies |
//! | append to a text or bytes | [`append`](TypedTable::append) | once, despite lost replies |
//! | delete rows or cells | [`delete`](TypedTable::delete), [`delete_all`](TypedTable::delete_all), [`delete_cell`](TypedTable::delete_cell) | |
//! | change many rows | [`batch`](TypedTable::batch) with a [`Batch`] | each on its own |
//! | read what was changed, on Bigtable | `changes`, with the feature `bigtable` | follows splits, and continues after a restart |
//! | run code at each change and read | [`with_hook`](TypedTable::with_hook) with a [`RowHook`] | |
//!
//! A row type need not have a field for every cell of a row. Writes do not change the cells without
//! a field; a delete of the row deletes these cells too:
//!
//! ```
//! use tallrow::{Client, Put, RowKey, Table};
//!
//! #[derive(RowKey, Clone)]
//! struct Isbn { number: u32 }
//!
//! #[derive(Table)]
//! #[table(name = "books")]
//! #[family("b")]
//! struct Book {
//!     #[key]
//!     isbn: Isbn,
//!     #[cell("b:t")]
//!     title: String,
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> tallrow::Result<()> {
//! let client = Client::connect("mock:").await?;
//! client.admin().create::<Book>().await?;
//! let books = client.table::<Book>();
//! let isbn = Isbn { number: 1 };
//! // The same table without types: here another program.
//! let raw = books.raw()?;
//! raw.put(Put::new(isbn.encode()).cell("b", "pages", "300")).await?;
//!
//! books.put(&Book { isbn: isbn.clone(), title: "HBase".into() }).await?;
//! assert_eq!(raw.get(isbn.encode()).await?.unwrap().value("b", "pages"), Some(&b"300"[..]));
//! books.delete(&isbn).await?;
//! assert_eq!(raw.get(isbn.encode()).await?, None);
//! # Ok(())
//! # }
//! ```

mod batch;
mod batch_result;
mod cell_reader;
mod cell_scan;
mod cell_writer;
mod change;
#[cfg(feature = "bigtable")]
mod changes;
pub mod column;
mod descriptor;
mod first_rows;
mod group;
mod group_columns;
mod hook;
mod hooked;
mod join;
mod mutate_rows;
mod names;
mod puts;
mod reads;
mod row_type;
mod row_version;
mod rows;
mod scan;
mod typed_table;
mod typed_writer;
mod update;
mod update_result;
mod write_options;
mod writes;

pub use batch::Batch;
pub use batch_result::BatchResult;
pub use cell_scan::CellScan;
#[cfg(feature = "bigtable")]
pub use changes::{ColumnChange, TypedChanges};
pub use first_rows::TableFirstRows;
pub use group::CellGroup;
pub use group_columns::GroupColumns;
pub use hook::{ExtraMutations, RowChange, RowHook};
pub use join::Join;
pub use row_type::{KeyOf, RecordRow, Table, WriteRow};
pub(crate) use row_version::{version_bytes, version_conflict};
pub use rows::{TableKeys, TableRows};
pub use scan::TableScan;
pub use typed_table::TypedTable;
pub(crate) use typed_table::columns_of;
pub use typed_writer::TypedWriter;
pub use update::Update;
pub use update_result::UpdateResult;
pub use write_options::WriteOptions;

pub(crate) mod derived;

/// The items that the code of the derives uses; they are not part of the public API.
pub(crate) mod private {
    pub use super::cell_reader::CellReader;
    pub use super::cell_writer::CellWriter;
    pub use super::names::{
        ColumnName, assert_distinct, assert_in_families, assert_in_table, concat_names, contains,
        count, empty_column_names, group_names, prefixed_qualifiers, prefixed_qualifiers_len,
    };
}
