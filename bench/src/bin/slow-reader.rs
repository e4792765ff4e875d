//! Measures what a scan holds in memory while its reader is slow, on a mock in this process.
//!
//! The same table is read three times: without pauses, by a reader that pauses, and by a reader
//! that pauses while several regions are read in parallel. `peak_kib` is the peak of the memory
//! that was allocated during the scan in addition to the memory before it, including the mock's
//! replies: it depends on `prefetch_bytes` and not on the number of rows. `pauses s` is how long
//! the reader paused on purpose, `rest us` is the time per row without these pauses, and `cpu us`
//! is the CPU time per row of client and mock together.

use std::alloc::System;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tallrow::{Client, Config, FamilyDescriptor, Put, RawTable, Scan, TableDescriptor};
use tallrow_bench::cpu_time;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const REGIONS: u32 = 16;
/// How often a slow reader pauses.
const PAUSES: u32 = 100;
/// The number of rows that are read between two measurements of the memory.
const LOOK: u32 = 512;

const HELP: &str =
    "slow-reader: what a scan holds in memory while its reader is slow, on a mock in this process

  slow-reader [ROWS [MS]]    rows of the table (1000000), and how long each of 100 pauses is (100)

10000000 rows take about 1.2 GB, nearly all of them the table. What the columns are is in the source.

  cargo run --release -p tallrow-bench --bin slow-reader -- 10000000";

fn numbers(arguments: &mut dyn Iterator<Item = String>) -> Result<(u32, u64), String> {
    let mut next = |default: u64| match arguments.next() {
        None => Ok(default),
        Some(text) => text.parse().map_err(|_| format!("{text:?} is no number; see --help")),
    };
    let (rows, pause) = (next(1_000_000)?, next(100)?);
    let rows = u32::try_from(rows).ok().filter(|rows| *rows >= PAUSES);
    Ok((rows.ok_or("at least 100 rows, and no more than 4 billion; see --help")?, pause))
}

#[tokio::main]
async fn main() -> ExitCode {
    let (rows, pause) = match tallrow_bench::options("slow-reader", HELP, |args| numbers(args)) {
        Ok(numbers) => numbers,
        Err(exit) => return exit,
    };
    match measure(rows, Duration::from_millis(pause)).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("slow-reader: {error}");
            ExitCode::FAILURE
        }
    }
}

fn key(row: u32, of: u32) -> [u8; 4] {
    let row = u64::from(row) * (1 << 32) / u64::from(of);
    u32::try_from(row).unwrap_or(u32::MAX).to_be_bytes()
}

async fn measure(rows: u32, pause: Duration) -> tallrow::Result<()> {
    let minute = Duration::from_secs(60);
    let config = Config::new().operation_timeout(minute).attempt_timeout(minute);
    let client = Client::connect_with("mock:", config).await?;
    let splits = (1..REGIONS).map(|region| key(region, REGIONS));
    let table = TableDescriptor::new("t")?.family(FamilyDescriptor::new("f")).splits(splits);
    client.admin().create_table(&table).await?;
    let table = client.raw_table("t")?;
    let mut next = 0;
    while next < rows {
        let end = rows.min(next + 10_000);
        let puts =
            (next..end).map(|row| Put::new(key(row, rows)).cell("f", "q", row.to_be_bytes()));
        table.put_all(puts).await.into_result()?;
        next = end;
    }
    println!(
        "| reader | rows | seconds | pauses s | rest us | cpu us | calls | renewals | peak_kib |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    read("at once", &table, Scan::all(), rows, Duration::ZERO).await?;
    read("slow", &table, Scan::all(), rows, pause).await?;
    read("slow, 4 regions", &table, Scan::all().parallel(4), rows, pause).await
}

async fn read(
    reader: &str,
    table: &RawTable,
    scan: Scan,
    expected: u32,
    pause: Duration,
) -> tallrow::Result<()> {
    let memory = Region::new(ALLOCATOR);
    let (started, cpu) = (Instant::now(), cpu_time());
    let mut stream = table.scan(scan)?;
    let (mut rows, mut peak, mut paused) = (0, 0, Duration::ZERO);
    while let Some(row) = stream.next_row().await? {
        assert_eq!(row.key(), key(rows, expected), "every row comes once, in order");
        rows += 1;
        if rows % LOOK == 0 {
            let stats = memory.change();
            peak = peak.max(stats.bytes_allocated.saturating_sub(stats.bytes_deallocated));
        }
        if rows % (expected / PAUSES) == 0 && !pause.is_zero() {
            let since = Instant::now();
            tokio::time::sleep(pause).await;
            paused += since.elapsed();
        }
    }
    assert_eq!(rows, expected, "every row comes");
    let (took, metrics) = (started.elapsed(), stream.metrics());
    let cpu = cpu_time().saturating_sub(cpu).as_secs_f64() * 1e6 / f64::from(rows);
    let rest = took.saturating_sub(paused).as_secs_f64() * 1e6 / f64::from(rows);
    println!(
        "| {reader} | {rows} | {:.2} | {:.2} | {rest:.2} | {cpu:.2} | {} | {} | {} |",
        took.as_secs_f64(),
        paused.as_secs_f64(),
        metrics.calls,
        metrics.renewals,
        peak >> 10,
    );
    Ok(())
}
