//! Filters: which of the requested cells the server returns.
//!
//! | filter | keeps | HBase's class |
//! |---|---|---|
//! | [`Filter::row`] | rows by their keys | `RowFilter` |
//! | [`Filter::prefix`] | rows whose keys have a prefix | `PrefixFilter` |
//! | [`Filter::row_ranges`] | rows in some ranges | `MultiRowRangeFilter` |
//! | [`Filter::fuzzy_rows`] | rows by some bytes of their keys | `FuzzyRowFilter` |
//! | [`Filter::inclusive_stop`] | rows up to one, including it | `InclusiveStopFilter` |
//! | [`Filter::page`] | the first rows of each region | `PageFilter` |
//! | [`Filter::random_row`] | rows by chance | `RandomRowFilter` |
//! | [`SingleColumnValue`] | rows by the value of a column | `SingleColumnValueFilter`, `..ExcludeFilter` |
//! | [`Filter::family`] | cells by their family | `FamilyFilter` |
//! | [`Filter::qualifier`] | cells by their qualifier | `QualifierFilter` |
//! | [`Filter::column_prefix`], [`column_prefixes`](Filter::column_prefixes) | cells whose qualifier has a prefix | `ColumnPrefixFilter`, `MultipleColumnPrefixFilter` |
//! | [`Filter::column_range`] | cells whose qualifier is in a range | `ColumnRangeFilter` |
//! | [`Filter::column_pagination`], [`column_pagination_from`](Filter::column_pagination_from) | a page of the columns of a row | `ColumnPaginationFilter` |
//! | [`Filter::column_count`] | the first columns of a row, in a get | `ColumnCountGetFilter` |
//! | [`Filter::value`] | cells by their value | `ValueFilter` |
//! | [`Filter::column_value`] | cells of one column by their value | `ColumnValueFilter` |
//! | [`Filter::timestamps`] | cells of exactly these times | `TimestampsFilter` |
//! | [`DependentColumn`] | cells with the time of another column | `DependentColumnFilter` |
//! | [`Filter::first_key_only`] | the first cell of each row | `FirstKeyOnlyFilter` |
//! | [`Filter::first_key_matching`] | the cells of each row up to the first of some columns | `FirstKeyValueMatchingQualifiersFilter` |
//! | [`Filter::key_only`], [`value_lengths`](Filter::value_lengths) | all cells, without their values | `KeyOnlyFilter` |
//! | [`Filter::all`], [`any`](Filter::any) | what all, or any, of several keep | `FilterList` |
//! | [`Filter::skip`] | rows of which the inner filter drops no cell | `SkipFilter` |
//! | [`Filter::while_match`] | what comes before the first that the inner filter drops | `WhileMatchFilter` |
//! | [`Filter::custom`] | what a class of your own keeps | any that the servers have |
//!
//! [`Filter::parse`] reads HBase's filter strings, those of its shell and of its Thrift and REST gateways, and
//! [`Filter::to_filter_string`] writes them.
//!
//! A filter saves sending what it drops, not reading it: the server still reads each row of the scan's range. Only
//! [`row_ranges`](Filter::row_ranges) and [`fuzzy_rows`](Filter::fuzzy_rows) skip rows. Narrow the range first, and
//! filter what a range cannot express.
//!
//! Rows and cells differ in what is left of a row:
//!
//! ```
//! use tallrow::{
//!     Client, FamilyDescriptor, Filter, Put, RawTable, Scan, TableDescriptor, filter::{Compare, SingleColumnValue},
//! };
//!
//! /// The cells that are left, as `row:qualifier`.
//! async fn left(table: &RawTable, filter: impl Into<Filter>) -> tallrow::Result<Vec<String>> {
//!     let mut rows = table.scan(Scan::all().filter(filter.into()))?;
//!     let mut left = Vec::new();
//!     while let Some(row) = rows.next_row().await? {
//!         let cell = |part: &[u8]| String::from_utf8_lossy(part).into_owned();
//!         left.extend(row.cells().iter().map(|c| format!("{}:{}", cell(c.row()), cell(c.qualifier()))));
//!     }
//!     Ok(left)
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> tallrow::Result<()> {
//! let client = Client::connect("mock:").await?;
//! client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
//! let table = client.raw_table("t")?;
//! table.put(Put::new("r1").cell("d", "size", "5").cell("d", "state", "new")).await?;
//! table.put(Put::new("r2").cell("d", "size", "0").cell("d", "state", "sold")).await?;
//! table.put(Put::new("r3").cell("d", "size", "7")).await?;
//!
//! // Cells: a row keeps those that pass.
//! assert_eq!(left(&table, Filter::value(Compare::Equal, "new")).await?, ["r1:state"]);
//! assert_eq!(left(&table, Filter::column_prefix("si")).await?, ["r1:size", "r2:size", "r3:size"]);
//! // Whole rows, by one of their cells. A row without the cell is kept unless the filter says otherwise.
//! let sold = SingleColumnValue::new("d", "state", Compare::Equal, "sold");
//! assert_eq!(left(&table, sold.clone()).await?, ["r2:size", "r2:state", "r3:size"]);
//! assert_eq!(left(&table, sold.filter_if_missing(true)).await?, ["r2:size", "r2:state"]);
//! // Whole rows, by all of their cells.
//! let no_zero = Filter::value(Compare::NotEqual, "0");
//! assert_eq!(left(&table, no_zero.clone()).await?, ["r1:size", "r1:state", "r2:state", "r3:size"]);
//! assert_eq!(left(&table, no_zero.skip()).await?, ["r1:size", "r1:state", "r3:size"]);
//! # Ok(())
//! # }
//! ```
//!
//! For the columns of a row type, [conditions](crate::column::Condition) are shorter, compare values as Rust does, and
//! are turned into these filters.

mod arguments;
mod by_key;
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
mod row_selection;
mod show;
mod single_column;
mod text;
mod validate;

pub use comparator::{BitwiseOp, Comparator};
pub use compare::Compare;
pub use dependent_column::DependentColumn;
pub use kind::Filter;
pub use regex::RegexPattern;
pub use single_column::SingleColumnValue;

pub use crate::key::schema::FuzzyRow;

pub(crate) use comparator::Operand;
pub(crate) use kind::Kind;
pub(crate) use regex::LetterCase;
pub(crate) use validate::Use;
