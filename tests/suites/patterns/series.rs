//! Points that were written are read once, also while their hours are compacted.

use std::collections::BTreeMap;
use std::time::Duration;

use tallrow::series::{self, Point, Series, TimeSeriesTable};
use tallrow::{Client, Timestamp, lookup};
use tallrow_tests::{Random, drop_table, read, tell};

use super::{Pattern, done};

const POINTS: &str = "points";
const NAMES: &str = "points_uid";
const HOUR: u32 = 1_699_999_200;
/// The points of a process are this many seconds apart, so that no two have the same time.
const APART: u32 = 32;

pub(super) const PATTERN: Pattern = Pattern {
    name: "series",
    tables: &[POINTS],
    create: |client| {
        Box::pin(async move {
            for table in [POINTS, NAMES] {
                drop_table(&client.admin(), table).await;
            }
            let admin = client.admin();
            admin.create_table(&series::table_descriptor(POINTS).unwrap()).await.unwrap();
            admin.create_table(&lookup::table_descriptor(NAMES).unwrap()).await.unwrap();
            one(&client).await;
        })
    },
    work: |client, number| {
        Box::pin(async move {
            let (series, mut random) = (one(&client).await, Random::new(4, number));
            for step in 0.. {
                let time = HOUR + step * APART + number as u32;
                let value = number << 32 | u64::from(step);
                let point = Point::at_secs(time, value as i64);
                // Those of each second hour are appended to a cell.
                let hour = step * APART / 3_600;
                let written = match hour % 2 {
                    0 => series.write([point]).await,
                    _ => series.append([point]).await,
                };
                if done(written).is_some() {
                    tell(format!("{time} {value}"));
                }
                if random.below(20) == 0 {
                    let at = Timestamp::from_millis(u64::from(HOUR + hour * 3_600) * 1_000);
                    done(series.compact(at).await);
                }
            }
        })
    },
    check: |client, told| {
        Box::pin(async move {
            let series = one(&client).await;
            let mut written: BTreeMap<u64, u64> =
                told.numbers().map(|[at, value]| (at, value)).collect();
            let mut more = 0;
            let mut before = None;
            for point in read::points(&series, ..).await {
                let at = point.time().as_millis() / 1_000;
                assert!(before < Some(at), "a point is there twice: {point:?}");
                before = Some(at);
                match written.remove(&at) {
                    Some(value) => assert_eq!(point, Point::at_secs(at as u32, value as i64)),
                    None => more += 1,
                }
            }
            assert!(written.is_empty(), "points were lost: {written:?}");
            assert!(more <= told.unknown, "{more} points that nobody has written");
            for table in [POINTS, NAMES] {
                drop_table(&client.admin(), table).await;
            }
        })
    },
};

async fn one(client: &Client) -> Series {
    let (points, names) = (client.raw_table(POINTS).unwrap(), client.raw_table(NAMES).unwrap());
    let db =
        TimeSeriesTable::builder(points, names).min_compaction_age(Duration::ZERO).build().unwrap();
    loop {
        if let Some(series) = done(db.get_or_create_series("m", [("host", "a")]).await) {
            return series;
        }
    }
}
