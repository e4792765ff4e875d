//! Filters, which decide which of the requested cells the server returns.
//!
//! [`Filter`] lists all filters, with HBase's classes and what each filter keeps: filters of rows
//! by their keys, filters that look at cells, and filters that combine others.
//!
//! [`Filter::parse`] reads HBase's filter strings, which its shell and its Thrift and REST gateways
//! use, and [`Filter::to_filter_string`] writes them.
//!
//! Cells that a filter drops are not sent, but they are still read: the server reads each row of
//! the scan's range. Only [`row_ranges`](Filter::row_ranges) and [`fuzzy_rows`](Filter::fuzzy_rows)
//! skip rows. Narrow the range first, and use a filter for what a range cannot express.
//!
//! Filters of rows and filters of cells differ in which cells of a row are returned:
//!
//! ```
//! use tallrow::{
//!     Client, FamilyDescriptor, Filter, Put, RawTable, Scan, TableDescriptor,
//!     filter::{CompareOperator, SingleColumnValue},
//! };
//!
//! /// The cells that are left, as `row:qualifier`.
//! async fn left(table: &RawTable, filter: impl Into<Filter>) -> tallrow::Result<Vec<String>> {
//!     let mut rows = table.scan(Scan::all().filter(filter.into()))?;
//!     let mut left = Vec::new();
//!     while let Some(row) = rows.next_row().await? {
//!         let cell = |part: &[u8]| String::from_utf8_lossy(part).into_owned();
//!         left.extend(
//!             row.cells().iter().map(|c| format!("{}:{}", cell(c.row()), cell(c.qualifier()))),
//!         );
//!     }
//!     Ok(left)
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> tallrow::Result<()> {
//! let client = Client::connect("mock:").await?;
//! client
//!     .admin()
//!     .create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")))
//!     .await?;
//! let table = client.raw_table("t")?;
//! table.put(Put::new("r1").cell("d", "size", "5").cell("d", "state", "new")).await?;
//! table.put(Put::new("r2").cell("d", "size", "0").cell("d", "state", "sold")).await?;
//! table.put(Put::new("r3").cell("d", "size", "7")).await?;
//!
//! // Cells: a row keeps those that pass.
//! assert_eq!(left(&table, Filter::value(CompareOperator::Equal, "new")).await?, ["r1:state"]);
//! assert_eq!(left(&table, Filter::column_prefix("si")).await?, ["r1:size", "r2:size", "r3:size"]);
//! // Whole rows, by one of their cells. A row without the cell is kept unless the filter says otherwise.
//! let sold = SingleColumnValue::new("d", "state", CompareOperator::Equal, "sold");
//! assert_eq!(left(&table, sold.clone()).await?, ["r2:size", "r2:state", "r3:size"]);
//! assert_eq!(left(&table, sold.filter_if_missing(true)).await?, ["r2:size", "r2:state"]);
//! // Whole rows, by all of their cells.
//! let no_zero = Filter::value(CompareOperator::NotEqual, "0");
//! assert_eq!(
//!     left(&table, no_zero.clone()).await?,
//!     ["r1:size", "r1:state", "r2:state", "r3:size"]
//! );
//! assert_eq!(left(&table, no_zero.skip()).await?, ["r1:size", "r1:state", "r3:size"]);
//! # Ok(())
//! # }
//! ```
//!
//! For the columns of a row type, [conditions](crate::column::Condition) are shorter to write and
//! compare values as Rust does; they are converted into these filters.

mod argument;
mod arguments;
mod class;
mod comparator;
mod compare;
mod dependent_column;
mod filter_string;
mod inverse;
mod kind;
mod of_cells;
mod of_rows;
mod parse;
mod regex;
mod single_column;
mod text;
mod validate;

pub use comparator::{BitwiseOp, Comparator};
pub use compare::CompareOperator;
pub use dependent_column::DependentColumn;
pub use kind::Filter;
pub use regex::RegexPattern;
pub use single_column::SingleColumnValue;

pub use crate::key::schema::FuzzyRow;

#[cfg(feature = "bigtable")]
pub(crate) use comparator::class_of_bits;
pub(crate) use comparator::{Operand, pattern_of_bits};
pub(crate) use kind::{CellFilter, Kind, RowKeyFilter};
pub(crate) use regex::LetterCase;
pub(crate) use validate::ReadKind;
