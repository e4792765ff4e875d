//! The points of one series in a span of time, as a stream.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::vec;

use futures_core::Stream;
use futures_util::TryStreamExt;

use super::hour_rows::HourRows;
use super::point::Point;
use crate::Result;

/// The points of a [`Series`](super::Series) in a span of time, in order of time, fetched a little
/// before they are requested.
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

    /// Returns the next point; `None` at the end.
    ///
    /// # Errors
    /// The errors of [`SeriesRows::next_row`](super::SeriesRows::next_row).
    pub async fn next_point(&mut self) -> Result<Option<Point>> {
        self.try_next().await
    }

    /// Returns all remaining points, in a `Vec` or another collection.
    ///
    /// See [`Series`](super::Series) for an example.
    ///
    /// # Errors
    /// The errors of [`next_point`](Self::next_point).
    pub async fn try_collect<C: Default + Extend<Point>>(self) -> Result<C> {
        TryStreamExt::try_collect(self).await
    }
}

impl Stream for Points {
    type Item = Result<Point>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(point) = self.hour.next() {
                return Poll::Ready(Some(Ok(point)));
            }
            match ready!(self.rows.poll_row(cx)) {
                Some(Ok(row)) => self.hour = row.points.into_iter(),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
    }
}
