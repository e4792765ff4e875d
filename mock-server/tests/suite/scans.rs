//! The scan protocol: limits, partial rows, directions, leases, sequence numbers of calls.

use tallrow_mock::MockCluster;
use tallrow_wire::exception;
use tallrow_wire::proto::*;

use crate::frames::{Fixture, bytes, meta, raw_scan, short, text};

/// Rows r0 to r9 with cells a, b and c.
async fn ten_rows() -> Fixture {
    let mut t = Fixture::new(&[]).await;
    for row in 0..10 {
        for qualifier in ["a", "b", "c"] {
            t.put(&format!("r{row}"), qualifier, 1, "v").await;
        }
    }
    t
}

fn rows(cells: &[tallrow_wire::cell::Cell]) -> String {
    let mut rows: Vec<String> = cells.iter().map(|c| text(c.row())).collect();
    rows.dedup();
    rows.join(" ")
}

#[tokio::test]
async fn opening_a_scanner_returns_rows_and_whether_there_are_more() {
    let mut t = ten_rows().await;
    let (open, cells) = t.scan(Scan::default(), 4).await.unwrap();
    assert_eq!(rows(&cells), "r0 r1 r2 r3");
    assert_eq!((open.more_results, open.more_results_in_region), (Some(true), Some(true)));
    assert_eq!((open.ttl, open.stale), (Some(60_000), Some(false)));
    assert_eq!((open.cells_per_result, open.partial_flag_per_result), (vec![3; 4], vec![false; 4]));
    let id = open.scanner_id.unwrap();
    let (next, cells) = t.next(id, 0, 100).await.unwrap();
    assert_eq!(rows(&cells), "r4 r5 r6 r7 r8 r9");
    assert_eq!((next.more_results, next.more_results_in_region), (Some(true), Some(false)));
    // The server closed it: the next sequence number is rejected, a repetition of the last call is
    // not.
    let error = t.next(id, 1, 100).await.unwrap_err();
    assert_eq!(error.class, exception::OUT_OF_ORDER_SCANNER_NEXT);
    assert!(error.message.starts_with("Expected nextCallSeq for closed request: 2"));
}

#[tokio::test]
async fn the_last_row_is_known_to_be_the_last() {
    let mut t = ten_rows().await;
    let (open, _) = t.scan(Scan::default(), 10).await.unwrap();
    assert_eq!(open.more_results_in_region, Some(false));
    let stop = Scan { stop_row: Some(bytes("r3")), ..Default::default() };
    let (open, cells) = t.scan(stop, 3).await.unwrap();
    assert_eq!((rows(&cells).as_str(), open.more_results_in_region), ("r0 r1 r2", Some(false)));
}

#[tokio::test]
async fn bounds_may_be_open_or_closed_in_both_directions() {
    let mut t = ten_rows().await;
    let between = |start, stop, include_start, include_stop, reversed| Scan {
        start_row: Some(bytes(start)),
        stop_row: Some(bytes(stop)),
        include_start_row: Some(include_start),
        include_stop_row: Some(include_stop),
        reversed: Some(reversed),
        ..Default::default()
    };
    for (scan, expected) in [
        (between("r2", "r4", true, false, false), "r2 r3"),
        (between("r2", "r4", false, true, false), "r3 r4"),
        (between("r4", "r2", true, false, true), "r4 r3"),
        (between("r4", "r2", false, true, true), "r3 r2"),
        (between("", "r8", true, true, true), "r9 r8"),
        (between("r8", "", true, true, false), "r8 r9"),
        (between("r5", "r5", true, true, false), "r5"),
        (between("r6", "r4", true, true, false), ""),
    ] {
        let (_, cells) = t.scan(scan.clone(), 100).await.unwrap();
        assert_eq!(rows(&cells), expected, "{scan:?}");
    }
    let unset = Scan { include_stop_row: None, ..between("r5", "r5", true, true, false) };
    assert_eq!(rows(&t.scan(unset, 100).await.unwrap().1), "r5");
}

#[tokio::test]
async fn a_limit_of_rows_ends_the_scan() {
    let mut t = ten_rows().await;
    let request = ScanRequest {
        region: Some(t.region(b"")),
        scan: Some(Scan::default()),
        number_of_rows: Some(100),
        limit_of_rows: Some(3),
        ..Default::default()
    };
    let (answer, cells) = t.client.call::<ScanResponse>("Scan", &request).await.unwrap();
    assert_eq!(rows(&cells), "r0 r1 r2");
    assert_eq!((answer.more_results, answer.more_results_in_region), (Some(false), Some(true)));
}

/// Like HBase: limits of rows, cells and bytes of a scan, and rows in parts.
#[tokio::test]
async fn a_size_limit_splits_rows_and_loses_nothing() {
    let mut t = ten_rows().await;
    let scan = Scan { max_result_size: Some(100), ..Default::default() };
    let (open, mut cells) = t.scan(scan, 100).await.unwrap();
    assert!(open.partial_flag_per_result.contains(&true));
    let (mut more, mut seq) = (open.more_results_in_region.unwrap(), 0);
    while more {
        let (next, found) = t.next(open.scanner_id.unwrap(), seq, 100).await.unwrap();
        let partials = next.partial_flag_per_result.iter().rev().skip(1);
        assert!(partials.clone().all(|p| !p), "only the last may be partial");
        cells.extend(found);
        (more, seq) = (next.more_results_in_region.unwrap(), seq + 1);
    }
    assert!(seq > 5);
    let (_, whole) = t.scan(Scan::default(), 100).await.unwrap();
    assert_eq!(cells, whole);
}

/// The figures of a real server: a cell of 32 bytes counts 64, one of 124 bytes counts 160.
#[tokio::test]
async fn the_size_limit_counts_the_heap_size_of_cells() {
    let mut t = Fixture::new(&[]).await;
    t.put("b", "i2", 1, "12345678").await;
    for row in ["b0", "b1", "b2"] {
        t.put(row, "q", 1, &"v".repeat(100)).await;
    }
    for (size, results) in [(64, 1), (65, 2), (224, 2), (225, 3), (384, 3), (385, 4)] {
        let scan = Scan { max_result_size: Some(size), ..Default::default() };
        let (answer, _) = t.scan(scan, 100).await.unwrap();
        assert_eq!(answer.cells_per_result.len(), results, "{size} bytes");
    }
}

#[tokio::test]
async fn a_client_that_does_not_handle_partial_rows_gets_whole_ones() {
    let mut t = ten_rows().await;
    let request = ScanRequest {
        region: Some(t.region(b"")),
        scan: Some(Scan { max_result_size: Some(1), ..Default::default() }),
        number_of_rows: Some(100),
        ..Default::default()
    };
    let (answer, cells) = t.client.call::<ScanResponse>("Scan", &request).await.unwrap();
    assert_eq!((short(&cells).as_str(), answer.cells_per_result), ("a1 b1 c1", vec![3]));
}

#[tokio::test]
async fn a_batch_size_splits_rows_into_chunks() {
    let mut t = ten_rows().await;
    let scan = Scan { batch_size: Some(2), stop_row: Some(bytes("r2")), ..Default::default() };
    let (answer, _) = t.scan(scan.clone(), 100).await.unwrap();
    assert_eq!(answer.cells_per_result, [2, 1, 2, 1]);
    assert_eq!(answer.partial_flag_per_result, [true, false, true, false]);
    // Chunks count as rows, and the next call continues within the row.
    let (open, cells) = t.scan(scan, 1).await.unwrap();
    assert_eq!((short(&cells).as_str(), open.more_results_in_region), ("a1 b1", Some(true)));
    let (next, cells) = t.next(open.scanner_id.unwrap(), 0, 1).await.unwrap();
    assert_eq!((short(&cells).as_str(), next.partial_flag_per_result), ("c1", vec![false]));
}

/// Like HBase: a scanner sees the rows as they were when it was opened.
#[tokio::test]
async fn a_scanner_sees_the_rows_as_they_were_when_it_was_opened() {
    let mut t = ten_rows().await;
    let (open, _) = t.scan(Scan::default(), 1).await.unwrap();
    t.put("r5", "a", 2, "new").await;
    t.put("r55", "a", 2, "new").await;
    let (_, cells) = t.next(open.scanner_id.unwrap(), 0, 100).await.unwrap();
    assert_eq!(rows(&cells), "r1 r2 r3 r4 r5 r6 r7 r8 r9");
    assert!(cells.iter().all(|c| c.timestamp() == 1));
}

#[tokio::test]
async fn a_wrong_sequence_number_is_rejected_and_the_scanner_stays_open() {
    let mut t = ten_rows().await;
    let (open, _) = t.scan(Scan::default(), 1).await.unwrap();
    let id = open.scanner_id.unwrap();
    let error = t.next(id, 5, 1).await.unwrap_err();
    assert_eq!(error.class, exception::OUT_OF_ORDER_SCANNER_NEXT);
    assert!(
        error
            .message
            .starts_with("Expected nextCallSeq: 0 But the nextCallSeq got from client: 5; ")
    );
    assert!(error.do_not_retry);
    assert_eq!(rows(&t.next(id, 0, 1).await.unwrap().1), "r1");
    let renew = ScanRequest {
        scanner_id: Some(id),
        renew: Some(true),
        next_call_seq: Some(1),
        ..Default::default()
    };
    let (renewed, cells) = t.client.call::<ScanResponse>("Scan", &renew).await.unwrap();
    assert_eq!((cells.len(), renewed.more_results), (0, None));
    assert_eq!(rows(&t.next(id, 2, 1).await.unwrap().1), "r2");
}

/// Like HBase: the lease of a scanner.
#[tokio::test(start_paused = true)]
async fn a_lease_ends_and_is_renewed_by_every_call() {
    let mut t = ten_rows().await;
    let (open, _) = t.scan(Scan::default(), 1).await.unwrap();
    let id = open.scanner_id.unwrap();
    for seq in 0..3 {
        tokio::time::advance(std::time::Duration::from_secs(59)).await;
        t.next(id, seq, 1).await.unwrap();
    }
    tokio::time::advance(std::time::Duration::from_secs(61)).await;
    let error = t.next(id, 3, 1).await.unwrap_err();
    assert_eq!(error.class, exception::UNKNOWN_SCANNER);
    assert!(error.message.starts_with(&format!("Unknown scanner '{id}'.")));
}

#[tokio::test]
async fn a_scanner_is_closed_when_its_region_moves_away_and_back() {
    let mut t = Fixture::with(MockCluster::builder().servers(2), &[], &[]).await;
    t.put("a", "q", 1, "v").await;
    t.put("b", "q", 1, "v").await;
    let (open, _) = t.scan(Scan::default(), 1).await.unwrap();
    let home = t.cluster.regions("t")[0].server.unwrap();
    t.cluster.move_region("t", b"a", 1 - home).unwrap();
    t.cluster.move_region("t", b"a", home).unwrap();
    let error = t.next(open.scanner_id.unwrap(), 0, 1).await.unwrap_err();
    assert_eq!(error.class, exception::NOT_SERVING_REGION);
    assert!(error.message.starts_with("Region has changed on the scanner"));
}

#[tokio::test]
async fn meta_is_scanned_backwards_for_the_region_of_a_row() {
    let mut t = Fixture::with(MockCluster::builder().servers(1), &[], &["g", "p"]).await;
    for (row, start) in [("a", ""), ("g", "g"), ("o,x", "g"), ("z", "p")] {
        let request = ScanRequest {
            region: Some(meta()),
            scan: Some(Scan {
                column: vec![Column { family: "info".into(), qualifier: Vec::new() }],
                start_row: Some(bytes(&format!("t,{row},99999999999999"))),
                stop_row: Some("t,,".into()),
                include_stop_row: Some(true),
                reversed: Some(true),
                ..Default::default()
            }),
            number_of_rows: Some(1),
            limit_of_rows: Some(1),
            ..Default::default()
        };
        let (_, cells) = t.client.call::<ScanResponse>("Scan", &request).await.unwrap();
        let found = tallrow_wire::meta::RegionRow::from_cells(&cells).unwrap().unwrap();
        assert_eq!(found.info.start_key.as_deref(), Some(start.as_bytes()), "row {row}");
        let address = t.cluster.server_address(0).unwrap();
        assert_eq!(found.server.unwrap().port, Some(u32::from(address.port())));
    }
}

#[tokio::test]
async fn a_raw_scan_of_a_column_and_zero_versions_are_rejected() {
    let mut t = ten_rows().await;
    let column = Column { family: "f".into(), qualifier: vec!["a".into()] };
    let scan = Scan { column: vec![column], ..raw_scan() };
    let error = t.scan(scan, 1).await.unwrap_err();
    assert_eq!(error.message, "Cannot specify any column for a raw scan");
    let none = Scan { max_versions: Some(0), ..Default::default() };
    assert_eq!(t.scan(none, 1).await.unwrap_err().message, "versions must be positive");
}

/// A server that stops at the size of a batch does not look whether what follows in the row
/// matches, unless it comes to the end of the region.
#[tokio::test]
async fn a_batch_that_ends_with_its_row_may_have_more() {
    let mut t = Fixture::new(&[("VERSIONS", "2")]).await;
    for row in ["r0", "r1", "r2"] {
        t.put(row, "a", 1, "old").await;
        t.put(row, "a", 2, "new").await;
    }
    let scan = Scan { batch_size: Some(1), ..Default::default() };
    let (open, _) = t.scan(scan.clone(), 100).await.unwrap();
    assert_eq!(open.partial_flag_per_result, [true, true, false]);
    let (open, _) = t.scan(Scan { max_versions: Some(2), ..scan.clone() }, 100).await.unwrap();
    assert_eq!(open.partial_flag_per_result, [true, false, true, false, true, false]);
    let column = Column { family: "f".into(), qualifier: vec!["a".into()] };
    let (open, _) = t.scan(Scan { column: vec![column], ..scan }, 100).await.unwrap();
    assert_eq!(open.partial_flag_per_result, [false, false, false]);
}
