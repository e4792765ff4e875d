use std::vec;

use super::hour_rows::HourRows;
use super::point::Point;
use crate::Result;

/// The points of a [`Series`](super::Series) in a span of time, in order of time, fetched a little ahead of their reader.
///
/// See [`Series`](super::Series) for an example.
#[derive(Debug)]
#[must_use = "no point is read until it is requested"]
pub struct Points {
    rows: HourRows,
    hour: vec::IntoIter<Point>,
}

impl Points {
    pub(super) fn new(rows: HourRows) -> Self {
        Self { rows, hour: Vec::new().into_iter() }
    }

    /// The next point; `None` at the end.
    ///
    /// # Errors
    /// As [`SeriesRows::next_row`](super::SeriesRows::next_row).
    pub async fn next_point(&mut self) -> Result<Option<Point>> {
        loop {
            if let Some(point) = self.hour.next() {
                return Ok(Some(point));
            }
            match self.rows.next_row().await? {
                Some(row) => self.hour = row.points.into_iter(),
                None => return Ok(None),
            }
        }
    }
}
