//! 67 to 77: what scans return, where they begin and end, and the regions that they read.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::time::Duration;

use tallrow::filter::{Comparator, CompareOperator};
use tallrow::key::RowRange;
use tallrow::{Client, ErrorKind, FamilyDescriptor, Filter, Put, Scan, TableDescriptor};
use tallrow_mock::Fault;
use tallrow_tests::in_memory;

use super::{both, class, config, keys, put, site, site_with};

/// falsecz/hbase-rpc-client#60
#[tokio::test(start_paused = true)]
async fn complaint_67_a_reversed_scan_with_both_ends_is_reversed() {
    for site in both(&["r10", "r20"]).await {
        site.fill(30, 10).await;
        let scan = || Scan::range("r08".."r13").reversed();
        let expected = ["r12", "r11", "r10", "r09", "r08"];
        assert_eq!(keys(&site.table, scan()).await, expected);
        assert_eq!(keys(&site.table, scan().limit(4)).await, expected[..4]);
        assert_eq!(keys(&site.table, scan().after("r10")).await, expected[3..]);
    }
}

/// oceanbase/obkv-hbase-client-java#199
#[tokio::test(start_paused = true)]
async fn complaint_68_a_reversed_scan_has_the_ends_that_belong_to_its_range() {
    for site in both(&["r10", "r20"]).await {
        site.fill(30, 10).await;
        let found = keys(&site.table, Scan::range("r18"..="r20").reversed()).await;
        assert_eq!(found, ["r20", "r19", "r18"], "r20 is the first row of its region");
        let inner = (Bound::Excluded("r10"), Bound::Included("r12"));
        assert_eq!(keys(&site.table, Scan::range::<&str>(inner).reversed()).await, ["r12", "r11"]);
        let inner = (Bound::Excluded("r09"), Bound::Excluded("r10"));
        assert_eq!(keys(&site.table, Scan::range::<&str>(inner).reversed()).await, [""; 0]);
    }
}

/// splicemachine/spliceengine#4203: HBase takes a scan from a row to the same row for a get.
#[tokio::test(start_paused = true)]
async fn complaint_69_a_range_with_equal_ends_has_no_row() {
    for site in both(&["r10", "r20"]).await {
        site.fill(30, 10).await;
        for row in ["r05", "r10"] {
            for scan in [Scan::range(row..row), Scan::range(row..row).reversed()] {
                assert_eq!(keys(&site.table, scan.clone()).await, [""; 0], "{row}");
                assert_eq!(site.table.count(scan).await.unwrap(), 0);
            }
            assert_eq!(keys(&site.table, Scan::range(row..=row)).await, [row]);
            assert_eq!(keys(&site.table, Scan::range(row..=row).reversed()).await, [row]);
        }
    }
}

/// pingcap/go-hbase#4
#[tokio::test(start_paused = true)]
async fn complaint_70_rows_next_to_a_split_are_not_left_out() {
    let rows: [&[u8]; 6] = [b"l\xFF\xFF", b"m", b"m\0", b"m\0\0", b"m\x01", b"n"];
    for at in [&b"m"[..], b"m\0"] {
        for (before, reversed) in (0..=rows.len()).flat_map(|n| [(n, false), (n, true)]) {
            let site = site().await;
            let puts = rows.map(|row| Put::new(row).cell("f", "q", "v"));
            site.table.put_all(puts).await.into_result().unwrap();
            let scan = Scan::all().rows_per_call(1);
            let scan = if reversed { scan.reversed() } else { scan };
            let mut stream = site.table.scan(scan).unwrap();
            let mut found = Vec::new();
            loop {
                if found.len() == before {
                    site.mock.split_region("t", at).unwrap();
                }
                let Some(row) = stream.next_row().await.unwrap() else { break };
                found.push(row.key().to_vec());
            }
            if reversed {
                found.reverse();
            }
            assert_eq!(found, rows, "split at {at:?} after {before} rows, reversed: {reversed}");
        }
    }
}

/// gohbase#213: what is made of a key, to look up its region or to go on after it, is too long.
#[tokio::test(start_paused = true)]
async fn complaint_71_rows_with_the_longest_keys_are_found_and_passed() {
    let longest = |last: u8| [&[b'm'; 32_766][..], &[last]].concat();
    let rows = [b"a".to_vec(), longest(1), longest(2), b"z".to_vec()];
    for splits in [&[][..], &["b", "n"]] {
        let site = site_with(config(), splits).await;
        let config = config().connector(in_memory(&site.mock));
        let client = Client::connect_with(&site.mock.url(), config).await.unwrap();
        let table = client.raw_table("t").unwrap();
        for row in rows.iter().rev() {
            table.put(Put::new(row).cell("f", "q", "v")).await.unwrap();
            assert!(table.exists(row).await.unwrap());
        }
        for reversed in [false, true] {
            let read = async |scan: Scan| {
                let scan = if reversed { scan.reversed() } else { scan };
                let mut stream = table.scan(scan.rows_per_call(1)).unwrap();
                let mut found = Vec::new();
                while let Some(row) = stream.next_row().await.unwrap() {
                    found.push(row.key().to_vec());
                }
                if reversed {
                    found.reverse();
                }
                found
            };
            for nth in 1..=6 {
                let lost = Fault::on("Scan").table("t").nth(nth);
                site.inject(lost.throw(&class("UnknownScannerException"), "lost"));
                assert_eq!(read(Scan::all()).await, rows, "lost at call {nth}");
                site.mock.clear_faults();
            }
            let (first, second) = (&rows[1][..], &rows[2][..]);
            assert_eq!(read(Scan::range(first..=first)).await, rows[1..2]);
            assert_eq!(read(Scan::range(..=second)).await, rows[..3]);
            assert_eq!(read(Scan::range(..second)).await, rows[..2]);
            assert_eq!(read(Scan::range(second..)).await, rows[2..]);
            let after = (Bound::Excluded(first), Bound::Unbounded);
            assert_eq!(read(Scan::range::<&[u8]>(after)).await, rows[2..]);
            let expected = if reversed { &rows[..1] } else { &rows[2..] };
            assert_eq!(read(Scan::all().after(first)).await, expected);
        }
    }
}

/// apache/cassandra-nodejs-driver#419, found with Scylla
#[tokio::test(start_paused = true)]
async fn complaint_72_answers_without_rows_are_not_the_end() {
    for site in both(&["r30", "r60"]).await {
        site.fill(90, 10).await;
        // Each answer of HBase is for one row that the filter leaves out.
        site.mock.end_scan_calls_after(1);
        let last = || Filter::row(CompareOperator::Equal, Comparator::binary("r89"));
        let scan = || Scan::all().filter(last()).end_page_after(Duration::from_millis(1));
        assert_eq!(keys(&site.table, scan()).await, ["r89"]);
        let page = site.table.scan_page(scan(), 10).await.unwrap();
        assert_eq!(page.rows.len(), 1);
    }
}

/// happybase#72
#[tokio::test(start_paused = true)]
async fn complaint_73_fewer_rows_than_were_asked_for_are_not_the_end() {
    let site = site_with(config(), &["r10"]).await;
    site.fill(20, 10).await;
    for rows in [1, 3, 7] {
        site.mock.end_scan_calls_after(rows);
        for limit in [1, 10, 15, 20, 25] {
            let found = keys(&site.table, Scan::all().rows_per_call(10).limit(limit)).await;
            assert_eq!(found.len() as u64, limit.min(20), "{rows} rows in each answer");
        }
    }
}

/// nodejs-bigtable#278
#[tokio::test(start_paused = true)]
async fn complaint_74_a_prefix_and_a_start_both_count() {
    for site in both(&[]).await {
        let puts = ["a1", "a2", "b1", "b2", "b3", "c1"].map(|row| Put::new(row).cell("f", "q", ""));
        site.table.put_all(puts).await.into_result().unwrap();
        let scan = || Scan::prefix("b");
        assert_eq!(keys(&site.table, scan().after("b1")).await, ["b2", "b3"]);
        assert_eq!(keys(&site.table, scan().after("b2").reversed()).await, ["b1"]);
        let outside = site.table.scan(scan().after("c0"));
        assert_eq!(outside.map(drop).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}

/// solana-labs/solana#27380: 0 means no limit in both protocols.
#[tokio::test(start_paused = true)]
async fn complaint_75_a_limit_of_no_rows_is_one() {
    for site in both(&["r10"]).await {
        site.fill(20, 10).await;
        for scan in [Scan::all(), Scan::all().reversed(), Scan::all().parallel(2)] {
            assert_eq!(keys(&site.table, scan.clone().limit(0)).await, [""; 0]);
            assert_eq!(site.table.count(scan.clone().limit(0)).await.unwrap(), 0);
            let page = site.table.scan_page(scan.limit(0), 10).await.unwrap();
            assert!(page.rows.is_empty() && page.next.is_none());
        }
    }
}

/// JanusGraph#1292: the end of the last region is empty, and sorts before its start.
#[tokio::test(start_paused = true)]
async fn complaint_76_the_last_region_reaches_to_the_end_of_the_table() {
    let site = site_with(config(), &["\u{1}", "m", "z"]).await;
    let rows: [&[u8]; 5] = [b"\0", b"\x01", b"m", b"z", b"\xFF\xFF\xFF"];
    let puts = rows.map(|row| Put::new(row).cell("f", "q", "v"));
    site.table.put_all(puts).await.into_result().unwrap();
    let locator = site.table.region_locator();
    let regions = locator.all_regions().await.unwrap();
    assert_eq!(regions.len(), 4);
    let mut found = 0;
    for region in &regions {
        let inside = rows.iter().filter(|row| region.contains(row)).count() as u64;
        let scan = match region.end_key() {
            [] => Scan::range(region.start_key()..),
            end => Scan::range(region.start_key()..end),
        };
        assert_eq!(site.table.count(scan).await.unwrap(), inside);
        found += inside;
    }
    assert_eq!(found, 5, "each row is in one region");
    let last = locator.locate_range(&RowRange::prefix(b"\xFF")).await.unwrap();
    assert_eq!(last.iter().map(|region| region.start_key()).collect::<Vec<_>>(), [b"z"]);
}

/// asynchbase#27, gohbase#23 and gohbase#98
#[tokio::test(start_paused = true)]
async fn complaint_77_regions_of_tables_with_similar_names_are_told_apart() {
    let site = site().await;
    let names = ["t-1", "t.1", "t_1", "tt", "T", "t-", "default:t0"];
    let rows: [&[u8]; 7] = [b"\0", b",", b"-1,", b"a,b,c", b"m", b"t,m,", b"\xFF\xFF"];
    for name in names {
        let family = FamilyDescriptor::new("f");
        let table = TableDescriptor::new(name).unwrap().family(family);
        site.client.admin().create_table_with_splits(&table, [",", "m", "t,"]).await.unwrap();
        let puts = rows.map(|row| Put::new(row).cell("f", "q", name));
        let written = site.client.raw_table(name).unwrap().put_all(puts).await;
        written.into_result().unwrap();
    }
    site.table.put(put("v")).await.unwrap();
    for reversed in [false, true] {
        let config = config().connector(in_memory(&site.mock));
        let client = Client::connect_with(&site.mock.url(), config).await.unwrap();
        for (name, row) in names.iter().flat_map(|name| rows.map(|row| (name, row))) {
            let table = client.raw_table(*name).unwrap();
            let found = table.get(row).await.unwrap().unwrap();
            assert_eq!(found.value("f", "q"), Some(name.as_bytes()));
            let scan = if reversed { Scan::all().reversed() } else { Scan::all() };
            assert_eq!(keys(&table, scan).await.len(), rows.len(), "{name}");
        }
        assert!(client.raw_table("t0").unwrap().exists("m").await.unwrap());
        assert!(client.raw_table("default:t").unwrap().exists("r").await.unwrap());
        let meta = client.raw_table("hbase:meta").unwrap();
        let tables = keys(&meta, Scan::all()).await;
        let tables: BTreeSet<_> = tables.iter().filter_map(|row| row.split(',').next()).collect();
        let mut expected: BTreeSet<_> =
            names.iter().map(|n| n.trim_start_matches("default:")).collect();
        expected.insert("t");
        assert!(expected.is_subset(&tables), "{tables:?}");
    }
}
