//! Downsampling: one number for each interval of a series, such as its sum or average.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use futures_util::TryStreamExt;

use super::point::Point;
use super::points::Points;
use crate::{Result, Timestamp};

/// How [`Series::downsample`](super::Series::downsample) computes one number from the points of an
/// interval.
///
/// See [`Series::downsample`](super::Series::downsample) for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Aggregation {
    /// The sum of the values.
    Sum,
    /// The smallest value.
    Min,
    /// The largest value.
    Max,
    /// The sum of the values divided by their number.
    Avg,
    /// The number of points.
    Count,
    /// The value of the earliest point.
    First,
    /// The value of the latest point.
    Last,
}

/// The numbers that are computed for the intervals of a [`Series`](super::Series), in order of
/// time.
///
/// See [`Series::downsample`](super::Series::downsample) for an example.
#[derive(Debug)]
#[must_use = "no point is read until a number is requested"]
pub struct DownsampledPoints {
    points: Points,
    interval: u64,
    aggregation: Aggregation,
    /// The start of the interval whose points are being read, and the total of these points.
    interval_total: Option<(u64, Total)>,
}

impl DownsampledPoints {
    pub(super) fn new(points: Points, interval: u64, aggregation: Aggregation) -> Self {
        Self { points, interval, aggregation, interval_total: None }
    }

    /// Returns the start of the next interval that has points, and the number that was computed for
    /// it; `None` at the end.
    ///
    /// If the future is dropped before it is done, the next call continues where it stopped.
    ///
    /// # Errors
    /// The errors of [`Points::next_point`].
    pub async fn next_value(&mut self) -> Result<Option<(Timestamp, f64)>> {
        self.try_next().await
    }

    /// Returns all remaining intervals and their numbers, in a `Vec` or another collection.
    ///
    /// See [`TableRows::try_collect`](crate::table::TableRows::try_collect) for an example.
    ///
    /// # Errors
    /// The errors of [`next_value`](Self::next_value).
    pub async fn try_collect<C: Default + Extend<(Timestamp, f64)>>(self) -> Result<C> {
        TryStreamExt::try_collect(self).await
    }

    fn start_of(&self, point: &Point) -> u64 {
        let time = point.time().as_millis();
        time - time % self.interval
    }
}

impl Stream for DownsampledPoints {
    type Item = Result<(Timestamp, f64)>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            let next = match ready!(Pin::new(&mut self.points).poll_next(cx)).transpose() {
                Ok(next) => next.map(|point| (self.start_of(&point), point.value().as_f64())),
                Err(error) => return Poll::Ready(Some(Err(error))),
            };
            let done = match (&mut self.interval_total, next) {
                (Some((start, total)), Some((at, value))) if *start == at => {
                    total.add(value);
                    continue;
                }
                (open, next) => {
                    let ended = next.is_none();
                    let done =
                        std::mem::replace(open, next.map(|(at, value)| (at, Total::new(value))));
                    if done.is_none() && !ended {
                        continue;
                    }
                    done
                }
            };
            return Poll::Ready(done.map(|(start, total)| {
                Ok((Timestamp::from_millis(start), total.result(self.aggregation)))
            }));
        }
    }
}

/// The running totals of the points of one interval.
#[derive(Debug)]
struct Total {
    count: u32,
    sum: f64,
    min: f64,
    max: f64,
    first: f64,
    last: f64,
}

impl Total {
    fn new(value: f64) -> Self {
        Self { count: 1, sum: value, min: value, max: value, first: value, last: value }
    }

    fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        self.last = value;
    }

    fn result(&self, aggregation: Aggregation) -> f64 {
        match aggregation {
            Aggregation::Sum => self.sum,
            Aggregation::Min => self.min,
            Aggregation::Max => self.max,
            Aggregation::Avg => self.sum / f64::from(self.count),
            Aggregation::Count => f64::from(self.count),
            Aggregation::First => self.first,
            Aggregation::Last => self.last,
        }
    }
}
