//! The calls to `hbase:meta` of many tasks, of scans, of clients that load their regions from a
//! file, and of many clients that start at once.

use std::sync::Arc;

use tallrow::{Client, Scan};
use tallrow_mock::MockCluster;
use tallrow_tests::{Place, Random, thorough};
use tokio::task::JoinSet;

use super::{client, cluster, row, size};

/// Gets of these rows by some tasks of one client.
async fn get_all(client: &Client, rows: Vec<usize>, tasks: usize) {
    let table = client.raw_table("t").unwrap();
    let rows = Arc::new(rows);
    let mut running = JoinSet::new();
    for task in 0..tasks {
        let (table, rows) = (table.clone(), rows.clone());
        running.spawn(async move {
            for at in rows.iter().skip(task).step_by(tasks) {
                table.get(row(*at)).await.unwrap();
            }
        });
    }
    while let Some(done) = running.join_next().await {
        done.unwrap();
    }
}

fn random_rows(count: usize, of: usize, seed: u64) -> Vec<usize> {
    let mut random = Random::new(seed, 0);
    (0..count).map(|_| random.below(of as u64) as usize).collect()
}

#[tokio::test(start_paused = true)]
async fn many_tasks_find_many_regions_in_few_calls() {
    let regions = size(10_000);
    let mock = cluster(10, regions).await;
    let client = client(&mock).await;
    let before = mock.meta_call_count();
    let rows = random_rows(2 * regions, regions, 1);
    get_all(&client, rows.clone(), 64).await;
    let cold = mock.meta_call_count() - before;
    println!("{regions} regions, {} gets by 64 tasks: {cold} calls to hbase:meta", 2 * regions);
    // One lookup brings up to 100 regions, of which some are known already.
    assert!(cold <= regions as u64 / 20, "{cold} calls");
    get_all(&client, rows, 64).await;
    assert_eq!(mock.meta_call_count() - before, cold, "all regions are known");
}

#[tokio::test(start_paused = true)]
async fn tasks_that_want_one_region_share_one_lookup() {
    let mock = cluster(2, 100).await;
    let client = client(&mock).await;
    let before = mock.meta_call_count();
    get_all(&client, vec![50; 1000], 1000).await;
    assert_eq!(mock.meta_call_count() - before, 1);
}

#[tokio::test(start_paused = true)]
async fn a_scan_finds_the_following_regions_in_few_calls() {
    let mock = cluster(10, 1000).await;
    let client = client(&mock).await;
    let before = mock.meta_call_count();
    let table = client.raw_table("t").unwrap();
    assert!(Place::keys(&table, Scan::all()).await.is_empty());
    // 10 regions with the first, and 100 with each of the others.
    assert_eq!(mock.meta_call_count() - before, 11);
}

#[tokio::test(start_paused = true)]
async fn a_client_with_the_regions_of_a_file_does_not_ask_hbase_meta() {
    let regions = size(10_000);
    let mock = cluster(10, regions).await;
    let first = client(&mock).await;
    first.prefetch_regions("t").await.unwrap();
    let file = first.export_region_locations().await.unwrap();
    println!("{regions} regions: a file of {} bytes", file.len());
    assert!(file.len() < regions * 60, "{} bytes", file.len());

    let before = mock.meta_call_count();
    let warm = client(&mock).await;
    assert_eq!(warm.import_region_locations(&file).await.unwrap(), regions);
    let rows = random_rows(regions, regions, 1);
    get_all(&warm, rows.clone(), 64).await;
    let table = warm.raw_table("t").unwrap();
    assert!(Place::keys(&table, Scan::all()).await.is_empty());
    assert_eq!(mock.meta_call_count(), before);

    // A tenth of the servers is gone since: what was on the others stays known.
    mock.kill_server(1).unwrap();
    let late = client(&mock).await;
    late.import_region_locations(&file).await.unwrap();
    get_all(&late, rows, 64).await;
    let calls = mock.meta_call_count() - before;
    println!("a server of 10 died: {calls} calls to hbase:meta");
    // A lookup of one brings those near it, of which every tenth was there too.
    assert!(calls > 0 && calls <= regions as u64 / 40, "{calls} calls");
}

/// The calls to `hbase:meta` of many clients that each get some rows, all at the same time.
async fn storm(mock: &MockCluster, clients: &[Client], gets: usize, regions: usize) -> u64 {
    let before = mock.meta_call_count();
    let mut running = JoinSet::new();
    for (at, client) in clients.iter().cloned().enumerate() {
        let rows = random_rows(gets, regions, at as u64);
        running.spawn(async move { get_all(&client, rows, 16).await });
    }
    while let Some(done) = running.join_next().await {
        done.unwrap();
    }
    mock.meta_call_count() - before
}

#[tokio::test(start_paused = true)]
async fn clients_that_start_and_servers_that_die_at_once_do_not_storm_hbase_meta() {
    // To make the regions is most of what this takes. Each client has the same rows in each run, so
    // that as many of them are on servers that die.
    let (servers, regions, many) = match thorough() {
        true => (1000, 100_000, 200),
        false => (100, 1_000, 8),
    };
    let gets = 40;
    let mock = cluster(servers, regions).await;
    let mut clients = Vec::new();
    for _ in 0..many {
        clients.push(client(&mock).await);
    }
    let count = clients.len() as u64;
    let start = storm(&mock, &clients, gets, regions).await;
    println!(
        "{count} clients start, {servers} servers, {regions} regions: {start} calls to hbase:meta"
    );
    // Of many regions, hardly two of a client's rows are in one page: a call for each, and none
    // more.
    assert!(start <= count * gets as u64, "{start} calls of {count} clients");
    assert_eq!(storm(&mock, &clients, gets, regions).await, 0, "all regions are known");

    let dead = servers / 10;
    for server in 1..=dead {
        mock.kill_server(server).unwrap();
    }
    let death = storm(&mock, &clients, gets, regions).await;
    println!("{dead} of {servers} servers die: {death} calls to hbase:meta by {count} clients");
    // A tenth of the rows have to be looked up, and with most of them others that died too.
    assert!(death <= count * gets as u64 / 8, "{death} calls of {count} clients");
    assert_eq!(storm(&mock, &clients, gets, regions).await, 0, "all regions are known");
}
