//! 1 to 17: wrong, missing and doubled results.

use std::collections::BTreeSet;
use std::time::Duration;

use tallrow::{
    DeliveryGuarantee, ErrorKind, Increment, Page, Put, Row, RowKey, Scan, Table, TableDescriptor,
    lookup::{self, Lookup},
    scan::PageEnd,
};
use tallrow_mock::{CallFaultBuilder, Fault};

use super::{class, config, keys, put, site, site_with};

/// asynchbase#80
#[tokio::test(start_paused = true)]
async fn complaint_01_an_increment_whose_reply_is_lost_is_counted_once() {
    let site = site().await;
    let losses: [fn(CallFaultBuilder) -> Fault; 3] = [
        CallFaultBuilder::drop_reply,
        CallFaultBuilder::close_after,
        CallFaultBuilder::truncate_reply,
    ];
    for (done, loss) in losses.into_iter().enumerate() {
        site.inject(loss(Fault::on("Mutate").nth(1)));
        site.table.increment(Increment::new("r").add("f", "n", 1)).await.unwrap();
        let row = site.table.get("r").await.unwrap().unwrap();
        assert_eq!(row.counter("f", "n").unwrap(), Some(done as i64 + 1));
    }
}

/// apache/hbase#1864
#[tokio::test(start_paused = true)]
async fn complaint_02_a_repeated_increment_is_applied_and_has_no_value() {
    let site = site().await;
    site.inject(Fault::on("Mutate").nth(1).drop_reply());
    let value = site.table.increment(Increment::new("r").add("f", "n", 5)).await.unwrap();
    assert_eq!(value, None);
    let row = site.table.get("r").await.unwrap().unwrap();
    assert_eq!(row.counter("f", "n").unwrap(), Some(5));
}

#[derive(Clone, Debug, PartialEq, RowKey)]
#[row_key(salt(buckets = 4, fields = (user)))]
struct Login {
    user: u32,
}

#[derive(Clone, Debug, PartialEq, Table)]
#[table(name = "logins")]
#[family("f")]
struct LoginRow {
    #[key]
    key: Login,
    #[cell("f:n")]
    n: u32,
}

/// opentsdb#1753
#[tokio::test(start_paused = true)]
async fn complaint_03_a_bucket_that_fails_is_an_error_and_not_a_gap() {
    let site = site().await;
    site.client.admin().create::<LoginRow>().await.unwrap();
    let logins = site.client.table::<LoginRow>();
    let rows: Vec<_> = (0..40).map(|n| LoginRow { key: Login { user: n }, n }).collect();
    logins.put_all(&rows).await.into_result().unwrap();
    for nth in 1..=4 {
        let fault = Fault::on("Scan").table("logins").nth(nth);
        site.inject(fault.throw(&class("DoNotRetryIOException"), "this bucket is ill"));
        let mut found = 0;
        let mut scan = logins.scan(Login::scan()).rows();
        let error = loop {
            match scan.next_row().await {
                Ok(Some(_)) => found += 1,
                Ok(None) => panic!("it ended after {found} rows as if that were all"),
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), ErrorKind::DoNotRetry);
        site.mock.clear_faults();
    }
}

/// opentsdb#1287
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn complaint_04_concurrent_writers_never_give_two_names_one_id() {
    let site = site_with(tallrow_tests::patient(), &[]).await;
    site.client.admin().create_table(&lookup::table_descriptor("names").unwrap()).await.unwrap();
    let table = site.client.raw_table("names").unwrap();
    let writers = (0..6).map(|writer: u64| {
        let names = Lookup::builder(table.clone(), "host").block_size(2).build().unwrap();
        tokio::spawn(async move {
            let mut ids = Vec::new();
            for n in 0..20 {
                let name = format!("host{}", (n * 7 + writer * 3) % 20);
                ids.push((names.get_or_create(&name).await.unwrap(), name));
            }
            ids
        })
    });
    let mut pairs = BTreeSet::new();
    for writer in writers.collect::<Vec<_>>() {
        pairs.extend(writer.await.unwrap());
    }
    let ids: BTreeSet<_> = pairs.iter().map(|(id, _)| id).collect();
    assert_eq!((pairs.len(), ids.len()), (20, 20), "{pairs:?}");
}

/// gohbase#81
#[tokio::test(start_paused = true)]
async fn complaint_05_a_damaged_response_is_an_error_and_no_panic() {
    let site = site().await;
    site.fill(3, 10).await;
    for bytes in
        [&b"\0\0\0\x03\x02\x08\x01"[..], b"\0\0\0\x01\xFF", b"HTTP/1.1 400 Bad Request\r\n\r\n"]
    {
        site.inject(Fault::on("Get").nth(1).garbage(bytes.to_vec()));
        let error = site.table.get("r00").await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Protocol, "{error:?}");
        assert!(site.table.get("r00").await.unwrap().is_some());
    }
}

/// gohbase#65
#[tokio::test(start_paused = true)]
async fn complaint_06_a_scan_lost_inside_a_row_returns_it_whole_and_once() {
    for nth in 1..8 {
        let site = site().await;
        let wide =
            |row| (0..50).fold(Put::new(row), |put, n| put.cell("f", format!("q{n:02}"), [7; 200]));
        site.table.put_all(["a", "b", "c"].map(wide)).await.into_result().unwrap();
        site.inject(
            Fault::on("Scan").table("t").nth(nth).throw(&class("UnknownScannerException"), "lost"),
        );
        let mut rows = site.table.scan(Scan::all().bytes_per_call(2_000)).unwrap();
        let mut found = Vec::new();
        while let Some(row) = rows.next_row().await.unwrap() {
            found.push((row.key().to_vec(), row.cells().len()));
        }
        assert_eq!(found, ["a", "b", "c"].map(|row| (row.into(), 50)), "lost at call {nth}");
    }
}

/// gohbase#190
#[tokio::test(start_paused = true)]
async fn complaint_07_limit_is_total() {
    let site = site_with(config(), &["r10", "r20"]).await;
    site.fill(30, 100).await;
    for limit in [1, 10, 11, 25] {
        let scan = Scan::all().limit(limit).bytes_per_call(300);
        assert_eq!(keys(&site.table, scan).await.len() as u64, limit);
    }
}

/// gohbase#224
#[tokio::test(start_paused = true)]
async fn complaint_08_a_page_says_whether_there_is_another() {
    let site = site().await;
    site.fill(10, 5_000).await;
    let page = site.table.scan_page(Scan::all().bytes_per_call(1_000), 10).await.unwrap();
    assert_eq!(
        (page.rows.len(), page.next.is_none()),
        (10, true),
        "the size of calls ends no page"
    );
    let page = site.table.scan_page(Scan::all(), 4).await.unwrap();
    let rest = Scan::all().resume(page.next.as_ref());
    assert_eq!(keys(&site.table, rest).await, ["r04", "r05", "r06", "r07", "r08", "r09"]);

    // Why it ended, and where the next one begins: rows, bytes, time, limit, and the end of the
    // table.
    let scan = |page: &Page<Row>| Scan::all().resume(page.next.as_ref());
    assert_eq!((page.rows.len(), page.ended_by), (4, PageEnd::Size));
    let bytes = scan(&page).end_page_at_bytes(10_001);
    let page = site.table.scan_page(bytes, 10).await.unwrap();
    assert_eq!((page.rows.len(), page.ended_by), (2, PageEnd::Bytes));
    site.inject(Fault::on("Scan").delay_in_queue(Duration::from_millis(150)));
    let slow = scan(&page).rows_per_call(1).end_page_after(Duration::from_millis(200));
    let started = tokio::time::Instant::now();
    let page = site.table.scan_page(slow, 10).await.unwrap();
    assert_eq!((page.rows.len(), page.ended_by), (1, PageEnd::Time));
    // Timers have steps of 1 ms.
    assert!((200..=202).contains(&started.elapsed().as_millis()), "{:?}", started.elapsed());
    let page = site.table.scan_page(scan(&page).limit(9), 10).await.unwrap();
    assert_eq!((page.rows.len(), page.ended_by, page.next), (2, PageEnd::Limit, None));
    let page = site.table.scan_page(Scan::range("r09"..), 10).await.unwrap();
    assert_eq!((page.rows.len(), page.ended_by, page.next), (1, PageEnd::End, None));
}

/// falsecz/hbase-rpc-client#46
#[tokio::test(start_paused = true)]
async fn complaint_09_a_page_is_not_counted_for_each_region() {
    let site = site_with(config(), &["r03", "r06", "r09"]).await;
    site.fill(12, 10).await;
    let page = site.table.scan_page(Scan::all(), 5).await.unwrap();
    assert_eq!(page.rows.len(), 5);
    assert_eq!(keys(&site.table, Scan::all().limit(5)).await, ["r00", "r01", "r02", "r03", "r04"]);
}

/// python-bigtable#485
#[tokio::test(start_paused = true)]
async fn complaint_10_an_operation_of_a_batch_without_an_answer_is_not_counted_as_done() {
    let site = site().await;
    site.inject(Fault::on("Multi").nth(1).close_before());
    let puts = (0..20).map(|n| Put::new(format!("row{n}")).cell("f", "q", "v"));
    let outcomes = site.table.put_all(puts).await;
    let outcomes: Vec<_> = outcomes.into_iter().collect();
    assert_eq!(outcomes.len(), 20, "one for each");
    for (n, outcome) in outcomes.into_iter().enumerate() {
        let there = site.table.exists(format!("row{n}")).await.unwrap();
        match outcome {
            Ok(()) => assert!(there, "row{n} was acknowledged"),
            Err(error) => assert_eq!(error.kind(), ErrorKind::OutcomeUnknown),
        }
    }
}

/// happybase#60
#[tokio::test(start_paused = true)]
async fn complaint_12_the_answer_of_another_call_is_not_taken() {
    let site = site().await;
    let rows = ["a", "b"].map(|row| Put::new(row).cell("f", "q", row));
    site.table.put_all(rows).await.into_result().unwrap();
    site.inject(Fault::on("Get").nth(1).wrong_call_id());
    let error = site.table.get("a").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Protocol, "{error}");
    assert!(format!("{error:?}").contains("which was not made"), "{error:?}");
    for row in ["a", "b"] {
        let found = site.table.get(row).await.unwrap().unwrap();
        assert_eq!(found.value("f", "q"), Some(row.as_bytes()));
    }
}

/// apache/seatunnel#10300
#[tokio::test(start_paused = true)]
async fn complaint_13_any_bytes_are_a_row_key() {
    let site = site().await;
    let every: Vec<u8> = (0..=255).collect();
    for row in [&every[..], b"\0", b"\xFF\xFE", b"\xC3\x28"] {
        site.table.put(Put::new(row).cell("f", row, row)).await.unwrap();
        let found = site.table.get(row).await.unwrap().unwrap();
        assert_eq!((found.key(), found.value("f", row)), (row, Some(row)));
    }
}

#[derive(Clone, Debug, PartialEq, RowKey)]
struct Order {
    #[key(escaped)]
    customer: String,
    number: i64,
}

/// Impetus/kundera#110
#[test]
fn complaint_14_numbers_and_texts_in_a_key_sort_as_they_are() {
    let texts = ["", "a", "a\0", "ab", "b"];
    let numbers = [i64::MIN, -10, -9, 0, 9, 10, 100, i64::MAX];
    let mut rows = Vec::new();
    for customer in texts {
        for number in numbers {
            let key = Order { customer: customer.into(), number };
            let row = key.encode();
            assert_eq!(Order::decode(&row).unwrap(), key);
            rows.push(row.to_vec());
        }
    }
    assert!(rows.is_sorted());
}

/// falsecz/hbase-rpc-client#5
#[tokio::test(start_paused = true)]
async fn complaint_15_regions_that_move_and_split_are_found() {
    let site = site().await;
    let server = site.mock.start_server().unwrap();
    for round in 0..6 {
        let key = format!("r{round}5");
        site.mock.split_region("t", key.as_bytes()).unwrap();
        site.mock.move_region("t", key.as_bytes(), server).unwrap();
        for n in 0..10 {
            let row = format!("r{round}{n}");
            site.table.put(Put::new(&row).cell("f", "q", "v")).await.unwrap();
        }
    }
    assert_eq!(keys(&site.table, Scan::all()).await.len(), 60);
}

/// java-bigtable#1494
#[tokio::test(start_paused = true)]
async fn complaint_16_the_error_of_an_entry_is_not_that_of_its_call() {
    let site = site().await;
    let puts =
        [put("v"), Put::new("s").cell("nosuch", "q", "v"), Put::new("u").cell("f", "q", "v")];
    let kinds = |outcome: tallrow::Result<()>| outcome.err().map(|error| error.kind());
    let outcomes = site.table.put_all(puts.clone()).await.into_iter().map(kinds);
    assert_eq!(outcomes.collect::<Vec<_>>(), [None, Some(ErrorKind::NoSuchFamily), None]);
    let table = site.table.clone().with_delivery(DeliveryGuarantee::AtLeastOnce);
    site.inject(Fault::on("Multi").nth(1).close_before());
    let failed: Vec<_> = table.put_all(puts).await.into_iter().map(|one| one.is_err()).collect();
    assert_eq!(failed, [false, true, false], "the call is sent again, for each of them");
}

#[derive(Clone, Debug, PartialEq, RowKey)]
struct Id {
    id: u32,
}

#[derive(Clone, Debug, PartialEq, Table)]
#[table(name = "t17")]
#[family("f")]
struct WithDefault {
    #[key]
    key: Id,
    #[cell("f:name")]
    name: String,
    #[cell("f:n", default)]
    n: u32,
}

/// transact-rs/sqlx#3356
#[tokio::test(start_paused = true)]
async fn complaint_17_a_default_never_hides_a_cell_that_cannot_be_decoded() {
    let site = site().await;
    let admin = site.client.admin();
    admin.create_table(&TableDescriptor::of::<WithDefault>().unwrap()).await.unwrap();
    let table = site.client.table::<WithDefault>();
    let raw = site.client.raw_table("t17").unwrap();
    let row = Id { id: 1 }.encode();
    raw.put(Put::new(row).cell("f", "name", "v")).await.unwrap();
    assert_eq!(table.get(&Id { id: 1 }).await.unwrap().unwrap().n, 0);
    raw.put(Put::new(row).cell("f", "n", "bad")).await.unwrap();
    let error = table.get(&Id { id: 1 }).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
    let text = error.to_string();
    assert!(text.contains("f:n") && text.contains("bad"), "{text}");
}
