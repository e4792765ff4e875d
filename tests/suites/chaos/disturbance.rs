//! What is done to the cluster during the load: regions move and split, and servers are killed.

use std::time::Duration;

use tallrow::{Admin, Client, Scan, admin::Region};
use tallrow_tests::{Hbase, patient, until};

use crate::flights::{Load, TO_ITS_END};

const FLIGHTS: &str = "tallrow_flights";
const BY_TAIL: &str = "tallrow_flights_by_tail";
const BY_AIRPORT: &str = "tallrow_flights_by_airport";
const TABLES: [&str; 3] = [FLIGHTS, BY_TAIL, BY_AIRPORT];

/// How far the load may come before the first of it is done.
pub(crate) const FIRST: u64 = 15;

/// Everything that is done to the cluster during the load, which waits for it where the next one is
/// due.
pub(crate) async fn all(cluster: &Hbase, load: &mut Load) {
    // Shorter attempts, as killed servers answer none.
    let config = patient().attempt_timeout(Duration::from_secs(30));
    let client = Client::connect_with(&cluster.zookeeper, config).await.unwrap();
    let admin = client.admin();

    load.reach(5).await;
    for table in TABLES {
        let region = admin.hbase().unwrap().regions(table).await.unwrap().remove(0);
        log(load, &format!("moving {table} {region:?}"));
        move_away(&admin, table, &region).await;
    }
    load.must_go_on();

    load.go_on_to(25);
    load.reach(FIRST).await;
    for table in [FLIGHTS, BY_TAIL] {
        let regions = admin.hbase().unwrap().regions(table).await.unwrap();
        let region = regions.last().unwrap();
        let middle = middle(&client, table, region).await;
        log(load, &format!("splitting {table} {region:?}"));
        admin.hbase().unwrap().split_region(region, &middle).await.unwrap();
        let now = admin.hbase().unwrap().regions(table).await.unwrap();
        assert!(now.iter().any(|region| region.start_key() == middle), "{now:?}");
    }
    load.must_go_on();

    load.go_on_to(60);
    load.reach(25).await;
    let counters = admin.hbase().unwrap().regions(BY_AIRPORT).await.unwrap();
    let victim = server_of(counters.last());
    log(load, &format!("killing {victim}"));
    cluster.kill(&victim);
    load.must_go_on();
    wait_until_deserted(&admin, &victim).await;
    load.must_go_on();
    load.suspend();
    log(load, "its regions are open elsewhere; starting it again, with the load suspended");
    start_again(cluster, &admin, &victim).await;
    load.go_on_to(95);
    load.reach(60).await;
    let counters = admin.hbase().unwrap().regions(BY_AIRPORT).await.unwrap();
    let victim = server_of(counters.first());
    log(load, &format!("killing {victim}, and starting it again at once"));
    cluster.kill(&victim);
    load.must_go_on();
    start_again(cluster, &admin, &victim).await;
    wait_until_deserted(&admin, &victim).await;
    log(load, "all regions are open");
    load.go_on_to(TO_ITS_END);
}

fn server_of(region: Option<&Region>) -> String {
    region.and_then(Region::server).unwrap().to_owned()
}

/// Starts a killed server, and checks that the master lists it as a new one.
async fn start_again(cluster: &Hbase, admin: &Admin, victim: &str) {
    cluster.start(victim);
    let port = |server: &str| server.split(',').nth(1).map(str::to_owned);
    let servers = admin.hbase().unwrap().region_servers().await.unwrap();
    let successor = servers.iter().find(|server| *server != victim && port(server) == port(victim));
    assert!(successor.is_some(), "{victim} was not replaced by a new one among {servers:?}");
}

fn log(load: &Load, what: &str) {
    let progress = load.progress();
    eprintln!("chaos: at {} of {} rows: {what}", progress.rows, progress.total);
}

/// Moves a region to another server, and waits until it is there.
async fn move_away(admin: &Admin, table: &str, region: &Region) {
    let servers = admin.hbase().unwrap().region_servers().await.unwrap();
    let other = servers.iter().find(|server| Some(server.as_str()) != region.server()).unwrap();
    admin.hbase().unwrap().move_region(region, other).await.unwrap();
    until(&format!("{region:?} is on {other}"), async || {
        let regions = admin.hbase().unwrap().regions(table).await.unwrap();
        regions.iter().any(|r| r.start_key() == region.start_key() && r.server() == Some(other))
    })
    .await;
}

/// The middle one of the row keys in a region.
async fn middle(client: &Client, table: &str, region: &Region) -> Vec<u8> {
    let scan = match region.end_key() {
        [] => Scan::range(region.start_key()..),
        end => Scan::range(region.start_key()..end),
    };
    let mut rows = client.raw_table(table).unwrap().scan(scan).unwrap();
    let mut keys = Vec::new();
    while let Some(row) = rows.next_row().await.unwrap() {
        keys.push(row.key().to_vec());
    }
    keys.swap_remove(keys.len() / 2)
}

/// Waits until the master reports no region of the tables on this server.
async fn wait_until_deserted(admin: &Admin, server: &str) {
    until(&format!("no region is on {server}"), async || {
        for table in TABLES {
            let regions = admin.hbase().unwrap().regions(table).await.unwrap();
            if regions.iter().any(|region| region.server() == Some(server)) {
                return false;
            }
        }
        true
    })
    .await;
}
