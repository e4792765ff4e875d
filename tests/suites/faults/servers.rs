//! Region servers that die, and regions that move during calls.

use tallrow::{DeliveryGuarantee, ErrorKind, Increment, Put, Result, Row, Scan};
use tallrow_mock::Fault;
use tallrow_tests::Place;
use tokio::task::JoinHandle;

use super::{Site, called, config, patient, site, site_with};

/// In real time, which two threads need.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_and_counters_survive_the_death_of_a_server() {
    let site = site_with(patient(), &["r2", "r4", "r6", "r8"]).await;
    let mut tasks = Vec::new();
    for task in 0..8 {
        let table = site.table.clone().with_delivery(DeliveryGuarantee::AtLeastOnce);
        tasks.push(tokio::spawn(async move {
            for i in 0..100 {
                let row = format!("r{}", (task + i) % 10);
                table.increment(Increment::new(&row).add("f", "n", 1)).await.unwrap();
                table.put(Put::new(format!("{row}-{task}-{i}")).cell("f", "q", "v")).await.unwrap();
            }
        }));
    }
    while site.mock.call_count("Mutate") + site.mock.call_count("Multi") < 100 {
        tokio::task::yield_now().await;
    }
    let new = site.mock.start_server().unwrap();
    // The server dies before it replies to one of the calls.
    for method in ["Mutate", "Multi"] {
        site.mock.inject(Fault::on(method).server(0).nth(1).drop_reply());
    }
    while site.mock.unfired_faults().len() == 2 {
        tokio::task::yield_now().await;
    }
    site.mock.kill_server(0).unwrap();
    site.mock.clear_faults();
    site.mock.move_region("t", b"r4", new).unwrap();
    site.mock.split_region("t", b"r5").unwrap();
    for task in tasks {
        task.await.unwrap();
    }
    for i in 0..10 {
        let row = site.table.get(format!("r{i}")).await.unwrap().unwrap();
        assert_eq!(row.counter("f", "n").unwrap(), Some(80));
    }
    assert_eq!(Place::keys(&site.table, Scan::all()).await.len(), 810);
}

/// An increment that the server with this number applies, but whose reply is lost.
async fn increment_without_a_reply(site: &Site) -> (usize, JoinHandle<Result<Option<Row>>>) {
    let home = site.mock.regions("t")[0].server.unwrap();
    site.mock.inject(Fault::on("Mutate").nth(1).drop_reply());
    let table = site.table.clone();
    let increment = async move { table.increment(Increment::new("r").add("f", "n", 1)).await };
    let increment = tokio::spawn(increment);
    called(&site.mock, "Mutate", 1).await;
    (home, increment)
}

#[tokio::test(start_paused = true)]
async fn an_increment_is_unknown_if_its_region_moved_from_a_live_server() {
    let site = site_with(config(), &[]).await;
    let (home, increment) = increment_without_a_reply(&site).await;
    site.mock.move_region("t", b"r", 1 - home).unwrap();
    let error = increment.await.unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error:?}");
    assert_eq!(site.mock.call_count("Mutate"), 1, "it was not sent to the new server");
    let row = site.table.get("r").await.unwrap().unwrap();
    assert_eq!(row.counter("f", "n").unwrap(), Some(1), "this time it was applied");
}

#[tokio::test(start_paused = true)]
async fn an_increment_is_retried_if_its_server_died() {
    let site = site_with(config(), &[]).await;
    let (home, increment) = increment_without_a_reply(&site).await;
    site.mock.kill_server(home).unwrap();
    assert_eq!(increment.await.unwrap().unwrap(), None, "its value is not known");
    let row = site.table.get("r").await.unwrap().unwrap();
    assert_eq!(row.counter("f", "n").unwrap(), Some(1), "the new server recovered the nonce");
}

/// The kinds of errors of an increment whose reply was lost, and the counter after it.
async fn outcome(site: &Site, increment: JoinHandle<Result<Option<Row>>>) -> (ErrorKind, i64) {
    let error = increment.await.unwrap().unwrap_err();
    let row = site.table.get("r").await.unwrap().unwrap();
    (error.kind(), row.counter("f", "n").unwrap().unwrap())
}

#[tokio::test(start_paused = true)]
async fn an_increment_is_unknown_if_its_region_moved_before_its_server_died() {
    let site = site_with(config(), &[]).await;
    let (home, increment) = increment_without_a_reply(&site).await;
    site.mock.move_region("t", b"r", 1 - home).unwrap();
    site.mock.kill_server(home).unwrap();
    assert_eq!(outcome(&site, increment).await, (ErrorKind::OutcomeUnknown, 1));
}

#[tokio::test(start_paused = true)]
async fn an_increment_is_unknown_if_its_region_moved_after_it_was_recovered() {
    let site = site_with(config(), &[]).await;
    let (home, increment) = increment_without_a_reply(&site).await;
    let third = site.mock.start_server().unwrap();
    site.mock.kill_server(home).unwrap();
    let recovered_on = site.mock.regions("t")[0].server.unwrap();
    let other = if recovered_on == third { 1 - home } else { third };
    site.mock.move_region("t", b"r", other).unwrap();
    assert_eq!(outcome(&site, increment).await, (ErrorKind::OutcomeUnknown, 1));
}

#[tokio::test(start_paused = true)]
async fn an_increment_is_unknown_if_both_its_server_and_the_one_that_recovered_it_died() {
    let site = site_with(config(), &[]).await;
    let (home, increment) = increment_without_a_reply(&site).await;
    site.mock.start_server().unwrap();
    site.mock.kill_server(home).unwrap();
    let recovered_on = site.mock.regions("t")[0].server.unwrap();
    site.mock.kill_server(recovered_on).unwrap();
    assert_eq!(outcome(&site, increment).await, (ErrorKind::OutcomeUnknown, 1));
}

#[tokio::test(start_paused = true)]
async fn an_increment_is_unknown_if_its_region_went_away_and_back_before_its_server_died() {
    let site = site_with(config(), &[]).await;
    let (home, increment) = increment_without_a_reply(&site).await;
    site.mock.move_region("t", b"r", 1 - home).unwrap();
    site.mock.move_region("t", b"r", home).unwrap();
    site.mock.kill_server(home).unwrap();
    assert_eq!(outcome(&site, increment).await, (ErrorKind::OutcomeUnknown, 1));
}

#[tokio::test(start_paused = true)]
async fn the_region_of_meta_is_listed_on_the_server_that_it_is_on_now() {
    let site = site().await;
    let hbase = site.client.admin().hbase().unwrap();
    let servers = hbase.region_servers().await.unwrap();
    let mut seen = Vec::new();
    for server in [0, 1] {
        site.mock.move_region("hbase:meta", b"", server).unwrap();
        let regions = hbase.regions("hbase:meta").await.unwrap();
        let [region] = &regions[..] else { panic!("{regions:?}") };
        assert_eq!(region.encoded_name(), "1588230740");
        let server = region.server().unwrap().to_owned();
        assert!(servers.contains(&server), "{server} is none of {servers:?}");
        seen.push(server);
    }
    assert_ne!(seen[0], seen[1]);
}
