//! `Series`, the handle that writes, appends, reads and compacts the points of one metric with its
//! tags.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeBounds;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::FAMILY;
use super::compaction::{Compaction, Plan};
use super::downsample::{Aggregation, DownsampledPoints};
use super::hour_cells::APPENDED_QUALIFIER;
use super::hour_rows::HourRows;
use super::layout::SeriesIds;
use super::point::Point;
use super::points::Points;
use super::stored_point::{HOUR, StoredPoint};
use super::tables::{SeriesNames, Tables};
use super::time_span::TimeSpan;
use crate::request::filter::FuzzyRow;
use crate::{Append, DeliveryGuarantee, Error, Filter, Get, Put, Result, Scan, Timestamp};

/// One time series: a metric with its tags, kept as ids. Cheap to clone.
///
/// ```
/// use tallrow::{Client, Timestamp, lookup, series::{self, Point, TimeSeriesTable}};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client.admin().create_table(&series::table_descriptor("tsdb")?).await?;
/// client.admin().create_table(&lookup::table_descriptor("tsdb-uid")?).await?;
/// let db = TimeSeriesTable::builder(client.raw_table("tsdb")?, client.raw_table("tsdb-uid")?).build()?;
///
/// let cpu = db.get_or_create_series("sys.cpu.user", [("host", "web01")]).await?;
/// cpu.write([Point::at_secs(1_700_000_000, 42), Point::at_secs(1_700_000_010, 0.5)]).await?;
/// cpu.append([Point::at_secs(1_700_000_020, 7)]).await?;
///
/// let mut points = cpu.read(Timestamp::from_millis(1_700_000_005_000)..)?;
/// assert_eq!(points.next_point().await?, Some(Point::at_secs(1_700_000_010, 0.5)));
/// assert_eq!(points.next_point().await?, Some(Point::at_secs(1_700_000_020, 7)));
/// assert_eq!(points.next_point().await?, None);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Series {
    tables: Arc<Tables>,
    ids: SeriesIds,
}

impl Series {
    pub(super) fn new(tables: Arc<Tables>, ids: SeriesIds) -> Self {
        Self { tables, ids }
    }

    /// Writes points, with one put for the points of each hour. A point replaces an existing point
    /// at the same time.
    ///
    /// If an error leaves some hours written and others not, all points may be written again. A put
    /// whose reply was lost is sent again.
    ///
    /// See [`Series`] for an example.
    ///
    /// # Errors
    /// The errors of [`RawTable::put`](crate::RawTable::put);
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument), before anything is sent, for a value
    /// that is not finite, or a time after the year 2106.
    pub async fn write(&self, points: impl IntoIterator<Item = Point>) -> Result<()> {
        let tables = &self.tables;
        let written = async {
            let put = |(start, points): (u32, BTreeMap<u32, StoredPoint>)| {
                let put = Put::new(self.row(start)).delivery(DeliveryGuarantee::AtLeastOnce);
                points
                    .values()
                    .fold(put, |put, point| put.cell(FAMILY, point.qualifier(), point.value()))
            };
            let puts: Vec<_> = self.by_hour(points)?.into_iter().map(put).collect();
            tables.points.put_all(puts).await.into_result().map(drop)
        };
        written.await.map_err(|error: Error| error.with_operation("write"))
    }

    /// Appends points to one cell of each hour, so that the row needs no compaction, as OpenTSDB
    /// does with `tsd.storage.enable_appends`. If several points have the same time, the last one
    /// is used.
    ///
    /// A server reads the cell to append to it, so this costs more than [`write`](Self::write).
    ///
    /// # Errors
    /// The errors of [`write`](Self::write) and [`RawTable::append`](crate::RawTable::append). An
    /// append that is reported as [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) may be
    /// repeated.
    pub async fn append(&self, points: impl IntoIterator<Item = Point>) -> Result<()> {
        let tables = &self.tables;
        let appended = async {
            let append = |(start, points): (u32, BTreeMap<u32, StoredPoint>)| {
                let mut bytes = Vec::new();
                for point in points.values() {
                    point.put_qualifier(&mut bytes);
                    bytes.extend_from_slice(point.value());
                }
                Append::new(self.row(start)).add(FAMILY, APPENDED_QUALIFIER, bytes)
            };
            let appends = self.by_hour(points)?.into_iter().map(append);
            let appended = tables.points.batch(appends).await;
            appended.into_iter().try_for_each(|appended| appended.map(drop))
        };
        appended.await.map_err(|error: Error| error.with_operation("append"))
    }

    /// Returns the points of a span of time, in order of time. Nothing is sent before the first
    /// point is requested.
    ///
    /// See [`Series`] for an example.
    ///
    /// # Errors
    /// The errors of [`Points::next_point`].
    pub fn read(&self, range: impl RangeBounds<Timestamp>) -> Result<Points> {
        self.points(TimeSpan::new(range))
    }

    /// Divides time into intervals of this length, and returns one number for each interval that
    /// has points and begins in the span of time `range`.
    ///
    /// Intervals begin at multiples of their length since 1970, as in OpenTSDB, and include all of
    /// their points: an interval that begins before the end of the span also includes its points
    /// after the end of the span.
    ///
    /// ```
    /// # use tallrow::{Client, lookup, series::{self, Point, TimeSeriesTable}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&series::table_descriptor("tsdb")?).await?;
    /// # client.admin().create_table(&lookup::table_descriptor("tsdb-uid")?).await?;
    /// # let db = TimeSeriesTable::builder(client.raw_table("tsdb")?, client.raw_table("tsdb-uid")?).build()?;
    /// # let cpu = db.get_or_create_series("sys.cpu.user", [("host", "web01")]).await?;
    /// use std::time::Duration;
    /// use tallrow::{Timestamp, series::Aggregation};
    ///
    /// cpu.write((0..120).map(|i| Point::at_secs(1_700_000_040 + i, i64::from(i)))).await?;
    /// let minute = Duration::from_secs(60);
    /// let mut averages = cpu.downsample(.., minute, Aggregation::Avg)?;
    /// assert_eq!(
    ///     averages.next_value().await?,
    ///     Some((Timestamp::from_millis(1_700_000_040_000), 29.5))
    /// );
    /// assert_eq!(
    ///     averages.next_value().await?,
    ///     Some((Timestamp::from_millis(1_700_000_100_000), 89.5))
    /// );
    /// assert_eq!(averages.next_value().await?, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for an interval shorter than a
    /// millisecond.
    pub fn downsample(
        &self,
        range: impl RangeBounds<Timestamp>,
        interval: Duration,
        aggregation: Aggregation,
    ) -> Result<DownsampledPoints> {
        let interval = u64::try_from(interval.as_millis()).unwrap_or(u64::MAX);
        if interval == 0 {
            let text = "an interval is at least a millisecond";
            let table = self.tables.points.name();
            return Err(Error::invalid(text).with_operation_if_unset("downsample").on_table(table));
        }
        let TimeSpan { from, end } = TimeSpan::new(range);
        let up = |time: u64| time.checked_next_multiple_of(interval).unwrap_or(u64::MAX);
        let points = self.points(TimeSpan { from: up(from), end: up(end) })?;
        Ok(DownsampledPoints::new(points, interval, aggregation))
    }

    /// Compacts the cells of the hour that contains this time into one cell, which saves the bytes
    /// of the row key in every other cell.
    ///
    /// In one step, the new cell is written and the old cells are deleted, each old cell up to the
    /// version that was read. A point that is written meanwhile stays, and is newer than the new
    /// cell. Cells that are younger than
    /// [`min_compaction_age`](super::TimeSeriesBuilder::min_compaction_age) are not replaced.
    /// Several programs may call this function concurrently, and it may be called again after any
    /// error.
    ///
    /// ```
    /// # use tallrow::{Client, lookup, series::{self, Point, TimeSeriesTable}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&series::table_descriptor("tsdb")?).await?;
    /// # client.admin().create_table(&lookup::table_descriptor("tsdb-uid")?).await?;
    /// # let points = client.raw_table("tsdb")?;
    /// # let names = client.raw_table("tsdb-uid")?;
    /// use std::time::Duration;
    /// use tallrow::Timestamp;
    ///
    /// // At least a minute in a program that has other writers.
    /// let builder = TimeSeriesTable::builder(points.clone(), names);
    /// let db = builder.min_compaction_age(Duration::ZERO).build()?;
    /// let cpu = db.get_or_create_series("sys.cpu.user", [("host", "web01")]).await?;
    /// cpu.write((0..60).map(|i| Point::at_secs(1_700_000_000 + i, 42))).await?;
    ///
    /// # tokio::time::sleep(Duration::from_millis(5)).await;
    /// let hour = Timestamp::from_millis(1_700_000_000_000);
    /// let compaction = cpu.compact(hour).await?;
    /// assert_eq!((compaction.points, compaction.cells_replaced), (60, 60));
    /// assert_eq!(compaction.cells_too_recent, 0);
    /// let row = points.scan(tallrow::Scan::all())?.next_row().await?.unwrap();
    /// assert_eq!(row.cells().len(), 1);
    /// assert_eq!(cpu.compact(hour).await?.cells_replaced, 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`RawTable::get`](crate::RawTable::get) and
    /// [`RawTable::mutate_row`](crate::RawTable::mutate_row); [`Decode`](crate::ErrorKind::Decode)
    /// for a cell that is not in OpenTSDB's format; nothing is changed then.
    pub async fn compact(&self, time: Timestamp) -> Result<Compaction> {
        let tables = &self.tables;
        let compacted = async {
            let span = TimeSpan::new(time..=time);
            let Some((start, _)) = span.first_and_last_hour() else {
                return Ok(Compaction::default());
            };
            let table = tables.points.with_deadline(tables.points.deadline());
            // The clock is read first, so that cells written after this are treated as recent.
            let now = Timestamp::now();
            let row = table.get(Get::new(self.row(start)).family(FAMILY)).await?;
            let Some(row) = row else { return Ok(Compaction::default()) };
            let plan = Plan::of(&row, now, tables.min_compaction_age)?;
            if let Some(step) = plan.mutation {
                table.mutate_row(step).await?;
            }
            Ok(plan.compaction)
        };
        compacted
            .await
            .map_err(|error: Error| error.with_operation("compact").on_table(tables.points.name()))
    }

    /// Returns the metric and the tags of the series.
    ///
    /// ```
    /// # use tallrow::{Client, lookup, series::{self, TimeSeriesTable}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&series::table_descriptor("tsdb")?).await?;
    /// # client.admin().create_table(&lookup::table_descriptor("tsdb-uid")?).await?;
    /// # let db = TimeSeriesTable::builder(client.raw_table("tsdb")?, client.raw_table("tsdb-uid")?).build()?;
    /// let names = db.get_or_create_series("sys.cpu.user", [("host", "web01")]).await?.names().await?;
    /// assert_eq!(names.metric, "sys.cpu.user");
    /// assert_eq!(names.tags, [("host".into(), "web01".into())]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`Lookup::names`](crate::lookup::Lookup::names);
    /// [`Inconsistent`](crate::ErrorKind::Inconsistent) if an id has no name.
    pub async fn names(&self) -> Result<SeriesNames> {
        self.tables.names_of(&self.ids).await.map_err(|error| error.with_operation("names"))
    }

    fn row(&self, start: u32) -> Bytes {
        self.tables.layout.row(&self.ids, start)
    }

    /// Groups points by the start of their hour, and then by their offset in it. Of points with the
    /// same time, the last one is kept.
    fn by_hour(
        &self,
        points: impl IntoIterator<Item = Point>,
    ) -> Result<BTreeMap<u32, BTreeMap<u32, StoredPoint>>> {
        let mut hours: BTreeMap<u32, BTreeMap<u32, StoredPoint>> = BTreeMap::new();
        for point in points {
            let (start, stored) = StoredPoint::of(&point)
                .map_err(|problem| Error::invalid(problem).on_table(self.tables.points.name()))?;
            hours.entry(start).or_default().insert(stored.offset_millis(), stored);
        }
        Ok(hours)
    }

    fn points(&self, span: TimeSpan) -> Result<Points> {
        let layout = &self.tables.layout;
        let ranges = span
            .first_and_last_hour()
            .map(|(first, last)| layout.series_range(&self.ids, first, last));
        // Rows of other series are between two rows of this series: with this filter, the server
        // seeks to the next row of this series.
        let fixed = layout.tags_offset() - size_of::<u32>();
        let mut mask = vec![0; fixed];
        mask.resize(fixed + size_of::<u32>(), 1);
        mask.resize(mask.len() + self.ids.tags.len(), 0);
        let mine = Filter::fuzzy_rows([FuzzyRow::new(self.row(HOUR), mask)]);
        let scan = Scan::all().family(FAMILY).filter(mine);
        let only = self.ids.clone();
        let mine = move |ids: &SeriesIds| *ids == only;
        let rows =
            HourRows::new(self.tables.clone(), ranges.into_iter().collect(), scan, span, mine)?;
        Ok(Points::new(rows))
    }
}

/// Two series are equal if they have the same metric and the same tags in the same table.
impl PartialEq for Series {
    fn eq(&self, other: &Self) -> bool {
        self.ids == other.ids && self.tables.points.name() == other.tables.points.name()
    }
}

impl fmt::Debug for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ids.fmt(f)
    }
}
