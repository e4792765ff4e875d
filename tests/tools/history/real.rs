//! A run on a real HBase cluster: regions move and split, region servers are killed and started
//! again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tallrow::{Admin, Client, Config, RawTable, admin::Region};
use tallrow_tests::{Hbase, patience};
use tokio::time::sleep;

use crate::delivery::DeliveryGuarantee;
use crate::load::Load;
use crate::log::Log;
use crate::rows::{CALLS, Rows};
use crate::table::{self, TABLE};
use tallrow_tests::Random;

/// How long after the end of a call its attempts may still be applied: a server may be slow to
/// finish one.
fn late() -> Duration {
    patience() / 10
}

/// The number of sets of rows that are prepared.
const SETS: u64 = 2000;
const MAX_REGIONS: usize = 9;

/// A cluster that the runs share.
pub(crate) struct Real {
    hbase: Hbase,
    servers: usize,
}

fn config() -> Config {
    Config::new()
        .operation_timeout(patience())
        .attempt_timeout(Duration::from_secs(3))
        .pause(Duration::from_millis(20))
}

impl Real {
    /// Starts the cluster.
    pub(crate) fn up(servers: u16) -> Self {
        Self { hbase: Hbase::up("history", servers), servers: usize::from(servers) }
    }

    /// Makes calls for this long while the cluster is disturbed; returns the lines of the log.
    pub(crate) async fn run(
        &self,
        delivery: DeliveryGuarantee,
        run: u64,
        lasting: Duration,
    ) -> Result<String, String> {
        let text = |e: tallrow::Error| format!("real run {run}: {e:?}");
        let mut clients = Vec::new();
        for _ in 0..delivery.clients() {
            let config = delivery.configure(config());
            let client = Client::connect_with(&self.hbase.zookeeper, config).await;
            clients.push(client.map_err(text)?);
        }
        let admin = clients[0].admin();
        table::make(&admin).await.map_err(text)?;
        let tables: Result<Vec<RawTable>, _> = clients.iter().map(|c| c.raw_table(TABLE)).collect();
        let tables = tables.map_err(text)?;
        table::prepare(&tables[0], SETS * CALLS).await.map_err(text)?;
        let deadline = Instant::now() + lasting;
        let before = move |call: u64| call < SETS * CALLS && Instant::now() < deadline;
        let log = Log::new(format!("real run {run}"), delivery, late().as_nanos() as u64);
        let (rows, begun) = (Rows::default(), AtomicU64::new(0));
        let pause = |_: &mut Random| std::future::ready(());
        let load = Arc::new(Load { tables, log, rows, seed: run, pause, before, begun });
        let over = AtomicBool::new(false);
        let calls = async {
            let ended = load.run().await;
            over.store(true, Ordering::Relaxed);
            ended
        };
        let (calls, disturbed) = tokio::join!(calls, self.disturb(&admin, run, &over));
        let disturbances = disturbed.map_err(text)?;
        calls?;
        load.read_all().await?;
        let versions = table::versions(&load.tables[0]).await.map_err(text)?;
        let outcomes = load.log.outcomes();
        println!(
            "real run {run}, {delivery}: {} calls answered, {} unknown, {} failed in {:.0} s; {disturbances}",
            outcomes.ok,
            outcomes.unknown,
            outcomes.failed,
            lasting.as_secs_f64()
        );
        load.log.to_lines(&versions)
    }

    /// Moves, splits and kills in turn until the calls have ended, and leaves all servers up.
    async fn disturb(
        &self,
        admin: &Admin,
        seed: u64,
        over: &AtomicBool,
    ) -> Result<Disturbances, tallrow::Error> {
        let mut random = Random::new(seed, 3 << 32);
        let mut done = Disturbances::default();
        while !over.load(Ordering::Relaxed) {
            for _ in 0..3 {
                done.moves += usize::from(self.move_one(admin, &mut random).await?);
                sleep(Duration::from_millis(500)).await;
            }
            let regions = admin.hbase()?.regions(TABLE).await?;
            if regions.len() < MAX_REGIONS {
                done.splits += usize::from(split(admin, random.pick(&regions)).await);
            }
            sleep(Duration::from_millis(500)).await;
            let servers = admin.hbase()?.region_servers().await?;
            let victim = random.pick(&servers);
            // This blocks only this task: the calls run in other tasks.
            tokio::task::block_in_place(|| {
                self.hbase.kill(victim);
                self.hbase.start(victim);
            });
            done.kills += 1;
            self.until_all_serve(admin).await?;
        }
        Ok(done)
    }

    /// Moves a region to another server; false if the master refuses.
    async fn move_one(&self, admin: &Admin, random: &mut Random) -> Result<bool, tallrow::Error> {
        let regions = admin.hbase()?.regions(TABLE).await?;
        let servers = admin.hbase()?.region_servers().await?;
        let (region, to) = (random.pick(&regions), random.pick(&servers));
        // The master does not move a region in transition, which is not an error.
        Ok(region.server() != Some(to) && admin.hbase()?.move_region(region, to).await.is_ok())
    }

    /// Polls the master until every server is up and every region is open on one of them.
    async fn until_all_serve(&self, admin: &Admin) -> Result<(), tallrow::Error> {
        loop {
            let servers = admin.hbase()?.region_servers().await?;
            let regions = admin.hbase()?.regions(TABLE).await?;
            let serves = |r: &Region| r.server().is_some_and(|at| servers.iter().any(|s| s == at));
            if servers.len() == self.servers && regions.iter().all(serves) {
                return Ok(());
            }
            sleep(Duration::from_millis(100)).await;
        }
    }
}

/// Splits a region between two of its rows; false if the master refuses.
async fn split(admin: &Admin, region: &Region) -> bool {
    // Between the rows of one register: `r3-` and the number of a set.
    let start = String::from_utf8_lossy(region.start_key()).into_owned();
    let at = match start.as_str() {
        "" => "c0-00010".to_owned(),
        key if key.len() <= 2 => format!("{key}-00010"),
        key => format!("{key}5"),
    };
    admin.hbase().unwrap().split_region(region, at).await.is_ok()
}

#[derive(Default)]
struct Disturbances {
    moves: usize,
    splits: usize,
    kills: usize,
}

impl std::fmt::Display for Disturbances {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} moves, {} splits, {} kills", self.moves, self.splits, self.kills)
    }
}
