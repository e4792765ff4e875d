//! 11, 43, and 89 to 102: what goes wrong with Bigtable.

use std::time::Duration;

use tallrow::filter::{Comparator, CompareOperator};
use tallrow::key::{RowBuf, RowRange};
use tallrow::op::Check;
use tallrow::scan::ScanStep;
use tallrow::{Delete, ErrorKind, Filter, Get, Put, Scan, Timestamp};
use tallrow_mock::{Fault, MockCluster, StatusCode};
use tokio::time::{Instant, sleep};

use super::{bigtable, bigtable_of, both, keys, table_of_versions};

fn at(millis: u64) -> Timestamp {
    Timestamp::from_millis(millis)
}

/// A put that can be sent again.
fn dated(row: impl AsRef<[u8]>) -> Put {
    Put::new(row).cell_at("f", "q", at(5), "v")
}

/// google-cloud-python#5876: rows come in chunks of any size, and some are taken back.
#[tokio::test(start_paused = true)]
async fn complaint_11_rows_are_whole_however_their_chunks_come() {
    for seed in 0..6 {
        let site = bigtable_of(MockCluster::builder().seed(seed).torn_rows(), &["r30"]).await;
        let put = |n: usize| {
            let put = Put::new(format!("r{n:02}")).cell("f", "long", vec![7; 40 * n]);
            put.cell_at("f", "q", at(1), "old").cell_at("f", "q", at(2), "new").cell("f", "z", "")
        };
        site.table.put_all((0..60).map(put)).await.into_result().unwrap();
        site.inject(Fault::on("ReadRows").chance(0.4).fail_midway(StatusCode::Unavailable, "half"));
        let mut rows = site.table.scan(Scan::all().versions(5)).unwrap();
        let mut count = 0;
        while let Some(row) = rows.next_row().await.unwrap() {
            assert_eq!(row.key(), format!("r{count:02}").as_bytes());
            assert_eq!(row.value("f", "long").unwrap().len(), 40 * count);
            assert_eq!((row.cells().len(), row.value("f", "q")), (4, Some(&b"new"[..])));
            count += 1;
        }
        assert_eq!(count, 60, "seed {seed}");
    }
}

/// projectnessie/nessie#12917: a connection has a hundred calls at most.
#[tokio::test(start_paused = true)]
async fn complaint_43_many_calls_do_not_wait_for_one_connection() {
    let site = bigtable(&[]).await;
    site.table.put(dated("r")).await.unwrap();
    let pause = Duration::from_millis(100);
    site.inject(Fault::on("ReadRows").pause_handler(pause));
    let started = Instant::now();
    let gets: Vec<_> = (0..300)
        .map(|_| {
            let table = site.table.clone();
            tokio::spawn(async move { table.get("r").await })
        })
        .collect();
    for get in gets {
        assert!(get.await.unwrap().unwrap().is_some());
    }
    assert!(started.elapsed() < 2 * pause, "{:?}", started.elapsed());
}

/// google-cloud-ruby#19112
#[tokio::test(start_paused = true)]
async fn complaint_89_a_stream_that_breaks_after_the_last_row_brings_no_others() {
    let site = bigtable(&[]).await;
    site.fill(20, 10).await;
    for code in [StatusCode::DeadlineExceeded, StatusCode::Unavailable] {
        site.inject(Fault::on("ReadRows").nth(1).fail_after(code, "late"));
        let found = site.table.get_all(["r03", "r01", "r07"]).await.into_result().unwrap();
        let found = found.iter().map(|row| row.as_ref().unwrap().key());
        assert_eq!(found.collect::<Vec<_>>(), [b"r03", b"r01", b"r07"]);
        let some = ["r01", "r03"].map(|row| RowRange::row(row.as_bytes()));
        let scans =
            [Scan::all().filter(Filter::row_ranges(some)), Scan::range("r01"..="r03").limit(3)];
        for (scan, rows) in scans.into_iter().zip([2, 3]) {
            site.mock.clear_faults();
            site.inject(Fault::on("ReadRows").nth(1).fail_after(code, "late"));
            assert_eq!(keys(&site.table, scan).await.len(), rows);
        }
        site.mock.clear_faults();
    }
}

/// nodejs-bigtable#888: a set of no rows is the whole table.
#[tokio::test(start_paused = true)]
async fn complaint_90_no_keys_are_no_rows() {
    let site = bigtable(&[]).await;
    site.fill(20, 10).await;
    let before = site.mock.call_count("ReadRows");
    let none = site.table.get_all([""; 0]).await.into_result().unwrap();
    assert_eq!(none, []);
    let empty = || RowRange::new(RowBuf::from_slice(b"b"), Some(RowBuf::from_slice(b"a")));
    for ranges in [vec![], vec![empty()], vec![empty(), empty()]] {
        let scan = site.table.scan(Scan::all().filter(Filter::row_ranges(ranges)));
        assert_eq!(scan.map(drop).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
    assert_eq!(keys(&site.table, Scan::range("z".."a")).await, [""; 0]);
    assert_eq!(site.mock.call_count("ReadRows"), before);
}

/// google-cloud-cpp#8423
#[tokio::test(start_paused = true)]
async fn complaint_91_a_scan_goes_on_after_the_last_row_that_was_looked_at() {
    let site = bigtable(&[]).await;
    let puts = (0..9_000).map(|n| dated(format!("{n:04}")));
    site.table.put_all(puts).await.into_result().unwrap();
    let only = Filter::row(CompareOperator::Equal, Comparator::binary("8999"));
    site.inject(Fault::on("ReadRows").times(3).fail_midway(StatusCode::Unavailable, "half"));
    let before = site.mock.call_count("ReadRows");
    let mut rows = site.table.scan(Scan::all().filter(only).cursors()).unwrap();
    let (mut cursors, mut found) = (Vec::new(), Vec::new());
    while let Some(step) = rows.next_step().await.unwrap() {
        match step {
            ScanStep::Row(row) => found.push(row.key().to_vec()),
            ScanStep::Cursor(row) => cursors.push(row),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(found, [b"8999"]);
    assert_eq!(site.mock.call_count("ReadRows") - before, 4);
    assert!(cursors.len() >= 4 && cursors.is_sorted_by(|a, b| a < b), "{cursors:?}");
}

/// google-cloud-go#393: what is asked for again is not less than what was asked for first.
#[tokio::test(start_paused = true)]
async fn complaint_92_a_read_that_fails_before_its_first_row_is_repeated_as_it_was() {
    let site = bigtable(&[]).await;
    let rows: [&[u8]; 4] = [b"\0", b"\0\0", b"a", b"a\0"];
    site.table.put_all(rows.map(dated)).await.into_result().unwrap();
    let scans = [(Scan::all(), 4), (Scan::range(.."a"), 2), (Scan::range("a"..="a"), 1)];
    for (scan, expected) in scans {
        for scan in [scan.clone(), scan.reversed()] {
            site.inject(Fault::on("ReadRows").times(2).fail(StatusCode::Unavailable, "not yet"));
            let found = keys(&site.table, scan).await;
            assert_eq!(found.len(), expected, "{found:?}");
            assert!(site.mock.unfired_faults().is_empty());
        }
    }
}

/// google-cloud-go#611
#[tokio::test(start_paused = true)]
async fn complaint_93_a_family_that_is_not_there_is_told_at_once() {
    let site = bigtable(&[]).await;
    let puts = [dated("a"), Put::new("b").cell_at("none", "q", at(5), "v"), dated("c")];
    let mut outcomes = site.table.put_all(puts).await.into_iter();
    outcomes.next().unwrap().unwrap();
    let error = outcomes.next().unwrap().unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::NoSuchFamily, 1), "{error}");
    assert!(error.to_string().contains("none"), "{error}");
    outcomes.next().unwrap().unwrap();
    assert_eq!(keys(&site.table, Scan::all()).await, ["a", "c"]);
}

/// python-bigtable#115
#[tokio::test(start_paused = true)]
async fn complaint_94_a_batch_that_is_refused_as_a_whole_is_sent_again() {
    let site = bigtable(&[]).await;
    site.inject(Fault::on("MutateRows").times(3).fail(StatusCode::Unavailable, "503"));
    site.table.put_all((0..20).map(|n| dated(format!("r{n:02}")))).await.into_result().unwrap();
    assert_eq!(site.mock.call_count("MutateRows"), 4);
    assert_eq!(site.table.count(Scan::all()).await.unwrap(), 20);
}

/// apache/beam#27022: a call takes 100,000 changes of cells at most.
#[tokio::test(start_paused = true)]
async fn complaint_95_large_batches_are_written_whole() {
    let site = bigtable(&[]).await;
    site.fill(101, 10).await;
    let before = site.mock.call_count("MutateRows");
    // Small changes, so that it is their number that divides them.
    let wide = |row: usize| {
        let delete = Delete::new(format!("r{row:02}")).column("f", "q");
        (0..1_000).fold(delete, |delete, n| delete.column("f", [n as u8, (n >> 8) as u8]))
    };
    site.table.delete_all((0..101).map(wide)).await.into_result().unwrap();
    assert!(site.mock.call_count("MutateRows") - before >= 2);
    assert_eq!(keys(&site.table, Scan::all()).await, [""; 0]);
}

/// java-bigtable-hbase#1229
#[tokio::test(start_paused = true)]
async fn complaint_96_versions_are_counted_among_those_of_the_time_range() {
    for site in both(&[]).await {
        let table = table_of_versions(&site).await;
        let put = (1..=5).fold(Put::new("r"), |put, n| put.cell_at("f", "q", at(n), n.to_string()));
        table.put(put).await.unwrap();
        let times = async |get: Get| {
            let row = table.get(get).await.unwrap().unwrap();
            row.cells().iter().map(|cell| cell.timestamp().as_millis()).collect::<Vec<_>>()
        };
        assert_eq!(times(Get::new("r").time_range(..at(4))).await, [3]);
        assert_eq!(times(Get::new("r").time_range(at(2)..at(5)).versions(2)).await, [4, 3]);
        let not_4 = Filter::value(CompareOperator::NotEqual, Comparator::binary("4"));
        let get = Get::new("r").time_range(..at(5)).versions(2);
        assert_eq!(times(get.filter(not_4)).await, [3, 2]);
    }
}

/// java-bigtable-hbase#2008 and java-bigtable-hbase#438
#[tokio::test(start_paused = true)]
async fn complaint_97_what_several_filters_find_comes_once() {
    for site in both(&[]).await {
        let put = |row: &str| Put::new(row).cell("f", "a1", "x").cell("f", "a2", "y");
        let puts = ["BB1", "BB2", "MN1", "SN1", "XY1"].map(put);
        site.table.put_all(puts).await.into_result().unwrap();
        let row = |row: &str| Filter::row(CompareOperator::Equal, Comparator::binary_prefix(row));
        let found =
            keys(&site.table, Scan::all().filter(Filter::any([row("BB"), row("MN")]))).await;
        assert_eq!(found, ["BB1", "BB2", "MN1"]);
        let found = keys(&site.table, Scan::all().filter(row("BB").or(row("B")))).await;
        assert_eq!(found, ["BB1", "BB2"]);
        let value = |value: &str| Filter::value(CompareOperator::Equal, Comparator::binary(value));
        let column = || Filter::column_prefix("a");
        for filter in [column().or(value("x")), value("x").or(column()), column().or(column())] {
            let row = site.table.get(Get::new("BB1").filter(filter)).await.unwrap().unwrap();
            assert_eq!(row.cells().len(), 2);
        }
    }
}

/// java-bigtable-hbase#2672
#[tokio::test(start_paused = true)]
async fn complaint_98_qualifiers_are_compared_as_bytes() {
    let names: [&[u8]; 7] =
        [b"\0\0\0\x09", b"\0\0\0\x0A", b"\0\0\0\x80", b"\0\0\x01\0", b"\x7F", b"\x80", b"\xFF\xFF"];
    for site in both(&[]).await {
        let put = names.iter().fold(Put::new("r"), |put, name| put.cell("f", name, "v"));
        site.table.put(put).await.unwrap();
        for (compare, with) in
            CompareOperator::ALL.into_iter().flat_map(|c| names.map(|name| (c, name)))
        {
            let filter = Filter::qualifier(compare, Comparator::binary(with));
            let row = site.table.get(Get::new("r").filter(filter)).await.unwrap();
            let found = row.map_or(0, |row| row.cells().len());
            let expected = names.iter().filter(|name| match compare {
                CompareOperator::Less => **name < with,
                CompareOperator::LessOrEqual => **name <= with,
                CompareOperator::Equal => **name == with,
                CompareOperator::NotEqual => **name != with,
                CompareOperator::GreaterOrEqual => **name >= with,
                CompareOperator::Greater => **name > with,
                other => panic!("{other:?}"),
            });
            assert_eq!(found, expected.count(), "{compare:?} {with:?}");
        }
    }
}

/// google-cloud-go#4087: times are microseconds there, in which the largest of ours have no number.
#[tokio::test(start_paused = true)]
async fn complaint_99_reversed_times_are_kept_or_refused() {
    let site = bigtable(&[]).await;
    let last = i64::MAX as u64 / 1_000;
    let times = [last - 1_700_000_000_000, last - 1, last];
    let put = times.iter().fold(Put::new("r"), |put, n| put.cell_at("f", "q", at(*n), "v"));
    site.table.put(put).await.unwrap();
    let row = site.table.get(Get::new("r").versions(5)).await.unwrap().unwrap();
    let found = row.cells().iter().map(|cell| cell.timestamp().as_millis());
    assert_eq!(found.collect::<Vec<_>>(), [times[2], times[1], times[0]]);
    for range in [at(last)..Timestamp::MAX, at(last)..at(last + 1)] {
        let row = site.table.get(Get::new("r").time_range(range)).await.unwrap().unwrap();
        assert_eq!(row.cells()[0].timestamp(), at(last));
    }
    for late in [at(last + 1), Timestamp::MAX] {
        let error = site.table.put(Put::new("r").cell_at("f", "q", late, "v")).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
        assert_eq!(site.table.get(Get::new("r").time_range(late..)).await.unwrap(), None);
    }
}

/// nodejs-bigtable#1444
#[tokio::test(start_paused = true)]
async fn complaint_100_rows_that_wait_for_a_slow_reader_are_not_lost() {
    for nth in 1..=3 {
        let site = bigtable(&["r25"]).await;
        site.fill(50, 3_000).await;
        site.inject(Fault::on("ReadRows").nth(nth).fail_midway(StatusCode::Unavailable, "half"));
        site.inject(Fault::on("ReadRows").nth(nth + 1).reset_stream());
        let mut rows = site.table.scan(Scan::all().bytes_per_call(5_000)).unwrap();
        let mut found = 0;
        while let Some(row) = rows.next_row().await.unwrap() {
            assert_eq!(row.key(), format!("r{found:02}").as_bytes());
            found += 1;
            sleep(Duration::from_secs(2)).await;
        }
        assert_eq!(found, 50);
    }
}

/// java-bigtable#64
#[tokio::test(start_paused = true)]
async fn complaint_101_a_condition_is_not_met_by_an_older_version() {
    for site in both(&[]).await {
        let table = table_of_versions(&site).await;
        for (time, version) in [(3, "3"), (4, "4")] {
            table.put(Put::new("r").cell_at("f", "version", at(time), version)).await.unwrap();
        }
        let check = |version: &str| {
            let check = Check::new("r", "f", "version").if_equals(version);
            table.check_and_mutate(check.then(Put::new("r").cell("f", "data", version)))
        };
        assert!(!check("3").await.unwrap().is_applied());
        assert!(check("4").await.unwrap().is_applied());
        let row = table.get("r").await.unwrap().unwrap();
        assert_eq!(row.value("f", "data"), Some(&b"4"[..]));
    }
}

/// java-bigtable-hbase#2509
#[tokio::test(start_paused = true)]
async fn complaint_102_prefixes_of_bytes_over_127_are_ranges_too() {
    let rows: [&[u8]; 8] = [
        b"\0\0\0\x7F",
        b"\0\0\0\x80",
        b"\0\0\0\x80\xFF",
        b"\0\0\0\x81",
        b"\0\0\0\xFF",
        b"\0\0\0\xFF\xFF",
        b"\0\0\x01\0",
        b"\xFF\xFF",
    ];
    let prefixes: [&[u8]; 5] = [b"\0\0\0\x80", b"\0\0\0\xFF", b"\0\0\0", b"\xFF", b"\xFF\xFF"];
    for prefix in prefixes {
        let site = bigtable(&[]).await;
        site.table.put_all(rows.map(dated)).await.into_result().unwrap();
        let kept = rows.iter().filter(|row| !row.starts_with(prefix)).count();
        let count = site.table.count(Scan::prefix(prefix)).await.unwrap();
        assert_eq!(count as usize, rows.len() - kept);
        site.client.admin().bigtable().unwrap().drop_rows("t", prefix).await.unwrap();
        assert_eq!(site.table.count(Scan::prefix(prefix)).await.unwrap(), 0);
        assert_eq!(site.table.count(Scan::all()).await.unwrap() as usize, kept);
    }
}
