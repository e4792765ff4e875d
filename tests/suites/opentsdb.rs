//! Time series against the bytes of OpenTSDB: `golden/` is made by its own classes, see `make`.

use std::time::Duration;

use tallrow::series::{self, Aggregation, Point, PointValue, TimeSeriesBuilder, TimeSeriesTable};
use tallrow::{Client, Get, Put, RawTable, Scan, Timestamp, lookup};
use tallrow_tests::{Sample, read, thorough};

const FAMILY: &str = "t";

fn bytes(hex: &str) -> Vec<u8> {
    let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(byte).collect()
}

async fn points_table(client: &Client, name: &str) -> RawTable {
    client.admin().create_table(&series::table_descriptor(name).unwrap()).await.unwrap();
    client.raw_table(name).unwrap()
}

/// A table in which the name m7, k7 or v7 has the id 7, for every id of the golden files.
async fn names_table(client: &Client, name: &str, width: usize) -> RawTable {
    client.admin().create_table(&lookup::table_descriptor(name).unwrap()).await.unwrap();
    let table = client.raw_table(name).unwrap();
    let ids = (1..=400).chain([65_000]);
    let puts = ids.flat_map(|id: u32| {
        [("m", "metrics"), ("k", "tagk"), ("v", "tagv")].map(|(letter, kind)| {
            let id_bytes = u64::from(id).to_be_bytes();
            Put::new(format!("{letter}{id}")).cell("id", kind, &id_bytes[8 - width..])
        })
    });
    table.put_all(puts).await.into_result().unwrap();
    table
}

/// Time series with ids of 3 bytes and no salt, whose rows and points are looked at in the table.
async fn plain(client: &Client) -> (TimeSeriesTable, RawTable) {
    let points = points_table(client, "tsdb").await;
    let names = names_table(client, "tsdb-uid", 3).await;
    (TimeSeriesTable::builder(points.clone(), names).build().unwrap(), points)
}

fn point(time: &str, kind: &str, value: &str) -> Point {
    let value: PointValue = match kind {
        "int" => value.parse::<i64>().unwrap().into(),
        "float" => value.parse::<f32>().unwrap().into(),
        _ => value.parse::<f64>().unwrap().into(),
    };
    match time.strip_suffix("ms") {
        Some(millis) => Point::at_millis(millis.parse().unwrap(), value),
        None => Point::at_secs(time.trim_end_matches('s').parse().unwrap(), value),
    }
}

#[tokio::test(start_paused = true)]
async fn points_are_written_and_read_as_opentsdb_does() {
    let client = Client::connect("mock:").await.unwrap();
    let mut settings = String::new();
    let mut open: Option<[(TimeSeriesTable, RawTable); 2]> = None;
    let mut checked = 0;
    for line in include_str!("../peers/opentsdb/golden/points.tsv").lines() {
        let fields: Vec<_> = line.split('\t').collect();
        let &[
            kind,
            width,
            buckets,
            id_width,
            metric,
            tags,
            time,
            of_type,
            value,
            row,
            qualifier,
            stored,
        ] = fields.as_slice()
        else {
            panic!("{line}")
        };
        if settings != format!("{kind}{width}{buckets}{id_width}") {
            settings = format!("{kind}{width}{buckets}{id_width}");
            let id_width = id_width.parse().unwrap();
            let names = names_table(&client, &format!("names{settings}"), id_width).await;
            let built = |points: &RawTable| {
                let db: TimeSeriesBuilder = TimeSeriesTable::builder(points.clone(), names.clone());
                let db = db.salt(width.parse().unwrap(), buckets.parse().unwrap());
                db.id_widths(id_width, id_width, id_width).build().unwrap()
            };
            let ours = points_table(&client, &format!("ours{settings}")).await;
            let theirs = points_table(&client, &format!("theirs{settings}")).await;
            open = Some([(built(&ours), ours), (built(&theirs), theirs)]);
        }
        let [(db, ours), (reader, theirs)] = open.as_ref().unwrap();
        let tags: Vec<_> = tags.split(',').map(|tag| tag.split_once('=').unwrap()).collect();
        let point = point(time, of_type, value);
        let [row, qualifier, stored] = [row, qualifier, stored].map(bytes);

        let series = db.get_or_create_series(metric, tags.iter().copied()).await.unwrap();
        match kind {
            "put" => series.write([point]).await.unwrap(),
            _ => series.append([point]).await.unwrap(),
        }
        let found = ours.get(Get::new(&row).column(FAMILY, &qualifier)).await.unwrap();
        let found = found.unwrap_or_else(|| panic!("another row or qualifier: {line}"));
        let found = found.value(FAMILY, &qualifier).unwrap();
        match kind {
            "put" => assert_eq!(found, stored, "{line}"),
            _ => assert!(found.ends_with(&stored), "{line}: {found:?}"),
        }

        checked += 1;
        let put =
            Put::new(&row).cell_at(FAMILY, &qualifier, Timestamp::from_millis(checked), &stored);
        theirs.put(put).await.unwrap();
        let series = reader.find_series(metric, tags).await.unwrap().unwrap();
        let mut read = series.read(point.time()..=point.time()).unwrap();
        assert_eq!(read.next_point().await.unwrap(), Some(point), "{line}");
        assert_eq!(read.next_point().await.unwrap(), None, "{line}");
    }
    assert_eq!(checked, 1_056);
}

#[tokio::test(start_paused = true)]
async fn rows_are_merged_and_compacted_as_opentsdb_does() {
    let client = Client::connect("mock:").await.unwrap();
    let (db, points) = plain(&client).await;
    const HOUR: u32 = 1_356_998_400;
    let at = Timestamp::from_millis(u64::from(HOUR) * 1_000);
    let mut compacted = 0;
    let golden = include_str!("../peers/opentsdb/golden/compactions.tsv");
    let mut sample = Sample::one_in(8);
    // Each read looks at the rows of all cases.
    for (case, line) in golden.lines().enumerate().filter(|_| sample.takes()) {
        let (cells, theirs) = line.split_once('\t').unwrap();
        let row = |metric: u8| {
            let case = u16::try_from(case + 1).unwrap().to_be_bytes();
            [&[0, 0, metric][..], &HOUR.to_be_bytes(), &[0, 0, 1, 0], &case].concat()
        };
        for cell in cells.split(',') {
            let parts: Vec<_> = cell.split(':').collect();
            let written = Timestamp::from_millis(parts[2].parse().unwrap());
            let put = Put::new(row(1)).cell_at(FAMILY, bytes(parts[0]), written, bytes(parts[1]));
            points.put(put).await.unwrap();
        }
        let tags = [("k1", format!("v{}", case + 1))];
        let ours = db.find_series("m1", tags.clone()).await.unwrap().unwrap();
        let read = read::points(&ours, ..).await;
        let Some((qualifier, value)) = theirs.split_once(':') else {
            assert_eq!(read, []);
            continue;
        };
        // The cell that OpenTSDB makes of them has the same points.
        let (qualifier, value) = (bytes(qualifier), bytes(value));
        points.put(Put::new(row(2)).cell(FAMILY, &qualifier, &value)).await.unwrap();
        let theirs = db.find_series("m2", tags).await.unwrap().unwrap();
        assert_eq!(read, read::points(&theirs, ..).await, "{line}");

        let with_points = cells.split(',').filter(|cell| !cell.starts_with("01")).count();
        let compaction = ours.compact(at).await.unwrap();
        assert_eq!((compaction.points, compaction.cells_too_recent), (read.len(), 0), "{line}");
        assert_eq!(read::points(&ours, ..).await, read, "{line}");
        if with_points > 1 {
            assert_eq!(compaction.cells_replaced, with_points, "{line}");
            let row = points.get(row(1)).await.unwrap().unwrap();
            let left = row
                .cells()
                .iter()
                .filter(|cell| cell.qualifier()[0] != 1 || cell.qualifier().len() != 3);
            let left: Vec<_> = left.map(|cell| (cell.qualifier(), cell.value())).collect();
            assert_eq!(left, [(&qualifier[..], &value[..])], "{line}");
            assert_eq!(ours.compact(at).await.unwrap().cells_replaced, 0, "{line}");
            compacted += 1;
        } else {
            assert_eq!(compaction.cells_replaced, 0, "{line}");
        }
    }
    let enough = if thorough() { 300 } else { 30 };
    assert!(compacted > enough, "only {compacted} rows were compacted");
}

#[tokio::test(start_paused = true)]
async fn intervals_have_the_numbers_of_opentsdb() {
    let client = Client::connect("mock:").await.unwrap();
    let (db, points) = plain(&client).await;
    let mut written = "";
    let mut lists = 0;
    for line in include_str!("../peers/opentsdb/golden/downsampled.tsv").lines() {
        let fields: Vec<_> = line.split('\t').collect();
        let &[start, interval, function, list, theirs] = fields.as_slice() else {
            panic!("{line}")
        };
        let numbers = |text: &str| -> Vec<(u64, u64)> {
            let number = |pair: &str| {
                let (time, bits) = pair.split_once('=').unwrap();
                (time.parse().unwrap(), u64::from_str_radix(bits, 16).unwrap())
            };
            text.split(',').filter(|pair| !pair.is_empty()).map(number).collect()
        };
        let tags = |list: u32| [("k1", format!("v{list}"))];
        if written != list {
            (written, lists) = (list, lists + 1);
            let series = db.get_or_create_series("m1", tags(lists)).await.unwrap();
            let list = numbers(list).into_iter();
            let list = list.map(|(time, bits)| Point::at_millis(time, f64::from_bits(bits)));
            series.write(list).await.unwrap();
        }
        let aggregation = match function {
            "sum" => Aggregation::Sum,
            "min" => Aggregation::Min,
            "max" => Aggregation::Max,
            "avg" => Aggregation::Avg,
            "count" => Aggregation::Count,
            "first" => Aggregation::First,
            "last" => Aggregation::Last,
            _ => panic!("{line}"),
        };
        let series = db.find_series("m1", tags(lists)).await.unwrap().unwrap();
        let start = Timestamp::from_millis(start.parse().unwrap());
        let interval = Duration::from_millis(interval.parse().unwrap());
        let mut values = series.downsample(start.., interval, aggregation).unwrap();
        let mut ours = Vec::new();
        while let Some((time, value)) = values.next_value().await.unwrap() {
            ours.push((time.as_millis(), value.to_bits()));
        }
        assert_eq!(ours, numbers(theirs), "{line}");
    }
    assert_eq!(lists, 3);
    assert!(points.count(Scan::all()).await.unwrap() >= 3);
}
