//! Regions that change under the client, at once and before a call that a fault selects: whatever
//! a region does, each row is written once and read once.

use std::time::Duration;

use tallrow::{ErrorKind, Get, Increment, Put, Scan};
use tallrow_mock::{Change, Fault, Scenario};

use super::{Site, config, site_with};

/// A change of the region of this row of `t`.
type ChangeOf = fn(&str) -> Change;

const SECOND: Duration = Duration::from_secs(1);

/// What a region can do.
const CHANGES: [(&str, ChangeOf); 6] = [
    ("move", |row| Change::MoveRegion {
        table: "t".into(),
        row: row.into(),
        replica: 0,
        server: 1,
    }),
    ("go stale in meta", |row| Change::StaleMeta {
        table: "t".into(),
        row: row.into(),
        server: 1,
        time: Some(SECOND),
    }),
    ("open slowly", |row| Change::OpenSlowly { table: "t".into(), row: row.into(), time: SECOND }),
    ("split", |row| Change::SplitRegion { table: "t".into(), at: row.into() }),
    ("merge", |row| Change::MergeRegions { table: "t".into(), row: row.into() }),
    ("lose its server", |_| Change::KillServer { server: 0 }),
];

/// All regions of `t` are on server 0, and have the rows `r00` to `r39`.
async fn filled() -> Site {
    let site = site_with(config(), &["r10", "r20", "r30"]).await;
    for row in ["r00", "r10", "r20", "r30"] {
        site.mock.move_region("t", row.as_bytes(), 0).unwrap();
    }
    for n in 0..40 {
        site.table.put(Put::new(row(n)).cell("f", "q", "v")).await.unwrap();
    }
    site
}

fn row(n: usize) -> String {
    format!("r{n:02}")
}

/// Reads all rows by a scan of single rows per call.
async fn rows(site: &Site) -> Vec<String> {
    let mut rows = site.table.scan(Scan::all().rows_per_call(1)).unwrap();
    let mut keys = Vec::new();
    while let Some(row) = rows.next_row().await.unwrap() {
        keys.push(String::from_utf8(row.key().to_vec()).unwrap());
    }
    keys
}

#[tokio::test(start_paused = true)]
async fn a_scan_reads_each_row_once_whatever_its_region_does_at_the_nth_call() {
    for (name, change) in CHANGES {
        for nth in [1, 2, 7, 13] {
            let site = filled().await;
            let planned = Fault::on("Scan").table("t").server(0).nth(nth).change(change("r05"));
            site.mock.inject(planned);
            let expected: Vec<String> = (0..40).map(row).collect();
            assert_eq!(rows(&site).await, expected, "{name} at call {nth}");
            assert_eq!(site.mock.unfired_faults(), [], "{name} at call {nth}");
            assert!(site.mock.failed_changes().is_empty(), "{:?}", site.mock.failed_changes());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_increment_counts_once_whatever_its_region_does_before_it() {
    for (name, change) in CHANGES {
        let site = filled().await;
        let (mut counted, mut unknown) = (0u64, 0u64);
        for (n, planned) in [false, true, false].into_iter().enumerate() {
            if planned {
                let before_it = Fault::on("Mutate").table("t").nth(1).change(change("r15"));
                site.mock.inject(before_it);
            } else if n == 2 && name != "lose its server" {
                // Once more and at once. The region can already be where it is to go, and a region
                // cannot split twice at one row.
                let _ = site.mock.apply(&change("r25"));
            }
            let increment = Increment::new("r15").add("f", "n", 1);
            match site.table.increment(increment).await {
                Ok(row) => {
                    assert!(row.is_some(), "{name}");
                    counted += 1;
                }
                // The server that was lost took its answer with it.
                Err(e) if planned && name == "lose its server" => {
                    assert_eq!(e.kind(), ErrorKind::OutcomeUnknown, "{e}");
                    unknown += 1;
                }
                Err(e) => panic!("{name}: {e}"),
            }
        }
        let row = site.table.get(Get::new("r15")).await.unwrap().unwrap();
        let value = row.value("f", "n").unwrap();
        let value = u64::from_be_bytes(value[..].try_into().unwrap());
        assert!((counted..=counted + unknown).contains(&value), "{name}: {value}");
        assert_eq!(counted + unknown, 3, "{name}");
        assert!(site.mock.failed_changes().is_empty(), "{:?}", site.mock.failed_changes());
    }
}

#[tokio::test(start_paused = true)]
async fn regions_split_by_size_while_they_are_written_and_read() {
    let site = site_with(config(), &[]).await;
    let put = |n: usize| Put::new(row(n)).cell("f", "q", "v".repeat(1_000));
    for n in 0..20 {
        site.table.put(put(n)).await.unwrap();
    }
    assert_eq!(site.mock.regions("t").len(), 1, "unless a test asks for it, nothing splits");
    site.mock.split_large_regions(Some(10_000));
    // A scan is under way when its region splits.
    let mut reading = site.table.scan(Scan::all().rows_per_call(1)).unwrap();
    let first = reading.next_row().await.unwrap().unwrap();
    assert_eq!(first.key()[..], *b"r00");
    for n in 20..40 {
        site.table.put(put(n)).await.unwrap();
    }
    let mut seen = 1;
    while reading.next_row().await.unwrap().is_some() {
        seen += 1;
    }
    assert!((20..=40).contains(&seen), "{seen}");
    let regions = site.mock.regions("t").len();
    assert!((4..=9).contains(&regions), "{regions} regions of 40 rows of 1 kB each");
    assert_eq!(rows(&site).await, (0..40).map(row).collect::<Vec<_>>());
    let located = site.table.region_locator().all_regions().await.unwrap();
    assert_eq!(located.len(), regions, "hbase:meta has the same regions");

    // Switched off again, a region may grow as it will.
    site.mock.split_large_regions(None);
    let batch = (0..40).map(|n| put(n).cell("f", "r", "w".repeat(1_000)));
    site.table.put_all(batch).await.into_result().unwrap();
    assert_eq!(site.mock.regions("t").len(), regions);
}

#[tokio::test(start_paused = true)]
async fn a_scenario_splits_by_size_from_the_nth_call_on() {
    let site = site_with(config(), &[]).await;
    let scenario = r#"{"changes": [
        {"change": "split_large_regions", "max_filesize": 5000, "at": {"on": "Mutate", "nth": 10}}
    ]}"#;
    site.mock.play(&Scenario::from_json(scenario).unwrap()).unwrap();
    site.mock.record_transcript();
    for n in 0..9 {
        site.table.put(Put::new(row(n)).cell("f", "q", "v".repeat(1_000))).await.unwrap();
    }
    assert_eq!(site.mock.regions("t").len(), 1);
    site.table.put(Put::new(row(9)).cell("f", "q", "v".repeat(1_000))).await.unwrap();
    let starts: Vec<_> = site.mock.regions("t").into_iter().map(|r| r.start_key).collect();
    assert_eq!(starts, [b"".to_vec(), b"r04".to_vec()]);
    let transcript = site.mock.transcript();
    assert!(transcript.contains("split by size: t at row \"r04\"\n"), "{transcript}");
}
