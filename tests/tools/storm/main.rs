//! A load on three region servers whose regions move and split every second, while a server is
//! killed every 45 seconds: with Tallrow, and beside it with the Java client on a table of its own.
//!
//! See README.md for how to run it and read its output.

mod disturbance;
mod history;
mod java;
mod load;
mod outages;
mod rows;
mod times;

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tallrow::{Client, Config, FamilyDescriptor, RawTable, TableDescriptor};
use tallrow_tests::{Hbase, until};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use history::History;
use java::Java;
use load::Load;
use outages::{Delay, Outages};
use rows::PREFIXES;

const USAGE: &str = "usage: storm [--minutes N] [--kill-every SECONDS] [--java COMMAND]";

const TALLROW: &str = "storm_tallrow";
const JAVA: &str = "storm_java";
/// After how many checks the regions that are not open are assigned again: 10 s.
const ASSIGN_AGAIN: u32 = 200;

/// The number of ms from a row being readable again to the client's first read of it above which
/// the read is late.
const LATE: u64 = 1_000;
/// The share of late reads that is never a failure: the machine itself delays some.
const LATE_SHARE: f64 = 0.01;

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("storm: {why}");
            ExitCode::from(2)
        }
    }
}

async fn run() -> Result<bool, Box<dyn Error>> {
    let (mut minutes, mut kill_every, mut java) = (6.0, 45, None);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value\n{USAGE}"));
        match word.as_str() {
            "--minutes" => minutes = value()?.parse()?,
            "--kill-every" => kill_every = value()?.parse()?,
            "--java" => java = Some(value()?),
            _ => return Err(USAGE.into()),
        }
    }
    let tables: &[&str] = if java.is_some() { &[TALLROW, JAVA] } else { &[TALLROW] };
    let cluster = Arc::new(Hbase::up("storm", 3));
    let history = History::default();
    let client = history.clone().connect(&cluster.zookeeper).await?;
    for table in tables {
        let descriptor = TableDescriptor::new(*table)?.family(FamilyDescriptor::new("f"));
        client.admin().create_table_with_splits(&descriptor, rows::splits()).await?;
        load::fill(&client.raw_table(*table)?).await?;
    }

    let load = Load::start(&client.raw_table(TALLROW)?, &history);
    let java = java.map(|command| Java::start(&command, JAVA, cluster.dir())).transpose()?;
    let prober = Prober::start(&cluster.zookeeper, tables).await?;
    let times = (Duration::from_secs_f64(60.0 * minutes), Duration::from_secs(kill_every));
    let put = load.put.clone();
    let count = move |prefix: usize| put.get(prefix).map_or(0, |put| put.load(Ordering::Relaxed));
    let done = disturbance::disturb(&cluster, tables, times, count).await?;
    println!("{done}");
    let hbase = client.admin().hbase()?;
    // The cluster is left alone until all regions are open. A procedure that holds a region may end
    // after the region was assigned, so that it is assigned again.
    let mut checks = 0_u32;
    until("all regions are open", async || {
        // The server of hbase:meta may be the one that was killed last.
        if checks.is_multiple_of(ASSIGN_AGAIN) {
            let _ = disturbance::open_all(&hbase, tables).await;
        }
        checks += 1;
        disturbance::all_open(&hbase, tables).await
    })
    .await;

    let metrics = client.metrics();
    let (tally, outages) = load.end().await?;
    let mut seen = prober.end().await?.into_iter();
    let delays = outages::delays(&seen.next().unwrap_or_default(), &outages);
    println!(
        "tallrow: {} acknowledged, {} unknown, {} failed; missing {}, counters off by {}, reads wrong {}, scans wrong {} of {}",
        tally.acknowledged,
        tally.unknown,
        tally.failed,
        tally.missing,
        tally.counters_off,
        tally.reads_wrong,
        tally.scans_wrong,
        tally.scans
    );
    println!("tallrow: {}", tally.times);
    println!("tallrow: {}", told(&delays));
    for Delay { ms, prefix, end } in delays.iter().filter(|delay| delay.ms > LATE) {
        let row = rows::fixed(*prefix, load::READ);
        let read = history.ended(&row, *end).unwrap_or_default();
        println!("tallrow: {ms} ms late: {read}");
    }
    println!("tallrow: retries {:?}", metrics.retries);
    let mut allowed = LATE_SHARE;
    if let Some(java) = java {
        let (report, outages) =
            tokio::task::spawn_blocking(move || java.end().map_err(|e| e.to_string())).await??;
        report.iter().for_each(|line| println!("java: {line}"));
        let delays = outages::delays(&seen.next().unwrap_or_default(), &outages);
        println!("java: {}", told(&delays));
        // What delays the Java client too is a delay of the servers or of the machine.
        allowed = allowed.max(late_share(&delays));
    }
    let wrong = tally.missing + tally.reads_wrong + tally.scans_wrong;
    Ok(wrong == 0 && tally.counters_off == 0 && late_share(&delays) <= allowed)
}

/// The share of the outages after which a read was late.
fn late_share(delays: &[Delay]) -> f64 {
    let late = delays.iter().filter(|delay| delay.ms > LATE).count();
    late as f64 / delays.len().max(1) as f64
}

fn told(delays: &[Delay]) -> String {
    let median = delays.get(delays.len() / 2).map_or(0, |delay| delay.ms);
    let longest = delays.last().map_or(0, |delay| delay.ms);
    let late = delays.iter().filter(|delay| delay.ms > LATE).count();
    format!(
        "first success after a row could be read again: {} outages, median {median} ms, longest {longest} ms, {late} over {LATE} ms",
        delays.len()
    )
}

/// Reads a row of each prefix again and again with short deadlines, by a client of its own, to see
/// when it can be read.
struct Prober {
    stop: Arc<AtomicBool>,
    tasks: Vec<Vec<JoinHandle<Outages>>>,
}

impl Prober {
    async fn start(url: &str, tables: &[&str]) -> Result<Self, Box<dyn Error>> {
        let config = Config::new()
            .attempt_timeout(Duration::from_millis(200))
            .operation_timeout(Duration::from_millis(300))
            .connect_timeout(Duration::from_millis(200))
            .failed_server_expiry(Duration::from_millis(20))
            .pause(Duration::from_millis(5));
        let client = Client::connect_with(url, config).await?;
        let stop = Arc::new(AtomicBool::new(false));
        let mut tasks = Vec::new();
        for table in tables {
            let table = client.raw_table(*table)?;
            let probe = |prefix| tokio::spawn(probe(table.clone(), prefix, stop.clone()));
            tasks.push((0..PREFIXES).map(probe).collect());
        }
        Ok(Self { stop, tasks })
    }

    async fn end(self) -> Result<Vec<Vec<Outages>>, Box<dyn Error>> {
        self.stop.store(true, Ordering::Relaxed);
        let mut all = Vec::new();
        for tasks in self.tasks {
            let mut of_table = Vec::new();
            for task in tasks {
                of_table.push(task.await?);
            }
            all.push(of_table);
        }
        Ok(all)
    }
}

async fn probe(table: RawTable, prefix: usize, stop: Arc<AtomicBool>) -> Outages {
    let mut outages = Outages::default();
    while !stop.load(Ordering::Relaxed) {
        if table.get(rows::fixed(prefix, 1)).await.is_ok() {
            outages.success();
        }
        sleep(Duration::from_millis(20)).await;
    }
    outages.finish()
}
