//! Time series while replies are lost.

use std::time::Duration;

use tallrow::series::{self, Point, Series, SeriesScan, TimeSeriesTable};
use tallrow::{Client, RawTable, Scan, Timestamp, lookup};
use tallrow_mock::{Fault, MockCluster};
use tallrow_tests::{in_memory, read};

use super::{ATTEMPT_TIMEOUT, LOST, Site, calls, class, config, seed, since, site};

const HOUR: u32 = 1_699_999_200;
const AT: Timestamp = Timestamp::from_millis(HOUR as u64 * 1_000);

/// A cluster whose clock is in the past: all its cells are old enough to be compacted, by the clock
/// of the client.
async fn long_ago() -> Site {
    seed().await;
    let mock = MockCluster::builder().in_memory().clock_start_ms(AT.as_millis());
    let mock = mock.start().await.unwrap();
    let config = config().connector(in_memory(&mock));
    let client = Client::connect_with(&mock.url(), config).await.unwrap();
    Site::new(mock, client, &[]).await
}

async fn time_series(site: &Site) -> (RawTable, TimeSeriesTable) {
    let admin = site.client.admin();
    let table = series::table_descriptor("tsdb").unwrap().splits([[5], [10], [15]]);
    admin.create_table(&table).await.unwrap();
    admin.create_table(&lookup::table_descriptor("tsdb-uid").unwrap()).await.unwrap();
    for table in ["tsdb", "tsdb-uid"] {
        site.client.prefetch_regions(table).await.unwrap();
    }
    let points = site.client.raw_table("tsdb").unwrap();
    let names = site.client.raw_table("tsdb-uid").unwrap();
    let db = TimeSeriesTable::builder(points.clone(), names).salt(1, 20);
    (points, db.min_compaction_age(Duration::ZERO).build().unwrap())
}

async fn one_series(site: &Site) -> (RawTable, Series) {
    let (points, db) = time_series(site).await;
    (points, db.get_or_create_series("m", [("host", "a")]).await.unwrap())
}

fn points() -> Vec<Point> {
    (0..60).map(|i| Point::at_secs(HOUR + 60 * i, i64::from(i))).collect()
}

async fn cells(table: &RawTable) -> usize {
    let row = table.scan(Scan::all()).unwrap().next_row().await.unwrap().unwrap();
    row.cells().len()
}

#[tokio::test(start_paused = true)]
async fn calls_are_as_documented() {
    let site = long_ago().await;
    let (_, db) = time_series(&site).await;
    let series = db.get_or_create_series("m", [("host", "a")]).await.unwrap();
    let before = calls(&site.mock);
    assert_eq!(db.get_or_create_series("m", [("host", "a")]).await.unwrap(), series);
    series.names().await.unwrap();
    assert_eq!(since(&site.mock, before), [0; 4], "the names are cached");

    series.write(points()).await.unwrap();
    assert_eq!(since(&site.mock, before), [0, 1, 0, 0], "a put for an hour");
    let before = calls(&site.mock);
    series.write((0..10).map(|hour| Point::at_secs(HOUR + 3_600 * hour, 1))).await.unwrap();
    assert_eq!(since(&site.mock, before), [0, 0, 1, 0], "one call for ten hours of a region");

    let before = calls(&site.mock);
    assert_eq!(series.compact(AT).await.unwrap().cells_replaced, 60);
    let [gets, mutates, multis, scans] = since(&site.mock, before);
    assert_eq!((gets, mutates + multis, scans), (1, 1, 0));
    let before = calls(&site.mock);
    assert_eq!(series.compact(AT).await.unwrap().cells_replaced, 0);
    assert_eq!(since(&site.mock, before), [1, 0, 0, 0], "there was nothing to do");

    let before = calls(&site.mock);
    assert_eq!(read::points(&series, ..).await.len(), 69);
    assert_eq!(since(&site.mock, before), [0, 0, 0, 1]);
    let before = calls(&site.mock);
    let mut rows = db.scan(SeriesScan::new("m")).await.unwrap();
    while rows.next_row().await.unwrap().is_some() {}
    assert_eq!(since(&site.mock, before), [0, 0, 0, 20], "a scan for each bucket");

    let before = calls(&site.mock);
    series.append([Point::at_secs(HOUR, 1), Point::at_secs(HOUR + 3_600, 2)]).await.unwrap();
    let [gets, mutates, multis, scans] = since(&site.mock, before);
    assert!(gets == 0 && (1..=2).contains(&(mutates + multis)) && scans == 0);
}

#[tokio::test(start_paused = true)]
async fn points_are_written_again_after_a_lost_reply() {
    for effect in LOST {
        let site = site().await;
        let (table, series) = one_series(&site).await;
        site.mock.inject(effect(Fault::on("Mutate").table("tsdb").nth(1)));
        series.write(points()).await.unwrap();
        assert_eq!(site.mock.unfired_faults(), []);
        assert_eq!((read::points(&series, ..).await, cells(&table).await), (points(), 60));
    }
}

#[tokio::test(start_paused = true)]
async fn points_are_appended_once_after_a_lost_reply() {
    for effect in LOST {
        let site = site().await;
        let (table, series) = one_series(&site).await;
        for point in points() {
            if point.time().as_millis() % 7 == 0 {
                site.mock.inject(effect(Fault::on("Mutate").table("tsdb").nth(1)));
            }
            series.append([point]).await.unwrap();
        }
        assert_eq!(site.mock.unfired_faults(), []);
        assert_eq!((read::points(&series, ..).await, cells(&table).await), (points(), 1));
        let row = table.scan(Scan::all()).unwrap().next_row().await.unwrap().unwrap();
        assert_eq!(row.cells()[0].value().len(), 60 * 3, "a point is there twice");
    }
}

#[tokio::test(start_paused = true)]
async fn a_compaction_is_done_although_its_reply_is_lost() {
    for effect in LOST {
        for method in ["Get", "Mutate", "Multi"] {
            let site = long_ago().await;
            let (table, series) = one_series(&site).await;
            series.write(points()).await.unwrap();
            site.mock.inject(effect(Fault::on(method).table("tsdb").nth(1)));
            let compaction = series.compact(AT).await.unwrap();
            assert_eq!((compaction.points, compaction.cells_replaced), (60, 60));
            assert_eq!((read::points(&series, ..).await, cells(&table).await), (points(), 1));
            site.mock.clear_faults();
            assert_eq!(series.compact(AT).await.unwrap().cells_replaced, 0);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_compaction_that_fails_changes_nothing() {
    let site = long_ago().await;
    let (table, series) = one_series(&site).await;
    series.write(points()).await.unwrap();
    for method in ["Mutate", "Multi"] {
        let refused = class("security.AccessDeniedException");
        let always = Fault::on(method).table("tsdb").times(1_000);
        site.mock.inject(always.throw_with_do_not_retry(&refused, "stop", true));
    }
    let error = series.compact(AT).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.operation()),
        (tallrow::ErrorKind::PermissionDenied, "compact")
    );
    site.mock.clear_faults();
    assert_eq!((read::points(&series, ..).await, cells(&table).await), (points(), 60));
    assert_eq!(series.compact(AT).await.unwrap().cells_replaced, 60);
    assert_eq!((read::points(&series, ..).await, cells(&table).await), (points(), 1));
}

/// A point that is written after the cells were read, and before they are replaced.
#[tokio::test(start_paused = true)]
async fn a_point_written_within_a_compaction_stays() {
    for again in [false, true] {
        let site = long_ago().await;
        let (table, series) = one_series(&site).await;
        series.write(points()).await.unwrap();
        // The servers' clock: later cells are newer.
        tokio::time::sleep(Duration::from_millis(1)).await;
        let other = site.connect(config()).await;
        let names = other.raw_table("tsdb-uid").unwrap();
        let db =
            TimeSeriesTable::builder(other.raw_table("tsdb").unwrap(), names).salt(1, 20).build();
        let other = db.unwrap().get_or_create_series("m", [("host", "a")]).await.unwrap();
        // The compaction has read, and its change waits in the queue of the server.
        for method in ["Mutate", "Multi"] {
            let waits = Fault::on(method).table("tsdb").nth(1);
            site.mock.inject(waits.delay_in_queue(ATTEMPT_TIMEOUT / 2));
        }
        let before = calls(&site.mock);
        let compaction = tokio::spawn({
            let series = series.clone();
            async move { series.compact(AT).await.unwrap() }
        });
        while since(&site.mock, before)[1] + since(&site.mock, before)[2] == 0 {
            tokio::task::yield_now().await;
        }
        site.mock.clear_faults();
        let point = match again {
            true => Point::at_secs(HOUR, 100),
            false => Point::at_secs(HOUR + 1, 100),
        };
        other.write([point]).await.unwrap();
        assert_eq!(cells(&table).await, if again { 60 } else { 61 }, "it was compacted before");
        assert_eq!(compaction.await.unwrap().cells_replaced, 60);

        let mut expected = points();
        match again {
            true => expected[0] = point,
            false => expected.insert(1, point),
        }
        assert_eq!((read::points(&series, ..).await, cells(&table).await), (expected.clone(), 2));
        assert_eq!(series.compact(AT).await.unwrap().cells_replaced, 2);
        assert_eq!((read::points(&series, ..).await, cells(&table).await), (expected, 1));
    }
}

#[tokio::test(start_paused = true)]
async fn recent_cells_are_left() {
    let site = site().await;
    let (table, _) = time_series(&site).await;
    let names = site.client.raw_table("tsdb-uid").unwrap();
    let db = TimeSeriesTable::builder(table.clone(), names).salt(1, 20).build().unwrap();
    let series = db.get_or_create_series("m", [("host", "a")]).await.unwrap();
    series.write(points()).await.unwrap();
    let row = table.scan(Scan::all()).unwrap().next_row().await.unwrap().unwrap();
    let old = |at: u32| {
        let qualifier = u16::try_from(at << 4).unwrap().to_be_bytes();
        tallrow::Put::new(row.key()).cell_at("t", qualifier, Timestamp::from_millis(5), [7])
    };
    table.put_all([old(1), old(2)]).await.into_result().unwrap();
    let compaction = series.compact(AT).await.unwrap();
    assert_eq!(
        (compaction.points, compaction.cells_replaced, compaction.cells_too_recent),
        (2, 2, 60)
    );
    assert_eq!((read::points(&series, ..).await.len(), cells(&table).await), (62, 61));
}
