//! The rows of a scan over several series, as a stream: each row has the points of one series in
//! one hour.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use futures_util::TryStreamExt;

use super::handle::Series;
use super::hour_rows::HourRows;
use super::point::Point;
use crate::{Result, Timestamp};

/// The points of a [`Series`] in an hour.
///
/// See [`TimeSeriesTable::scan`](super::TimeSeriesTable::scan) for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SeriesRow {
    /// The series of the points.
    pub series: Series,
    /// When the hour begins.
    pub hour: Timestamp,
    /// The points that are in the span of time of the scan, in order of time; at least one.
    pub points: Vec<Point>,
}

/// The rows of a [`SeriesScan`](super::SeriesScan), in order of their hours.
///
/// See [`TimeSeriesTable::scan`](super::TimeSeriesTable::scan) for an example.
#[derive(Debug)]
#[must_use = "no row is read until it is requested"]
pub struct SeriesRows(HourRows);

impl SeriesRows {
    pub(super) fn new(rows: HourRows) -> Self {
        Self(rows)
    }

    /// Returns the next row that has points; `None` at the end.
    ///
    /// Rows are returned in the order of their hours, and the rows of one hour in the order of the
    /// ids of their series.
    ///
    /// # Errors
    /// The errors of [`RowStream::next_row`](crate::scan::RowStream::next_row);
    /// [`Decode`](crate::ErrorKind::Decode) for a row or a cell that is not in OpenTSDB's format.
    pub async fn next_row(&mut self) -> Result<Option<SeriesRow>> {
        self.try_next().await
    }

    /// Returns all remaining rows, in a `Vec` or another collection.
    ///
    /// See [`TableRows::try_collect`](crate::table::TableRows::try_collect) for an example.
    ///
    /// # Errors
    /// The errors of [`next_row`](Self::next_row).
    pub async fn try_collect<C: Default + Extend<SeriesRow>>(self) -> Result<C> {
        TryStreamExt::try_collect(self).await
    }
}

impl Stream for SeriesRows {
    type Item = Result<SeriesRow>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let row = ready!(self.0.poll_row(cx));
        Poll::Ready(row.map(|row| {
            let row = row?;
            let series = Series::new(self.0.tables().clone(), row.series);
            let hour = Timestamp::from_millis(u64::from(row.start) * 1_000);
            Ok(SeriesRow { series, hour, points: row.points })
        }))
    }
}
