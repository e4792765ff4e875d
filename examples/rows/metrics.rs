//! Metrics with a row for each hour of a series: the row key holds the start of the hour, and the
//! qualifier of a point is its offset in the hour.
//!
//! `cargo run --example metrics` prints the cells as HBase's shell writes bytes, and the points of
//! a span of time:
//! ```text
//! tallrow_metrics
//!   \x08\x00\x00\x07\x00\x00\x00\x00\x00\x00\x01\x00\x00\x0B  t:\x0E\x0F = ?\xE0\x00\x00\x00\x00\x00\x00
//!   \x08\x00\x00\x07\x00\x00\x0E\x10\x00\x00\x01\x00\x00\x0B  t:\x00\x00 = ?\xF0\x00\x00\x00\x00\x00\x00
//!   \x08\x00\x00\x07\x00\x00\x0E\x10\x00\x00\x01\x00\x00\x0B  t:\x05x = ?\xF4\x00\x00\x00\x00\x00\x00
//!   \x08\x00\x00\x07\x00\x00\x0E\x10\x00\x00\x01\x00\x00\x0B  t:\x0E\x0F = ?\xF8\x00\x00\x00\x00\x00\x00
//!   \x08\x00\x00\x07\x00\x00\x1C \x00\x00\x01\x00\x00\x0B  t:\x002 = @\x00\x00\x00\x00\x00\x00\x00
//!   \x09\x00\x00\x07\x00\x00\x0E\x10\x00\x00\x01\x00\x00\x0C  t:\x05y = @"\x00\x00\x00\x00\x00\x00
//! {Uid(1): Uid(11)}: [(3600, 1.0), (5000, 1.25), (7199, 1.5)]
//! {Uid(1): Uid(12)}: [(5001, 9.0)]
//! ```

use std::collections::BTreeMap;

use tallrow::key::{TagPairs, Uid};
use tallrow::{RowKey, Table, key::FloorOffset};
use tallrow_examples::place;

/// The table that assigns numbers to metrics.
#[derive(Debug)]
enum Metrics {}
/// The table that assigns numbers to tag names.
#[derive(Debug)]
enum TagNames {}
/// The table that assigns numbers to tag values.
#[derive(Debug)]
enum TagValues {}

/// Tags are sorted pairs of three bytes each, at most eight. The bucket depends only on the metric
/// and the tags, which identify a series, so the rows of a series are in one bucket, in order of
/// time.
#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(salt(buckets = 20, fields = (metric, tags), hash = java_arrays_hash))]
struct Hour {
    metric: Uid<Metrics, 3>,
    #[key(floor = 3600)]
    start: u32,
    tags: TagPairs<Uid<TagNames, 3>, Uid<TagValues, 3>, 8>,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "tallrow_metrics")]
#[family("t")]
struct Points {
    #[key]
    hour: Hour,
    #[cells("t:*")]
    points: BTreeMap<FloorOffset<3600>, f64>,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = place::connect().await?;
    let metrics = place::empty::<Points>(&client).await?;
    // These numbers, which would come from a lookup table, fit into 3 bytes.
    let load = Uid::new(7).ok_or("too large")?;
    let [web1, web2] =
        [(1, 11), (1, 12)].map(|(name, value)| Some((Uid::new(name)?, Uid::new(value)?)));

    for (host, at, value) in [
        (web1, 3_599, 0.5),
        (web1, 3_600, 1.0),
        (web1, 5_000, 1.25),
        (web2, 5_001, 9.0),
        (web1, 7_199, 1.5),
        (web1, 7_250, 2.0),
    ] {
        let hour = Hour { metric: load, start: at, tags: TagPairs::new(host)? };
        let (_, offset) = hour.locate();
        metrics.put(&Points { hour, points: [(offset, value)].into() }).await?;
    }
    place::print_cells(&client, Points::TABLE).await?;

    // Reads whole hours of all series; the points outside of the time range are filtered out here.
    let span = 3_600..7_200;
    let mut rows = metrics.scan(Hour::scan().metric(load).start(span.clone())).rows();
    while let Some(Points { hour, points }) = rows.next_row().await? {
        let all = points.into_iter().filter_map(|(at, value)| Some((at.join(hour.start)?, value)));
        let points: Vec<(u32, f64)> = all.filter(|(at, _)| span.contains(at)).collect();
        println!("{:?}: {points:?}", hour.tags);
        if hour.tags == TagPairs::new(web1)? {
            assert_eq!(points, [(3_600, 1.0), (5_000, 1.25), (7_199, 1.5)]);
        } else {
            assert_eq!(points, [(5_001, 9.0)]);
        }
    }
    Ok(())
}
