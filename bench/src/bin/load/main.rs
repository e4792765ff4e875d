//! Runs a load with the same stages, keys and output as the load programs of other clients, so that
//! they can run at the same time.
//!
//! Row keys are 16 bytes: the row's number times 0x9E3779B97F4A7C15, then the number. The table has
//! four regions; values of `--value` bytes are in column `f:q`, and counters in `f:c`.
//!
//! The stages `tput`, `tget` and `tscan` do the same as `put`, `get` and `scan`, but through
//! `#[derive(Table)]`, and in turns with those. When `get` is compared with `tget`, it selects the
//! column too.

mod observe;
mod typed;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tallrow::{
    Client, Config, FamilyDescriptor, Get, Increment, Put, RawTable, Result, Scan, Table,
    TableDescriptor, TypedTable,
};
use tallrow_bench::{Stage, cpu_time, peak_memory_mb, report};
use typed::Sample;

/// The number of scans of the table, with a line for each.
const SCANS: usize = 3;

const HELP: &str = "load: times operations on a cluster, one line for each stage

  --url URL      hbase+zk://.., hbase+rpc://.., mock: or  (mock:)
                 bigtable://.. (feature bigtable)
  --n N          operations of the large stages            (200000)
  --conc C       concurrent operations                     (64)
  --value BYTES  size of a value                           (100)
  --table NAME   the table, created again; the typed       (bench_tallrow)
                 stages need the default name
  --ops LIST     put,tput,get,tget,get1,inc,batchput,      (all of them, warm first)
                 batchget,writer,scan,tscan,warm; a stage and
                 its typed one after it run in turns
  --keep         use the existing table
  --observe WHO  nobody, refused or spans: who listens     (nobody)
                 to spans (feature tracing)

A line: client=tallrow op=.. n=.. ops_s=.. cpu_us_op=.. p50_us=.. p99_us=.. p999_us=.. err=..
cpu_us_op is the CPU time of this process (user and system) per operation; with mock: it includes the server.

  cargo run --release -p tallrow-bench --bin load -- --url mock: --n 20000
  cargo run --release -p tallrow-bench --bin load -- --url hbase+zk://127.0.0.1:2181 --ops put,get,scan";

struct Options {
    url: String,
    count: u64,
    concurrency: u64,
    value: usize,
    table: String,
    stages: Vec<String>,
    keep: bool,
    observe: String,
}

impl Options {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            url: "mock:".into(),
            count: 200_000,
            concurrency: 64,
            value: 100,
            table: Sample::TABLE.into(),
            stages: "warm,put,tput,get,tget,get1,inc,batchput,batchget,writer,scan,tscan"
                .split(',')
                .map(str::to_owned)
                .collect(),
            keep: false,
            observe: "nobody".into(),
        };
        while let Some(flag) = args.next() {
            if flag == "--keep" {
                options.keep = true;
                continue;
            }
            let value = args.next().ok_or_else(|| format!("{flag} needs a value; see --help"))?;
            let number = || value.parse::<u64>().map_err(|e| format!("{flag} {value:?}: {e}"));
            match flag.as_str() {
                "--url" => options.url = value,
                "--n" => options.count = number()?.max(1),
                "--conc" => options.concurrency = number()?.max(1),
                "--value" => options.value = number()? as usize,
                "--table" => options.table = value,
                "--observe" => options.observe = value,
                "--ops" => options.stages = value.split(',').map(str::to_owned).collect(),
                _ => return Err(format!("unknown flag {flag}; see --help")),
            }
        }
        Ok(options)
    }
}

/// Distributes numbers over all row keys.
fn spread(i: u64) -> u64 {
    i.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

fn key(i: u64) -> [u8; 16] {
    let mut key = [0; 16];
    key[..8].copy_from_slice(&spread(i).to_be_bytes());
    key[8..].copy_from_slice(&i.to_be_bytes());
    key
}

/// Returns bytes that do not compress, and that are the same in each run.
fn value(len: usize) -> Vec<u8> {
    let mut state = 1u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..len).map(|_| next()).collect()
}

async fn make_table(client: &Client, name: &str) -> Result<()> {
    let admin = client.admin();
    if admin.table_exists(name).await? {
        if let Ok(hbase) = admin.hbase()
            && hbase.is_table_enabled(name).await?
        {
            hbase.disable_table(name).await?;
        }
        admin.delete_table(name).await?;
    }
    let table = TableDescriptor::new(name)?.family(FamilyDescriptor::new("f"));
    admin.create_table_with_splits(&table, [[64], [128], [192]]).await
}

async fn run(options: Options) -> Result<u64> {
    observe::listen(&options.observe);
    let start = Instant::now();
    // A server on a busy machine may pause for long; with long timeouts, only permanent failures
    // count.
    let minute = Duration::from_secs(60);
    let config = Config::new().operation_timeout(minute).attempt_timeout(minute / 2);
    let client = Client::connect_with(&options.url, config).await?;
    if !options.keep {
        make_table(&client, &options.table).await?;
    }
    println!("client=tallrow op=connect_create ms={}", start.elapsed().as_millis());
    let table = client.raw_table(&options.table)?;
    let mut failed = 0;
    let typed = client.table::<Sample>();
    let mut stages = options.stages.iter().map(String::as_str).peekable();
    while let Some(stage) = stages.next() {
        let with_typed = stages.next_if(|next| next.strip_prefix('t') == Some(stage)).is_some();
        failed += run_stage(stage, with_typed, &table, &typed, &options).await?;
    }
    println!("client=tallrow op=rss peak_mb={}", peak_memory_mb());
    Ok(failed)
}

async fn run_stage(
    stage: &str,
    with_typed: bool,
    table: &RawTable,
    typed: &TypedTable<Sample>,
    options: &Options,
) -> Result<u64> {
    const BATCH: u64 = 100;
    let n = options.count;
    let value: Arc<[u8]> = value(options.value).into();
    let singles = |name, count| Stage { name, count, concurrency: options.concurrency };
    let batches = |name| Stage { name, count: (n / BATCH).max(1), concurrency: 8 };
    let put = |table: RawTable, value: Arc<[u8]>| {
        move |i| {
            let (table, value) = (table.clone(), value.clone());
            async move { table.put(Put::new(key(i)).cell("f", "q", &value)).await }
        }
    };
    let get = |table: RawTable| {
        move |i: u64| {
            let table = table.clone();
            let get = Get::new(key(i.wrapping_mul(7919) % n));
            // A get that is compared with a typed row selects the same column.
            let get = if with_typed { get.column("f", "q") } else { get };
            async move { table.get(get).await.map(drop) }
        }
    };
    let typed_put = |value: Arc<[u8]>| {
        let table = typed.clone();
        move |i| {
            let (table, value) = (table.clone(), value.clone());
            async move { typed::put(&table, i, &value).await }
        }
    };
    let typed_get = {
        let table = typed.clone();
        move |i: u64| {
            let table = table.clone();
            async move { typed::get(&table, i.wrapping_mul(7919) % n).await }
        }
    };
    let table = table.clone();
    Ok(match stage {
        "warm" => {
            let puts = singles("warm", n / 4).run(put(table.clone(), value)).await;
            puts + singles("warmget", n / 4).run(get(table)).await
        }
        "put" if with_typed => {
            let other = typed_put(value.clone());
            singles("put", n).run_in_turns(put(table, value), "tput", other).await
        }
        "put" => singles("put", n).run(put(table, value)).await,
        "tput" => singles("tput", n).run(typed_put(value)).await,
        "get" if with_typed => singles("get", n).run_in_turns(get(table), "tget", typed_get).await,
        "get" => singles("get", n).run(get(table)).await,
        "tget" => singles("tget", n).run(typed_get).await,
        "get1" => Stage { concurrency: 1, ..singles("get1", n / 10) }.run(get(table)).await,
        "inc" => {
            let increment = move |i: u64| {
                let table = table.clone();
                async move {
                    table.increment(Increment::new(key(i % 1000)).add("f", "c", 1)).await.map(drop)
                }
            };
            singles("inc", n / 2).run(increment).await
        }
        "batchput" => {
            let puts = move |i: u64| {
                let (table, value) = (table.clone(), value.clone());
                async move {
                    let puts = (i * BATCH..(i + 1) * BATCH)
                        .map(|j| Put::new(key(j)).cell("f", "q", &value));
                    table.put_all(puts).await.into_result().map(drop)
                }
            };
            batches("batchput").run(puts).await
        }
        "batchget" => {
            let gets = move |i: u64| {
                let table = table.clone();
                async move {
                    let gets = (i * BATCH..(i + 1) * BATCH)
                        .map(|j| Get::new(key(j.wrapping_mul(7919) % n)));
                    table.get_all(gets).await.into_result().map(drop)
                }
            };
            batches("batchget").run(gets).await
        }
        "writer" => write_all(&table, n, &value).await?,
        "scan" | "tscan" => {
            for _ in 0..SCANS {
                if stage == "scan" {
                    scan(&table, options.value).await?;
                }
                if stage == "tscan" || with_typed {
                    typed::scan(typed, options.value).await?;
                }
            }
            0
        }
        other => {
            eprintln!("there is no stage {other:?}; see --help");
            1
        }
    })
}

/// Puts all rows through a buffered writer, and returns how many puts failed.
async fn write_all(table: &RawTable, count: u64, value: &[u8]) -> Result<u64> {
    let (cpu, start) = (cpu_time(), Instant::now());
    let writer = table.writer().start()?;
    for i in 0..count {
        writer.write(Put::new(key(i)).cell("f", "q", value)).await?;
    }
    let closed = writer.close(Duration::from_secs(60)).await;
    let failed = (closed.failed.len() + closed.unsent.len()) as u64;
    report("writer", count, start.elapsed(), cpu_time().saturating_sub(cpu), None, failed);
    Ok(failed)
}

async fn scan(table: &RawTable, value_len: usize) -> Result<()> {
    let (cpu, start) = (cpu_time(), Instant::now());
    let mut rows = table.scan(Scan::all().column("f", "q"))?;
    let (mut count, mut wrong) = (0, 0);
    while let Some(row) = rows.next_row().await? {
        count += 1;
        wrong += u64::from(row.cells()[0].value().len() != value_len);
    }
    report("scan", count, start.elapsed(), cpu_time().saturating_sub(cpu), None, wrong);
    Ok(())
}

#[tokio::main]
async fn main() -> ExitCode {
    let options = match tallrow_bench::options("load", HELP, |arguments| Options::parse(arguments))
    {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    match run(options).await {
        Ok(0) => ExitCode::SUCCESS,
        Ok(failed) => {
            eprintln!("load: {failed} operations failed");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("load: {error:?}");
            ExitCode::FAILURE
        }
    }
}
