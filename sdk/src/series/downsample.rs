use super::point::Point;
use super::points::Points;
use crate::{Result, Timestamp};

/// How [`Series::downsample`](super::Series::downsample) makes one number of the points of an interval.
///
/// See [`Series::downsample`](super::Series::downsample) for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Aggregation {
    /// Their sum.
    Sum,
    /// The smallest of them.
    Min,
    /// The largest of them.
    Max,
    /// Their sum divided by their number.
    Avg,
    /// Their number.
    Count,
    /// The earliest of them.
    First,
    /// The latest of them.
    Last,
}

/// The numbers of the intervals of a [`Series`](super::Series), in order of time.
///
/// See [`Series::downsample`](super::Series::downsample) for an example.
#[derive(Debug)]
#[must_use = "no point is read until a number is requested"]
pub struct Downsampled {
    points: Points,
    interval: u64,
    aggregation: Aggregation,
    /// The first point of the next interval.
    next: Option<Point>,
}

impl Downsampled {
    pub(super) fn new(points: Points, interval: u64, aggregation: Aggregation) -> Self {
        Self { points, interval, aggregation, next: None }
    }

    /// The start of the next interval that has points, and its number; `None` at the end.
    ///
    /// If it is dropped before it is done, the interval is lost.
    ///
    /// # Errors
    /// As [`Points::next_point`].
    pub async fn next_value(&mut self) -> Result<Option<(Timestamp, f64)>> {
        let first = match self.next.take() {
            Some(point) => point,
            None => match self.points.next_point().await? {
                Some(point) => point,
                None => return Ok(None),
            },
        };
        let start = self.start_of(&first);
        let mut total = Total::new(first.value().as_f64());
        while let Some(point) = self.points.next_point().await? {
            if self.start_of(&point) != start {
                self.next = Some(point);
                break;
            }
            total.add(point.value().as_f64());
        }
        Ok(Some((Timestamp::from_millis(start), total.result(self.aggregation))))
    }

    fn start_of(&self, point: &Point) -> u64 {
        let time = point.time().as_millis();
        time - time % self.interval
    }
}

/// Numbers that have been added up.
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
