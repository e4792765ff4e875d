//! Time series in the tables of OpenTSDB: points of an hour in one row, compacted into one cell,
//! and read hour by hour.
//!
//! `cargo run -p tallrow-cases --example time_series` prints the cells as HBase's shell writes
//! bytes, before and after the first hour is compacted, and the averages of ten minutes:
//! ```text
//! tallrow_tsdb
//!   \x08\x00\x00\x01P\xE2\x18\xF0\x00\x00\x01\x00\x00\x01  t:\x96\x00 = (
//!   \x08\x00\x00\x01P\xE2\x18\xF0\x00\x00\x01\x00\x00\x01  t:\xA8\xC0 = )
//!   \x08\x00\x00\x01P\xE2\x18\xF0\x00\x00\x01\x00\x00\x01  t:\xBB\x80 = *
//!   \x08\x00\x00\x01P\xE2\x18\xF0\x00\x00\x01\x00\x00\x01  t:\xCE@ = +
//!   \x08\x00\x00\x01P\xE2'\x00\x00\x00\x01\x00\x00\x01  t:\x00\x00 = ,
//!   \x08\x00\x00\x01P\xE2'\x00\x00\x00\x01\x00\x00\x01  t:\x12\xC0 = -
//!   \x08\x00\x00\x01P\xE2'\x00\x00\x00\x01\x00\x00\x01  t:%\x80 = .
//!   \x08\x00\x00\x01P\xE2'\x00\x00\x00\x01\x00\x00\x01  t:8@ = /
//!   \x09\x00\x00\x01P\xE2\x18\xF0\x00\x00\x01\x00\x00\x02  t:\x05\x00\x00 = \x96\x0F?\xE0\x00\x00\x00\x00\x00\x00\xA8\xC1\x03\xE8
//! 4 cells became one
//! tallrow_tsdb
//!   \x08\x00\x00\x01P\xE2\x18\xF0\x00\x00\x01\x00\x00\x01  t:\x96\x00\xA8\xC0\xBB\x80\xCE@ = ()*+\x00
//!   \x08\x00\x00\x01P\xE2'\x00\x00\x00\x01\x00\x00\x01  t:\x00\x00 = ,
//!   \x08\x00\x00\x01P\xE2'\x00\x00\x00\x01\x00\x00\x01  t:\x12\xC0 = -
//!   \x08\x00\x00\x01P\xE2'\x00\x00\x00\x01\x00\x00\x01  t:%\x80 = .
//!   \x08\x00\x00\x01P\xE2'\x00\x00\x00\x01\x00\x00\x01  t:8@ = /
//!   \x09\x00\x00\x01P\xE2\x18\xF0\x00\x00\x01\x00\x00\x02  t:\x05\x00\x00 = \x96\x0F?\xE0\x00\x00\x00\x00\x00\x00\xA8\xC1\x03\xE8
//! 1356997200: 40.5
//! 1356997800: 42.5
//! 1356998400: 44.5
//! 1356999000: 46.5
//! [(b"host", b"web01")] [1356997200 s: Int(40), 1356997500 s: Int(41), 1356997800 s: Int(42), 1356998100 s: Int(43)]
//! [(b"host", b"web02")] [1356997200 s: Double(0.5), 1356997500 s: Int(1000)]
//! [(b"host", b"web01")] [1356998400 s: Int(44), 1356998700 s: Int(45), 1356999000 s: Int(46), 1356999300 s: Int(47)]
//! ```

use std::time::Duration;

use tallrow::series::{self, Aggregation, Point, SeriesScan, TimeSeriesTable};
use tallrow::{Timestamp, lookup};
use tallrow_examples::place;

const POINTS: &str = "tallrow_tsdb";
const NAMES: &str = "tallrow_tsdb_uid";

/// 2012-12-31, 23:40 UTC.
const START: u32 = 1_356_997_200;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = place::connect().await?;
    // The first byte of a row key is one of 20 buckets; here, a region has five buckets.
    let points = series::table_descriptor(POINTS)?.splits([[5], [10], [15]]);
    let points = place::create(&client, &points).await?;
    let names = place::create(&client, &lookup::table_descriptor(NAMES)?).await?;
    let db = TimeSeriesTable::builder(points, names)
        .salt(1, 20)
        // There is only one writer, and it has written all points when it compacts.
        .min_compaction_age(Duration::ZERO)
        .build()?;

    let web01 = db.get_or_create_series("sys.cpu.user", [("host", "web01")]).await?;
    let web02 = db.get_or_create_series("sys.cpu.user", [("host", "web02")]).await?;
    web01.write((0..8).map(|i| Point::at_secs(START + 300 * i, i64::from(40 + i)))).await?;
    web02.append([Point::at_secs(START, 0.5), Point::at_secs(START + 300, 1000)]).await?;
    place::print_cells(&client, POINTS).await?;

    let hour = Timestamp::from_millis(u64::from(START) * 1_000);
    // Cells that were written in the current millisecond are compacted later.
    let compaction = loop {
        let compaction = web01.compact(hour).await?;
        if compaction.cells_too_recent == 0 {
            break compaction;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    };
    println!("{} cells became one", compaction.cells_replaced);
    place::print_cells(&client, POINTS).await?;

    let mut averages = web01.downsample(hour.., Duration::from_secs(600), Aggregation::Avg)?;
    while let Some((time, average)) = averages.next_value().await? {
        println!("{}: {average}", time.as_millis() / 1_000);
    }

    // All series of the metric from all buckets, in order of time.
    let mut rows = db.scan(SeriesScan::new("sys.cpu.user").range(hour..)).await?;
    while let Some(row) = rows.next_row().await? {
        let names = row.series.names().await?;
        println!("{:?} {:?}", names.tags, row.points);
    }
    Ok(())
}
