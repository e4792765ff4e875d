//! Time series: the points of an hour in one row, in the tables of OpenTSDB.
//!
//! A point has a metric, tags, a time and a value. Names become ids, by
//! [`Lookup`](crate::lookup::Lookup); a row holds an hour of one series, and each column a point,
//! named after its offset in the hour. The bytes are those of OpenTSDB 2.4, so its tables can be
//! read and continued, and it reads what is written here.
//!
//! ```
//! use std::time::Duration;
//! use tallrow::{Client, Timestamp, lookup};
//! use tallrow::series::{self, Aggregation, Point, TimeSeries};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> tallrow::Result<()> {
//! let client = Client::connect("mock:").await?;
//! client.admin().create_table(&series::table_descriptor("tsdb")?).await?;
//! client.admin().create_table(&lookup::table_descriptor("tsdb-uid")?).await?;
//! let db = TimeSeries::builder(client.raw_table("tsdb")?, client.raw_table("tsdb-uid")?).build()?;
//!
//! let cpu = db.series("sys.cpu.user", [("host", "web01")]).await?;
//! cpu.write((0..600).map(|i| Point::at_secs(1_700_000_000 + 10 * i, i64::from(i % 7)))).await?;
//!
//! let from = Timestamp::from_millis(1_700_000_000_000);
//! let mut hours = cpu.downsample(from.., Duration::from_secs(3_600), Aggregation::Max)?;
//! assert_eq!(hours.next_value().await?, Some((Timestamp::from_millis(1_700_002_800_000), 6.0)));
//! # Ok(())
//! # }
//! ```
//!
//! # Bytes
//! A row key is
//!
//! | | bytes | |
//! |---|---|---|
//! | the salt, if there is one | 1 to 4 | the hash of metric and tags, modulo the buckets |
//! | the metric | 3, or as set | an id |
//! | the hour | 4 | the second at which it begins |
//! | each tag | 3 and 3, or as set | the ids of its name and its value, sorted by those of the names |
//!
//! and a cell, in the family `t`, is one of
//!
//! | | qualifier | value |
//! |---|---|---|
//! | a point in seconds | 12 bits offset, 4 flags | 1, 2, 4 or 8 bytes |
//! | a point in milliseconds | `F`, 22 bits offset, 2 zeros, 4 flags | the same |
//! | compacted points | their qualifiers, in order of time | their values, then 1 if seconds and milliseconds are mixed, or 0 |
//! | appended points | `05 00 00` | the qualifier and the value of each point |
//!
//! Of the flags, the first is set if the value is a float, the others are its length less one.
//! Cells with other qualifiers, such as annotations and histograms, are neither read nor changed.
//!
//! # Cost
//!
//! | | calls | rows |
//! |---|---|---|
//! | [`write`](Series::write) of n points in h hours | h puts, in shared calls | h |
//! | [`append`](Series::append) | h appends | h |
//! | [`read`](Series::read), [`downsample`](Series::downsample) | 1 scan | h; the server seeks over other series |
//! | [`scan`](TimeSeries::scan) | 1 scan for each bucket | all rows of the metric in these hours; those without the tags are not sent |
//! | [`compact`](Series::compact) | 1 get, 1 mutation | 1 |
//! | [`series`](TimeSeries::series), [`names`](Series::names) | the calls of a [`Lookup`](crate::lookup); none if cached | |
//!
//! HBase stores the row key with every cell, so a point of a series with one tag takes 34 bytes
//! more than its qualifier and value; a compacted or appended point takes its qualifier and its
//! value only, 3 bytes for a small number in seconds.
//!
//! # Points at the same time
//! A point that is written again replaces the one before: of points in several cells, that of the
//! newest cell counts, as in OpenTSDB with `tsd.storage.fix_duplicates`; within appended points,
//! the last one. Seconds and milliseconds of the same time are the same point. In one series,
//! either write or append: an append makes the whole cell newer.
//!
//! # Guarantees
//! - A point that was written can be read, with any number of writers, and while rows are
//!   compacted.
//! - No call returns half a compaction: readers see either the cells before it or the one after it.
//!   A row that OpenTSDB left half compacted is read correctly.
//! - Every call may be repeated after any error. A write whose reply is lost is sent again.
//! - Compaction takes the time of a cell for the time at which it was written. Where other programs
//!   give cells times of their own, as with OpenTSDB's `tsd.storage.use_otsdb_timestamp`, do not
//!   compact.

mod builder;
mod compaction;
mod downsample;
mod handle;
mod hour_cells;
mod hour_rows;
mod layout;
mod point;
mod points;
mod rows;
mod scan;
mod stored_point;
mod tables;
mod time_series;
mod time_span;

pub use builder::{TimeSeriesBuilder, table_descriptor};
pub use compaction::Compaction;
pub use downsample::{Aggregation, DownsampledPoints};
pub use handle::Series;
pub use point::{Point, PointValue};
pub use points::Points;
pub use rows::{SeriesRow, SeriesRows};
pub use scan::SeriesScan;
pub use tables::SeriesNames;
pub use time_series::TimeSeries;

/// The family of the points.
const FAMILY: &str = "t";
