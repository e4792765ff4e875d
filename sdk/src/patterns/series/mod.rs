//! Time series: the points of an hour in one row, in the tables of OpenTSDB.
//!
//! A point has a metric, tags, a time and a value. A [`Lookup`](crate::lookup::Lookup) turns the
//! names of metrics and tags into ids. A row holds one hour of one series. Each column of the row
//! holds a point, and its qualifier contains the offset of the point in the hour. The format is
//! that of OpenTSDB 2.4, so this module can read and continue tables of OpenTSDB, and OpenTSDB can
//! read what this module writes.
//!
//! ```
//! use std::time::Duration;
//! use tallrow::{Client, Timestamp, lookup};
//! use tallrow::series::{self, Aggregation, Point, TimeSeriesTable};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> tallrow::Result<()> {
//! let client = Client::connect("mock:").await?;
//! client.admin().create_table(&series::table_descriptor("tsdb")?).await?;
//! client.admin().create_table(&lookup::table_descriptor("tsdb-uid")?).await?;
//! let db = TimeSeriesTable::builder(client.raw_table("tsdb")?, client.raw_table("tsdb-uid")?).build()?;
//!
//! let cpu = db.get_or_create_series("sys.cpu.user", [("host", "web01")]).await?;
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
//! The first of the flags is set if the value is a float; the other three contain the length of the
//! value minus one. Cells with other qualifiers, such as annotations and histograms, are neither
//! read nor changed.
//!
//! # Cost
//!
//! | | calls | rows |
//! |---|---|---|
//! | [`write`](Series::write) of n points in h hours | h puts, in shared calls | h |
//! | [`append`](Series::append) | h appends | h |
//! | [`read`](Series::read), [`downsample`](Series::downsample) | 1 scan | h; the server seeks over other series |
//! | [`scan`](TimeSeriesTable::scan) | 1 scan for each bucket | all rows of the metric in these hours; those without the tags are not sent |
//! | [`compact`](Series::compact) | 1 get, 1 mutation | 1 |
//! | [`get_or_create_series`](TimeSeriesTable::get_or_create_series), [`names`](Series::names) | the calls of a [`Lookup`](crate::lookup); none if cached | |
//!
//! HBase stores the row key with every cell, so a point of a series with one tag takes 34 bytes
//! more than its qualifier and value. A compacted or appended point takes only its qualifier and
//! its value: 3 bytes for a small number whose time is in seconds.
//!
//! # Points at the same time
//! A point that is written replaces an existing point at the same time. If several cells have
//! points at the same time, the point of the newest cell is used, as in OpenTSDB with
//! `tsd.storage.fix_duplicates`; within appended points, the last point is used. A point in seconds
//! and a point in milliseconds at the same time are the same point. In one series, use either
//! `write` or `append`, because an append makes the whole cell of appended points newer.
//!
//! # Guarantees
//! - A point that was written can be read, with any number of writers, and while rows are
//!   compacted.
//! - Readers never see half a compaction: they see either the cells before the compaction or the
//!   single cell after it. A row is also read correctly if OpenTSDB stopped half-way through a
//!   compaction of it.
//! - Every call may be repeated after any error. A write whose reply is lost is sent again.
//! - Compaction assumes that the timestamp of a cell is the time at which the cell was written. Do
//!   not compact if other programs set the timestamps of cells themselves, as OpenTSDB does with
//!   `tsd.storage.use_otsdb_timestamp`.

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
pub use time_series::TimeSeriesTable;

/// The family of the points.
const FAMILY: &str = "t";
