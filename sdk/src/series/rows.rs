use super::handle::Series;
use super::hour_rows::HourRows;
use super::point::Point;
use crate::{Result, Timestamp};

/// The points of a [`Series`] in an hour.
///
/// See [`TimeSeries::scan`](super::TimeSeries::scan) for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SeriesRow {
    /// Whose points they are.
    pub series: Series,
    /// When the hour begins.
    pub hour: Timestamp,
    /// The points that are in the span of time of the scan, in order of time; at least one.
    pub points: Vec<Point>,
}

/// The rows of a [`SeriesScan`](super::SeriesScan), in order of their hours.
///
/// See [`TimeSeries::scan`](super::TimeSeries::scan) for an example.
#[derive(Debug)]
#[must_use = "no row is read until it is requested"]
pub struct SeriesRows(HourRows);

impl SeriesRows {
    pub(super) fn new(rows: HourRows) -> Self {
        Self(rows)
    }

    /// The next row that has points; `None` at the end.
    ///
    /// Hours come in order, and those of several series in the order of their ids.
    ///
    /// # Errors
    /// As of [`RowStream::next_row`](crate::op::RowStream::next_row); [`Decode`](crate::ErrorKind::Decode) for a row or a
    /// cell that is not OpenTSDB's.
    pub async fn next_row(&mut self) -> Result<Option<SeriesRow>> {
        let Some(row) = self.0.next_row().await? else { return Ok(None) };
        let series = Series::new(self.0.tables().clone(), row.series);
        let hour = Timestamp::from_millis(u64::from(row.start) * 1_000);
        Ok(Some(SeriesRow { series, hour, points: row.points }))
    }
}
