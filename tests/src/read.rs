//! Reads of all there is.

use std::ops::RangeBounds;

use tallrow::Timestamp;
use tallrow::series::{Point, Series};

/// All points of a series in a range of time.
///
/// # Panics
/// If they cannot be read.
pub async fn points(series: &Series, range: impl RangeBounds<Timestamp>) -> Vec<Point> {
    let mut points = series.read(range).unwrap();
    let mut all = Vec::new();
    while let Some(point) = points.next_point().await.unwrap() {
        all.push(point);
    }
    all
}
