//! Scans of all series of a metric, or of the series with given tags.

use std::ops::RangeBounds;

use bytes::Bytes;

use super::FAMILY;
use super::hour_rows::HourRows;
use super::layout::SeriesIds;
use super::rows::SeriesRows;
use super::tables::encode_id;
use super::time_series::TimeSeriesTable;
use super::time_span::TimeSpan;
use crate::{Error, Result, Scan, Timestamp};

/// A scan of the series of a metric in a span of time. By default it selects all series of the
/// metric and all times.
///
/// See [`TimeSeriesTable::scan`] for an example.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "a scan does nothing until it is given to time series"]
pub struct SeriesScan {
    metric: Bytes,
    tags: Vec<(Bytes, Bytes)>,
    span: TimeSpan,
}

impl SeriesScan {
    /// Creates a scan of all points of a metric.
    ///
    /// See [`TimeSeriesTable::scan`] for an example of this and the other functions.
    pub fn new(metric: impl AsRef<[u8]>) -> Self {
        let metric = Bytes::copy_from_slice(metric.as_ref());
        Self { metric, tags: Vec::new(), span: TimeSpan::new(..) }
    }

    /// Reads only series with this tag; they may have other tags too.
    pub fn tag(mut self, name: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Self {
        let copy = |bytes: &[u8]| Bytes::copy_from_slice(bytes);
        self.tags.push((copy(name.as_ref()), copy(value.as_ref())));
        self
    }

    /// Reads only points in this span of time.
    pub fn range(mut self, range: impl RangeBounds<Timestamp>) -> Self {
        self.span = TimeSpan::new(range);
        self
    }
}

impl TimeSeriesTable {
    /// Reads the points of all series that the scan selects, hour by hour. The rows of all buckets
    /// are merged in the order of time.
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
    /// use tallrow::{Timestamp, series::SeriesScan};
    ///
    /// let db = TimeSeriesTable::builder(points, names).salt(1, 20).build()?;
    /// for (host, cpu) in [("web01", "0"), ("web01", "1"), ("web02", "0")] {
    ///     let series = db.get_or_create_series("sys.cpu.user", [("host", host), ("cpu", cpu)]).await?;
    ///     series
    ///         .write([Point::at_secs(1_700_000_000, 1), Point::at_secs(1_700_003_600, 2)])
    ///         .await?;
    /// }
    ///
    /// let from = Timestamp::from_millis(1_700_000_000_000);
    /// let scan = SeriesScan::new("sys.cpu.user").tag("host", "web01").range(from..);
    /// let mut rows = db.scan(scan).await?;
    /// let mut values = Vec::new();
    /// while let Some(row) = rows.next_row().await? {
    ///     let names = row.series.names().await?;
    ///     assert!(names.tags.contains(&("host".into(), "web01".into())));
    ///     values.extend(row.points.iter().map(|point| point.value().as_f64()));
    /// }
    /// assert_eq!(values, [1.0, 1.0, 2.0, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`Lookup::find`](crate::lookup::Lookup::find). A name without an id is not an
    /// error: then the scan returns no rows.
    pub async fn scan(&self, scan: SeriesScan) -> Result<SeriesRows> {
        let opened = async {
            let SeriesScan { metric, tags, span } = scan;
            let (names, values): (Vec<Bytes>, Vec<Bytes>) = tags.into_iter().unzip();
            let tables = self.tables();
            let Some((metric, names, values)) = tables.find_ids(metric, names, values).await?
            else {
                let none = HourRows::new(tables.clone(), Vec::new(), Scan::all(), span, |_| false);
                return none.map(SeriesRows::new);
            };
            let mut tags: Vec<_> = names.into_iter().zip(values).collect();
            tags.sort_unstable();
            let pairs: Result<Vec<_>, _> =
                tags.iter().map(|tag| tables.encode_tags(&[*tag])).collect();
            let metric = encode_id(metric, tables.layout.metric_width).map_err(Error::invalid)?;
            let pairs = pairs.map_err(Error::invalid)?;
            let hours = span.first_and_last_hour();
            let ranges =
                hours.map(|(first, last)| tables.layout.metric_ranges(&metric, first, last));
            let mut rows = Scan::all().family(FAMILY);
            if !pairs.is_empty() {
                rows = rows.filter(tables.tags_filter(&pairs));
            }
            let pair = tables.layout.pair_len();
            let wanted = move |ids: &SeriesIds| {
                pairs.iter().all(|wanted| ids.tags.chunks(pair).any(|tag| tag == wanted))
            };
            let ranges = ranges.unwrap_or_default();
            HourRows::new(tables.clone(), ranges, rows, span, wanted).map(SeriesRows::new)
        };
        opened.await.map_err(|error: Error| error.with_operation("scan"))
    }
}
