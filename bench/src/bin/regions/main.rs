//! Measures the cost of knowing where regions are.
//!
//! By default, it measures how the cost of caching the locations of regions grows with the number
//! of regions, on a mock in this process, with tables of 1,000 to 100,000 regions. `prefetch_us` is
//! the time of `Client::prefetch_regions` per region, for call, reply and cache together, and
//! `again_us` is the same when all regions are cached; both stay about the same, as with n log n.
//! `lookup_us` is the time of a get of a random row without other work, and `while_us` the time of
//! a get during a prefetch, with a lookup of its region. `bytes` is the memory that the client
//! keeps per region, including the memory that its connections needed for the replies:
//! `tests/suites/regions/memory.rs` counts a region alone.
//!
//! With `gets`, it measures the cost of the first gets of a client that has to look up the regions
//! (`gets.rs`).

mod gets;

use std::alloc::System;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tallrow::{Client, Config, FamilyDescriptor, RawTable, TableDescriptor};

use gets::Gets;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const GETS: u32 = 5_000;

/// Returns the first row of a region; the regions divide the 32-bit numbers evenly.
fn row(region: u32, of: u32) -> [u8; 4] {
    let row = u64::from(region) * (1 << 32) / u64::from(of);
    u32::try_from(row).unwrap_or(u32::MAX).to_be_bytes()
}

const HELP: &str = "regions: what it costs to know where a table's regions are

  regions [NUMBER ..]                              numbers of regions  (1000 10000 40000 100000)
  regions gets [REGIONS [GETS [TASKS [ADDRESS]]]]  (10000 20000 64 mock:)

The first caches the locations of whole tables, on a mock in this process: a row for each; what its columns are is in the
source. The second gets random rows by a client that knows no region, by one that knows all, and by one that has them from a
file.

  cargo run --release -p tallrow-bench --bin regions";

enum Work {
    Sizes(Vec<u32>),
    Gets(Gets),
}

fn work(arguments: &mut dyn Iterator<Item = String>) -> Result<Work, String> {
    let number = |text: String| match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("{text:?} is no number above 0; see --help")),
    };
    let mut arguments = arguments.peekable();
    if arguments.next_if(|first| first == "gets").is_some() {
        let mut next = |default| arguments.next().map_or(Ok(default), number);
        let (regions, gets, tasks) = (next(10_000)?, next(20_000)?, next(64)?);
        let address = arguments.next().unwrap_or_else(|| "mock:".to_owned());
        return Ok(Work::Gets(Gets { regions, gets, tasks, address }));
    }
    let sizes = arguments.map(number).collect::<Result<Vec<_>, _>>()?;
    Ok(Work::Sizes(if sizes.is_empty() { vec![1_000, 10_000, 40_000, 100_000] } else { sizes }))
}

fn patient() -> Config {
    let minute = Duration::from_secs(60);
    Config::new().operation_timeout(minute).attempt_timeout(minute).admin_timeout(10 * minute)
}

#[tokio::main]
async fn main() -> ExitCode {
    let done = match tallrow_bench::options("regions", HELP, |args| work(args)) {
        Ok(Work::Gets(gets)) => gets::measure(&gets).await,
        Ok(Work::Sizes(sizes)) => measure_all(sizes).await,
        Err(exit) => return exit,
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("regions: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn measure_all(sizes: Vec<u32>) -> tallrow::Result<()> {
    println!(
        "| regions | create s | prefetch s | prefetch_us | again_us | lookup_us | while_us | bytes |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for regions in sizes {
        measure(regions).await?;
    }
    Ok(())
}

async fn measure(regions: u32) -> tallrow::Result<()> {
    let client = Client::connect_with("mock:", patient()).await?;
    let splits = (1..regions).map(|region| row(region, regions));
    let table = TableDescriptor::new("regions")?.family(FamilyDescriptor::new("f")).splits(splits);
    let started = Instant::now();
    client.admin().create_table(&table).await?;
    let created = started.elapsed();

    let memory = Region::new(ALLOCATOR);
    let first = prefetch(&client).await?;
    let stats = memory.change();
    let kept = stats.bytes_allocated.saturating_sub(stats.bytes_deallocated);
    let again = prefetch(&client).await?;

    let raw = client.raw_table("regions")?;
    let alone = get(&raw, regions).await?;
    let prefetching = tokio::spawn(async move {
        loop {
            if let Err(error) = prefetch(&client).await {
                return error;
            }
        }
    });
    let meanwhile = get(&raw, regions).await?;
    prefetching.abort();
    let each = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(regions);
    println!(
        "| {regions} | {:.2} | {:.2} | {:.2} | {:.2} | {:.1} | {:.1} | {} |",
        created.as_secs_f64(),
        first.as_secs_f64(),
        each(first),
        each(again),
        alone.as_secs_f64() * 1e6 / f64::from(GETS),
        meanwhile.as_secs_f64() * 1e6 / f64::from(GETS),
        kept / regions as usize,
    );
    Ok(())
}

async fn prefetch(client: &Client) -> tallrow::Result<Duration> {
    let started = Instant::now();
    client.prefetch_regions("regions").await?;
    Ok(started.elapsed())
}

/// Gets rows of regions all over the table, one by one.
async fn get(table: &RawTable, regions: u32) -> tallrow::Result<Duration> {
    let started = Instant::now();
    for n in 0..GETS {
        table.get(&row(n.wrapping_mul(0x9E37_79B9) % regions, regions)[..]).await?;
    }
    Ok(started.elapsed())
}
