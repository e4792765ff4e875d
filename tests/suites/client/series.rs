//! Time series: points, hours, buckets, compaction.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tallrow::series::{
    self, Compaction, Point, PointValue, Series, SeriesScan, TimeSeriesBuilder, TimeSeriesTable,
};
use tallrow::{ErrorKind, Get, Put, RawTable, Scan, Timestamp, lookup};
use tallrow_tests::{Place, read};
use tokio::sync::watch;

/// A second in the middle of an hour, and the start of that hour.
const AT: u32 = 1_700_000_000;
const HOUR: u32 = AT - AT % 3_600;

fn secs(seconds: u32) -> Timestamp {
    Timestamp::from_millis(u64::from(seconds) * 1_000)
}

/// Tables of points and of names. Cells may be compacted once a millisecond has passed: the clock
/// is that of the servers.
async fn tables(place: &Place) -> (RawTable, TimeSeriesBuilder) {
    let buckets = [5_u8, 10, 15].map(|bucket| [bucket]);
    let points = series::table_descriptor(&place.table_name().await).unwrap().splits(buckets);
    let points = place.create(&points).await;
    let db = TimeSeriesTable::builder(points.clone(), names(place).await);
    (points, db.salt(1, 20).min_compaction_age(Duration::ZERO))
}

async fn names(place: &Place) -> RawTable {
    place.create(&lookup::table_descriptor(&place.table_name().await).unwrap()).await
}

async fn one_series(place: &Place) -> (RawTable, Series) {
    let (points, db) = tables(place).await;
    let series = db.build().unwrap().get_or_create_series("m", [("host", "a")]).await.unwrap();
    (points, series)
}

/// Compacts an hour when no cell of it is too new.
async fn compact(series: &Series, at: Timestamp) -> Compaction {
    loop {
        let compaction = series.compact(at).await.unwrap();
        if compaction.cells_too_recent == 0 {
            return compaction;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

async fn only_row(points: &RawTable) -> tallrow::Row {
    let mut rows = points.scan(Scan::all()).unwrap();
    let row = rows.next_row().await.unwrap().unwrap();
    assert_eq!(rows.next_row().await.unwrap(), None);
    row
}

pub(crate) async fn points_of_a_series_are_in_order_of_time(place: Place) {
    let (points, series) = one_series(&place).await;
    let all: Vec<_> = [
        Point::at_secs(0, 0),
        Point::at_secs(HOUR - 1, -1),
        Point::at_secs(HOUR, i64::MIN),
        Point::at_millis(u64::from(HOUR) * 1_000 + 1, 0.5),
        Point::at_secs(AT, 300),
        Point::at_millis(u64::from(HOUR + 3_600) * 1_000 - 1, -0.25_f32),
        Point::at_secs(HOUR + 3_600, f64::MAX),
        Point::at_millis(u64::from(u32::MAX) * 1_000 + 999, 7),
    ]
    .into();
    series.write(all.iter().rev().copied()).await.unwrap();
    assert_eq!(points.count(Scan::all()).await.unwrap(), 5);

    assert_eq!(read::points(&series, ..).await, all);
    for (from, start) in all.iter().enumerate() {
        assert_eq!(read::points(&series, start.time()..).await, all[from..]);
        assert_eq!(read::points(&series, ..start.time()).await, all[..from]);
        assert_eq!(read::points(&series, ..=start.time()).await, all[..=from]);
        for (to, end) in all.iter().enumerate().skip(from) {
            assert_eq!(read::points(&series, start.time()..end.time()).await, all[from..to]);
        }
    }
    assert_eq!(read::points(&series, secs(AT)..secs(HOUR)).await, []);
    assert_eq!(read::points(&series, Timestamp::MAX..).await, []);
}

pub(crate) async fn rows_of_all_buckets_are_in_order_of_time(place: Place) {
    let (points, db) = tables(&place).await;
    let db = db.build().unwrap();
    let mut all = Vec::new();
    for host in 0..30_i64 {
        let tags = [("host", format!("h{host}")), ("disk", format!("d{}", host % 3))];
        let series = db.get_or_create_series("m", tags).await.unwrap();
        for hour in 0..4 {
            let point = Point::at_secs(AT + 3_600 * hour, host);
            series.write([point]).await.unwrap();
            all.push((point.time(), host));
        }
    }
    let other = db.get_or_create_series("other", [("host", "h1")]).await.unwrap();
    other.write([Point::at_secs(AT, 77)]).await.unwrap();
    let mut rows = points.scan(Scan::all().keys_only()).unwrap();
    let mut buckets = BTreeSet::new();
    while let Some(row) = rows.next_row().await.unwrap() {
        buckets.insert(row.key()[0]);
    }
    assert!(buckets.len() > 10, "the rows are in the buckets {buckets:?} only");

    let found = async |scan: SeriesScan| {
        let mut rows = db.scan(scan).await.unwrap();
        let mut found = Vec::new();
        while let Some(row) = rows.next_row().await.unwrap() {
            assert_eq!(row.points.len(), 1);
            assert_eq!(
                row.hour,
                secs(
                    u32::try_from(row.points[0].time().as_millis() / 1_000).unwrap() / 3_600
                        * 3_600
                )
            );
            let PointValue::Int(host) = row.points[0].value() else { panic!("{row:?}") };
            let names = row.series.names().await.unwrap();
            assert!(names.tags.contains(&("host".into(), format!("h{host}").into())), "{names:?}");
            found.push((row.points[0].time(), host));
        }
        assert!(found.is_sorted_by_key(|(time, _)| *time), "{found:?}");
        found.sort_unstable();
        found
    };
    all.sort_unstable();
    let of = |wanted: &dyn Fn(&(Timestamp, i64)) -> bool| -> Vec<_> {
        all.iter().copied().filter(|point| wanted(point)).collect()
    };
    assert_eq!(found(SeriesScan::new("m")).await, all);
    let middle = secs(AT + 3_600)..secs(AT + 7_201);
    let scan = SeriesScan::new("m").range(middle.clone());
    assert_eq!(found(scan.clone()).await, of(&|(time, _)| middle.contains(time)));
    assert_eq!(
        found(scan.tag("disk", "d2")).await,
        of(&|(time, host)| middle.contains(time) && host % 3 == 2)
    );
    let scan = SeriesScan::new("m").tag("host", "h5");
    assert_eq!(found(scan.clone()).await, of(&|(_, host)| *host == 5));
    assert_eq!(found(scan.clone().tag("disk", "d2")).await, of(&|(_, host)| *host == 5));
    assert_eq!(found(scan.clone().tag("disk", "d1")).await, []);
    assert_eq!(found(scan.tag("disk", "no name")).await, []);
    assert_eq!(found(SeriesScan::new("no name")).await, []);
}

pub(crate) async fn tags_are_found_whatever_bytes_their_ids_have(place: Place) {
    let (points, _) = tables(&place).await;
    let names = names(&place).await;
    // Bytes that mean something in a pattern, and ends of lines.
    let ids =
        [[0, 0, 0x0a], [0x0a, 0x0d, 0x0a], *b"\\E.", *b"(*)", [0xff, 0xff, 0xff], [0x85, 0, 0x24]];
    for (name, id) in ids.iter().enumerate() {
        for kind in ["metrics", "tagk", "tagv"] {
            let forward = Put::new(format!("n{name}")).cell("id", kind, id);
            let reverse = Put::new(id).cell("name", kind, format!("n{name}"));
            names.put_all([forward, reverse]).await.into_result().unwrap();
        }
    }
    let db = TimeSeriesTable::builder(points, names).salt(1, 20).read_only().build().unwrap();
    let count = i64::try_from(ids.len()).unwrap();
    for tag in 0..count {
        for value in 0..count {
            let other = (tag + 1) % count;
            let tags = [(tag, value), (other, 0)].map(|(n, v)| (format!("n{n}"), format!("n{v}")));
            let series = db.get_or_create_series(format!("n{tag}"), tags).await.unwrap();
            series.write([Point::at_secs(AT, value)]).await.unwrap();
        }
    }
    for tag in 0..count {
        for value in 0..count {
            let scan =
                SeriesScan::new(format!("n{tag}")).tag(format!("n{tag}"), format!("n{value}"));
            let mut rows = db.scan(scan.clone()).await.unwrap();
            let row = rows.next_row().await.unwrap().unwrap_or_else(|| panic!("{scan:?}"));
            assert_eq!(row.points, [Point::at_secs(AT, value)]);
            assert_eq!(rows.next_row().await.unwrap(), None);
            assert_eq!(read::points(&row.series, ..).await, row.points);
        }
    }
    let error = db.get_or_create_series("new", [("n1", "n1")]).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.operation()),
        (ErrorKind::InvalidArgument, "get or create series")
    );
}

pub(crate) async fn a_series_is_not_mixed_with_those_of_more_tags(place: Place) {
    let (_, db) = tables(&place).await;
    let db = db.salt(1, 1).build().unwrap();
    let few = db.get_or_create_series("m", [("a", "1")]).await.unwrap();
    let more = db.get_or_create_series("m", [("a", "1"), ("b", "1")]).await.unwrap();
    let last = db.get_or_create_series("m", [("b", "1")]).await.unwrap();
    for (value, series) in [&few, &more, &last].into_iter().enumerate() {
        let value = i64::try_from(value).unwrap();
        series.write([Point::at_secs(AT, value), Point::at_secs(AT + 3_600, value)]).await.unwrap();
    }
    for (value, series) in [&few, &more, &last].into_iter().enumerate() {
        let value = i64::try_from(value).unwrap();
        let points = [Point::at_secs(AT, value), Point::at_secs(AT + 3_600, value)];
        assert_eq!(read::points(series, ..).await, points);
    }
}

pub(crate) async fn an_hour_is_compacted_into_one_cell(place: Place) {
    let (points, series) = one_series(&place).await;
    let all: Vec<_> = (0..200).map(|i| Point::at_secs(HOUR + 7 * i, i64::from(i * i))).collect();
    series.write(all.iter().copied()).await.unwrap();
    let row = only_row(&points).await;
    assert_eq!(row.cells().len(), 200);
    let annotation = Put::new(row.key()).cell("t", [1, 0, 0], "{}");
    points.put(annotation).await.unwrap();

    let compaction = compact(&series, secs(AT)).await;
    assert_eq!((compaction.points, compaction.cells_replaced), (200, 200));
    assert_eq!(only_row(&points).await.cells().len(), 2, "the points, and the annotation");
    assert_eq!(read::points(&series, ..).await, all);
    assert_eq!(compact(&series, secs(AT)).await.cells_replaced, 0);

    // Later points, in order or not, and one that replaces another.
    let late = [
        Point::at_secs(HOUR + 3, -1),
        Point::at_secs(HOUR + 7, 0.5),
        Point::at_secs(HOUR + 3_599, 1),
    ];
    series.write(late).await.unwrap();
    let mut expected: BTreeMap<_, _> = all.iter().map(|point| (point.time(), *point)).collect();
    expected.extend(late.map(|point| (point.time(), point)));
    let expected: Vec<_> = expected.into_values().collect();
    assert_eq!(read::points(&series, ..).await, expected);
    let compaction = compact(&series, secs(AT)).await;
    assert_eq!((compaction.points, compaction.cells_replaced), (202, 4));
    assert_eq!(only_row(&points).await.cells().len(), 2);
    assert_eq!(read::points(&series, ..).await, expected);

    assert_eq!(series.compact(secs(AT + 3_600)).await.unwrap(), Compaction::default());
}

pub(crate) async fn a_half_compacted_hour_is_read_and_completed(place: Place) {
    let all = [Point::at_secs(HOUR, 1), Point::at_secs(HOUR + 1, 2)];
    // OpenTSDB writes the compacted cell, then deletes the others: it may stop before that, or
    // within it.
    for left in [2, 1] {
        let (points, series) = one_series(&place).await;
        series.write(all).await.unwrap();
        let before = only_row(&points).await;
        compact(&series, secs(AT)).await;
        assert_eq!(only_row(&points).await.cells().len(), 1);
        // As if they had not been deleted. Deleted cells with the old times would stay hidden.
        let put = before.cells().iter().take(left).fold(Put::new(before.key()), |put, cell| {
            let later = Timestamp::from_millis(cell.timestamp().as_millis() + 1);
            put.cell_at("t", cell.qualifier(), later, cell.value())
        });
        points.put(put).await.unwrap();
        assert_eq!(only_row(&points).await.cells().len(), left + 1);
        assert_eq!(read::points(&series, ..).await, all);

        let compaction = compact(&series, secs(AT)).await;
        assert_eq!((compaction.points, compaction.cells_replaced), (2, left + 1));
        assert_eq!(only_row(&points).await.cells().len(), 1);
        assert_eq!(read::points(&series, ..).await, all);
    }
}

pub(crate) async fn points_are_appended_to_one_cell(place: Place) {
    let (points, series) = one_series(&place).await;
    series.append([Point::at_secs(HOUR + 5, 5), Point::at_secs(HOUR + 3_600, 6)]).await.unwrap();
    series.append([Point::at_millis(u64::from(HOUR) * 1_000 + 1, 1.5)]).await.unwrap();
    series.append([Point::at_secs(HOUR + 5, 500)]).await.unwrap();
    let all = [
        Point::at_millis(u64::from(HOUR) * 1_000 + 1, 1.5),
        Point::at_secs(HOUR + 5, 500),
        Point::at_secs(HOUR + 3_600, 6),
    ];
    assert_eq!(read::points(&series, ..).await, all);
    let mut rows = points.scan(Scan::all()).unwrap();
    while let Some(row) = rows.next_row().await.unwrap() {
        assert_eq!((row.cells().len(), row.cells()[0].qualifier()), (1, &[5, 0, 0][..]));
    }
    assert_eq!(compact(&series, secs(AT)).await.cells_replaced, 0, "it is one cell");

    series.write([Point::at_secs(HOUR + 7, 7)]).await.unwrap();
    let compaction = compact(&series, secs(AT)).await;
    assert_eq!((compaction.points, compaction.cells_replaced), (3, 2));
    // A compacted hour can be appended to.
    series.append([Point::at_secs(HOUR + 9, 9)]).await.unwrap();
    let all = [all[0], all[1], Point::at_secs(HOUR + 7, 7), Point::at_secs(HOUR + 9, 9), all[2]];
    assert_eq!(read::points(&series, ..).await, all);
    compact(&series, secs(AT)).await;
    assert_eq!(read::points(&series, ..).await, all);
}

pub(crate) async fn the_last_point_of_a_time_counts(place: Place) {
    let (points, series) = one_series(&place).await;
    let values: [PointValue; 6] =
        [7.into(), 0.5.into(), i64::MAX.into(), 0.25_f32.into(), 300.into(), 8.into()];
    let all = values.map(|value| Point::at_secs(AT, value));
    series.write(all).await.unwrap();
    assert_eq!(only_row(&points).await.cells().len(), 1, "one of them is written");
    assert_eq!(read::points(&series, ..).await, [all[5]]);
    for point in all {
        // A cell of another type or length is another column: the newest of them counts, to the
        // millisecond.
        tokio::time::sleep(Duration::from_millis(2)).await;
        series.write([point]).await.unwrap();
        assert_eq!(read::points(&series, ..).await, [point]);
    }
    compact(&series, secs(AT)).await;
    assert_eq!(only_row(&points).await.cells().len(), 1);
    assert_eq!(read::points(&series, ..).await, [all[5]]);
}

pub(crate) async fn what_cannot_be_a_point_is_refused(place: Place) {
    let (points, series) = one_series(&place).await;
    for value in [f64::NAN, f64::INFINITY] {
        let error =
            series.write([Point::at_secs(1, 1), Point::at_secs(1, value)]).await.unwrap_err();
        assert_eq!((error.kind(), error.operation()), (ErrorKind::InvalidArgument, "write"));
        let error = series.append([Point::at_secs(1, value)]).await.unwrap_err();
        assert_eq!((error.kind(), error.operation()), (ErrorKind::InvalidArgument, "append"));
    }
    let late = Point::at_millis(u64::from(u32::MAX) * 1_000 + 1_000, 1);
    assert_eq!(series.write([late]).await.unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(points.count(Scan::all()).await.unwrap(), 0);

    let (_, db) = tables(&place).await;
    for (width, buckets) in [(0, 1), (1, 0), (1, 257), (5, 20)] {
        let error = db.clone().salt(width, buckets).build().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{width} {buckets}");
    }
    assert_eq!(
        db.clone().id_widths(3, 0, 3).build().unwrap_err().kind(),
        ErrorKind::InvalidArgument
    );
    let db = db.build().unwrap();
    for tags in [&[][..], &[("a", "1"), ("a", "2")]] {
        let error = db.get_or_create_series("m", tags.iter().copied()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{tags:?}");
    }
    assert_eq!(db.series_of_ids(1 << 24, [(1, 1)]).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

pub(crate) async fn a_cell_that_is_no_point_is_an_error_with_its_row(place: Place) {
    let cells: [(&[u8], &[u8]); 6] = [
        (&[0, 0], b""),
        (&[0, 0], b"abc"),
        (&[0xf0, 0, 0, 1], b"a"),
        (&[0, 0, 0, 0x10], b"ab"),
        (&[5, 0, 0], &[0, 0, 1, 0]),
        (&[0, 0, 0, 0x10, 0], b"odd, so not looked at"),
    ];
    for (qualifier, value) in cells {
        let (points, series) = one_series(&place).await;
        series.write([Point::at_secs(HOUR + 1, 1)]).await.unwrap();
        let row = only_row(&points).await;
        points.put(Put::new(row.key()).cell("t", qualifier, value)).await.unwrap();
        if qualifier.len() == 5 {
            assert_eq!(read::points(&series, ..).await, [Point::at_secs(HOUR + 1, 1)]);
            continue;
        }
        let error = series.read(..).unwrap().next_point().await.unwrap_err();
        assert_eq!((error.kind(), error.operation()), (ErrorKind::Decode, "scan"), "{error:?}");
        assert_eq!(error.row(), Some(row.key()));
        tokio::time::sleep(Duration::from_millis(2)).await;
        let error = series.compact(secs(AT)).await.unwrap_err();
        assert_eq!((error.kind(), error.operation()), (ErrorKind::Decode, "compact"), "{error:?}");
        let after = points.get(Get::new(row.key())).await.unwrap().unwrap();
        assert_eq!(after.cells().len(), 2, "nothing was changed");
    }
}

pub(crate) async fn no_point_is_lost_while_hours_are_compacted(place: Place) {
    const WRITERS: u32 = 4;
    let count = if place.is_thorough() { 150 } else { 60 };
    let (points, db) = tables(&place).await;
    // Each writer and compactor has handles and caches of its own.
    let one = async || {
        db.clone().build().unwrap().get_or_create_series("m", [("host", "a")]).await.unwrap()
    };
    let series = one().await;
    // How many cells were replaced.
    let (replaced, _) = watch::channel(0);
    let mut writers = Vec::new();
    for writer in 0..WRITERS {
        let (series, mut replaced) = (one().await, replaced.subscribe());
        writers.push(tokio::spawn(async move {
            for i in 0..count {
                if i == count / 2 {
                    // However busy the machine is, the hour is compacted between its points.
                    replaced.wait_for(|replaced| *replaced > 0).await.unwrap();
                }
                let point = Point::at_secs(HOUR + WRITERS * i + writer, i64::from(i));
                match i % 3 {
                    0 => series.append([point]).await.unwrap(),
                    _ => series.write([point]).await.unwrap(),
                }
            }
        }));
    }
    let (done, _) = watch::channel(false);
    let mut compactors = Vec::new();
    for _ in 0..2 {
        let (series, done, replaced) = (one().await, done.subscribe(), replaced.clone());
        compactors.push(tokio::spawn(async move {
            while !*done.borrow() {
                let now = series.compact(secs(AT)).await.unwrap().cells_replaced;
                replaced.send_modify(|replaced| *replaced += now);
            }
        }));
    }
    // What was read once is read always.
    let reader = tokio::spawn({
        let (series, done) = (one().await, done.subscribe());
        async move {
            let mut known = BTreeSet::new();
            while !*done.borrow() {
                let now: BTreeSet<_> = read::points(&series, ..)
                    .await
                    .iter()
                    .map(|point| point.time().as_millis())
                    .collect();
                assert!(known.is_subset(&now), "{:?} are gone", known.difference(&now));
                known = now;
            }
        }
    });
    for writer in writers {
        writer.await.unwrap();
    }
    done.send_replace(true);
    for compactor in compactors {
        compactor.await.unwrap();
    }
    reader.await.unwrap();
    assert!(*replaced.borrow() > 0, "nothing was compacted meanwhile");

    let mut expected: Vec<_> =
        (0..WRITERS * count).map(|at| Point::at_secs(HOUR + at, i64::from(at / WRITERS))).collect();
    expected.sort_by_key(Point::time);
    assert_eq!(read::points(&series, ..).await, expected);
    compact(&series, secs(AT)).await;
    assert_eq!(read::points(&series, ..).await, expected);
    assert_eq!(only_row(&points).await.cells().len(), 1);
}
