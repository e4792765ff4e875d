//! `[salt][metric][hour][tags]`: a row for each hour of a series of points, as OpenTSDB stores
//! them. The salt is computed from metric and tags but not from the time, so a series stays in its
//! bucket.

use std::error::Error;

use tallrow::RowKey;
use tallrow::key::{TagPairs, Uid};

use crate::shown::Rows;

/// The table that assigns numbers to metrics.
#[derive(Debug)]
pub(crate) enum Metrics {}
/// The table that assigns numbers to tag names.
#[derive(Debug)]
pub(crate) enum TagNames {}
/// The table that assigns numbers to tag values.
#[derive(Debug)]
pub(crate) enum TagValues {}

#[derive(RowKey, Clone, Debug, PartialEq)]
#[row_key(schema_table = "tsdb", salt(buckets = 20, fields = (metric, tags), hash = java_arrays_hash))]
pub(crate) struct MetricRow {
    pub(crate) metric: Uid<Metrics, 3>,
    #[key(floor = 3600)]
    pub(crate) at: u32,
    pub(crate) tags: TagPairs<Uid<TagNames, 3>, Uid<TagValues, 3>, 8>,
}

pub(crate) fn show() -> Result<(), Box<dyn Error>> {
    let load = Uid::new(7).ok_or("takes more than 3 bytes")?;
    // Tag 1, for example the host, has the value 11 or 12.
    let [web1, web2] = [11, 12].map(|host| Some((Uid::new(1)?, Uid::new(host)?)));
    let point = |at, host| Ok(MetricRow { metric: load, at, tags: TagPairs::new(host)? });
    let [first, second]: [Result<_, Box<dyn Error>>; 2] = [point(7_300, web1), point(9_000, web1)];

    // The part of the time that is not in the key is the qualifier.
    let (row, offset) = first?.locate();
    assert_eq!((row.len(), offset.get()), (14, 100));
    assert_eq!(second?.locate().0, row);

    let rows = Rows::of(
        "metrics",
        [
            (point(3_600, web1)?, "web1 in hour 1"),
            (point(7_200, web1)?, "web1 in hour 2"),
            (point(7_200, web2)?, "web2 in hour 2"),
        ],
    )?;
    let hour =
        rows.scan("an hour of all hosts", MetricRow::scan().metric(load).at(7_200..7_300))?;
    assert_eq!(hour, ["web1 in hour 2", "web2 in hour 2"]);
    Ok(())
}
