//! What is done to the cluster: each second a region of each table moves and another is split, or
//! two are merged when there are many; and a region server is killed every so often, and started
//! again.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tallrow::admin::{HBaseAdmin, Region};
use tallrow::{Client, Config};
use tallrow_tests::{Hbase, Random};
use tokio::time::{MissedTickBehavior, interval};

use crate::rows::{self, PREFIXES};

/// With this many regions of a table, they are merged and no longer split.
const REGIONS: usize = 40;

/// How often each was done.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Done {
    moves: usize,
    splits: usize,
    merges: usize,
    kills: usize,
    /// What the master refused: mostly regions that were just being moved, split or recovered.
    refused: usize,
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { moves, splits, merges, kills, refused } = self;
        write!(f, "{moves} moves, {splits} splits, {merges} merges, {kills} servers killed; ")?;
        write!(f, "{refused} moves, splits and merges were refused")
    }
}

/// Disturbs these tables for so long; `rows` is how many rows of a prefix there are by now.
pub(crate) async fn disturb(
    cluster: &Arc<Hbase>,
    tables: &'static [&'static str],
    (lasting, kill_every): (Duration, Duration),
    rows: impl Fn(usize) -> usize,
) -> Result<Done, Box<dyn std::error::Error>> {
    let config = Config::new()
        .operation_timeout(Duration::from_secs(8))
        .admin_timeout(Duration::from_secs(8))
        .attempt_timeout(Duration::from_secs(2));
    let client = Client::connect_with(&cluster.zookeeper, config).await?;
    let admin = client.admin().hbase()?;
    let started = Instant::now();
    let (mut done, mut random) = (Done::default(), Random::new(7, 0));
    let mut kill_at = kill_every;
    let mut restart: Option<tokio::task::JoinHandle<()>> = None;
    let mut second = interval(Duration::from_secs(1));
    second.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut running = tokio::task::JoinSet::new();
    while started.elapsed() < lasting {
        second.tick().await;
        if started.elapsed() >= kill_at && lasting > kill_at + Duration::from_secs(10) {
            kill_at += kill_every;
            if let Some(restart) = restart.take() {
                restart.await?;
            }
            if let Ok(servers) = admin.region_servers().await {
                let victim = random.pick(&servers).clone();
                eprintln!("storm: {} s: kill -9 {victim}", started.elapsed().as_secs());
                let cluster = cluster.clone();
                done.kills += 1;
                let (killed, name) = (cluster.clone(), victim.clone());
                tokio::task::spawn_blocking(move || killed.kill(&name)).await?;
                // It is started again while regions move and split, so that there are always two
                // that serve.
                restart = Some(tokio::task::spawn_blocking(move || cluster.start(&victim)));
            }
        }
        for table in tables {
            let prefix = random.index(PREFIXES);
            let at = rows::put(prefix, random.index(rows(prefix).max(1)));
            let (admin, seed) = (admin.clone(), random.below(u64::MAX));
            // The master takes longer than a second for it while a server is down.
            if running.len() < 8 {
                running.spawn(async move { step(&admin, table, &at, seed).await });
            }
        }
        while let Some(ended) = running.try_join_next() {
            done.add(ended?);
        }
    }
    if let Some(restart) = restart {
        restart.await?;
    }
    while let Some(ended) = running.join_next().await {
        done.add(ended?);
    }
    Ok(done)
}

/// Opens what HBase leaves closed: a region that is split or merged while its server is recovered.
pub(crate) async fn open_all(admin: &HBaseAdmin, tables: &[&str]) -> Result<(), tallrow::Error> {
    for table in tables {
        for region in admin.regions(*table).await? {
            // The master refuses it for those that are open.
            let _ = admin.assign_region(&region).await;
        }
    }
    Ok(())
}

/// Whether every region is on a server that lives, as the master has it.
pub(crate) async fn all_open(admin: &HBaseAdmin, tables: &[&str]) -> bool {
    let Ok(servers) = admin.region_servers().await else { return false };
    for table in tables {
        let Ok(regions) = admin.regions(*table).await else { return false };
        let lives = |region: &Region| servers.iter().any(|s| Some(s.as_str()) == region.server());
        if !regions.iter().all(lives) {
            return false;
        }
    }
    true
}

impl Done {
    fn add(&mut self, (moved, divided): (Step, Step)) {
        for step in [moved, divided] {
            *match step {
                Step::Moved => &mut self.moves,
                Step::Split => &mut self.splits,
                Step::Merged => &mut self.merges,
                Step::Refused => &mut self.refused,
            } += 1;
        }
    }
}

#[derive(Clone, Copy)]
enum Step {
    Moved,
    Split,
    Merged,
    Refused,
}

/// Moves a region, and splits the one with this key, or merges two.
async fn step(admin: &HBaseAdmin, table: &str, at: &str, seed: u64) -> (Step, Step) {
    let mut random = Random::new(seed, 1);
    let (Ok(regions), Ok(servers)) = (admin.regions(table).await, admin.region_servers().await)
    else {
        return (Step::Refused, Step::Refused);
    };
    if regions.is_empty() || servers.is_empty() {
        return (Step::Refused, Step::Refused);
    }
    let (region, server) = (random.pick(&regions), random.pick(&servers));
    let moved = admin.move_region(region, server).await.map(|()| Step::Moved);
    let holds = |region: &&Region| {
        region.start_key() < at.as_bytes()
            && (region.end_key().is_empty() || at.as_bytes() < region.end_key())
    };
    let divided = match regions.iter().find(holds) {
        _ if regions.len() >= REGIONS => {
            let first = random.index(regions.len() - 1);
            let two = regions.get(first..first + 2).unwrap_or_default();
            admin.merge_regions(two).await.map(|()| Step::Merged)
        }
        Some(region) => admin.split_region(region, at).await.map(|()| Step::Split),
        None => Ok(Step::Refused),
    };
    (moved.unwrap_or(Step::Refused), divided.unwrap_or(Step::Refused))
}
