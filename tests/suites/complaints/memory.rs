//! 34 to 39: memory that grows with the number of operations, regions or rows.

use std::time::Duration;

use tallrow::{Config, ErrorKind, FamilyDescriptor, Put, Scan, TableDescriptor};
use tallrow_mock::Fault;

use super::{config, put, site, site_with};

fn narrow() -> Config {
    config().in_flight_bytes(20_000)
}

fn large(row: usize) -> Put {
    Put::new(format!("row{row}")).cell("f", "q", vec![7; 15_000])
}

/// asynchbase#196
#[tokio::test(start_paused = true)]
async fn complaint_34_operations_on_a_moving_region_wait_or_are_refused_at_once() {
    let site = site_with(narrow(), &[]).await;
    site.inject(Fault::on("Mutate").times(20).not_serving());
    let impatient = site.table.clone().with_wait_when_full(false);
    let (first, refused, waiting) =
        tokio::join!(site.table.put(large(1)), impatient.put(large(2)), site.table.put(large(3)));
    first.unwrap();
    let refused = refused.unwrap_err();
    assert_eq!(
        (refused.kind(), refused.attempts()),
        (ErrorKind::TooManyInFlight, 0),
        "{refused:?}"
    );
    waiting.unwrap();
}

/// asynchbase#82
#[tokio::test(start_paused = true)]
async fn complaint_35_no_row_is_read_to_find_out_whether_a_region_is_there() {
    let site = site().await;
    site.inject(Fault::on("Mutate").times(5).not_serving());
    let read = [Fault::on("Get").table("t"), Fault::on("Scan").table("t")];
    read.into_iter().for_each(|fault| site.inject(fault.close_before()));
    site.table.put(put("v")).await.unwrap();
    assert_eq!(site.mock.unfired_faults().len(), 2, "neither was called");
}

/// gohbase#9
#[tokio::test(start_paused = true)]
async fn complaint_36_tables_and_servers_that_went_leave_no_task() {
    let site = site().await;
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let mut before = 0;
    for round in 0..30 {
        let name = format!("gone{round}");
        let descriptor = TableDescriptor::new(&name).unwrap().family(FamilyDescriptor::new("f"));
        site.client.admin().create_table(&descriptor).await.unwrap();
        site.client.raw_table(&name).unwrap().put(put("v")).await.unwrap();
        site.client.admin().hbase().unwrap().disable_table(&name).await.unwrap();
        site.client.admin().delete_table(&name).await.unwrap();
        if round == 5 {
            before = tasks();
        }
    }
    assert!(tasks() <= before + 2, "{before} tasks became {}", tasks());
}

/// jbh#1728
#[tokio::test(start_paused = true)]
async fn complaint_37_every_path_is_bounded_by_default() {
    let site = site_with(narrow(), &[]).await;
    site.inject(Fault::on("Mutate").nth(1).pause_handler(Duration::from_millis(300)));
    let (table, before) = (site.table.clone(), site.calls());
    let puts =
        tokio::spawn(
            async move { table.put_all((0..30).map(large)).await.into_result().map(drop) },
        );
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(site.calls() - before, 1, "the others wait until the first is answered");
    puts.await.unwrap().unwrap();
}

/// apache/hbase#6718
#[tokio::test(start_paused = true)]
async fn complaint_38_many_operations_are_divided_into_calls() {
    let site = site().await;
    let puts = (0..6_000).map(|n| Put::new(format!("row{n}")).cell("f", "q", "v"));
    site.table.put_all(puts).await.into_result().unwrap();
    let calls = site.calls();
    assert!((6..=60).contains(&calls), "{calls} calls");
    assert_eq!(site.table.count(Scan::all()).await.unwrap(), 6_000);
}

/// liufuyang/bigtable_rs#100
#[tokio::test(start_paused = true)]
async fn complaint_39_a_scan_is_not_collected() {
    let site = site().await;
    site.fill(100, 2_000).await;
    let before = site.mock.call_count("Scan");
    let mut rows = site.table.scan(Scan::all().bytes_per_call(4_000)).unwrap();
    for _ in 0..3 {
        rows.next_row().await.unwrap().unwrap();
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let calls = site.mock.call_count("Scan") - before;
    assert!(calls <= 5, "{calls} calls for three rows");
}
