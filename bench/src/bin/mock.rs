//! Measures the mock cluster itself: how fast it starts, and how much memory it takes.

use std::cmp::Ordering;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor};
use tallrow_bench::{Program, memory_kib_of, own_memory_kib_of};
use tallrow_mock::MockCluster;

const HELP: &str = "mock: how fast the mock cluster starts, and how much memory it takes

  mock [STARTS [ROWS [TABLES [RUNS]]]]    how often it is started (21), rows of the large table
                                          (1000000), tables that are created, filled and dropped
                                          (1000), in how many processes (5)

The program tallrow-mock is started from the folder of this program. The medians of the starts are
in milliseconds, until the ready line and until a client has an answer through ZooKeeper. The memory
is the resident memory of the process (VmRSS), and its own part what is not pages of files
(RssAnon): of the program and of libraries, the kernel maps more or fewer pages from run to run. How
much the memory grows over the tables is counted from the tenth table on, when servers and
connections have the buffers that they need.

  cargo build --release -p tallrow-bench -p tallrow-mock --bins --features tallrow-mock/control
  target/release/mock";

/// The rows that a batch puts.
const BATCH: u32 = 10_000;
/// The tables after which each server and each connection has the buffers that it needs.
const FIRST_TABLES: u32 = 10;
/// The rows of each table that is dropped again.
const ROWS_OF_A_TABLE: u32 = 1_000;

struct Counts {
    starts: u32,
    rows: u32,
    tables: u32,
    runs: u32,
}

fn counts(arguments: &mut dyn Iterator<Item = String>) -> Result<Counts, String> {
    let mut next = |default: u32| match arguments.next() {
        None => Ok(default),
        Some(text) => match text.parse() {
            Ok(0) | Err(_) => Err(format!("{text:?} is no number above 0; see --help")),
            Ok(number) => Ok(number),
        },
    };
    let (starts, rows) = (next(21)?, next(1_000_000)?);
    Ok(Counts { starts, rows, tables: next(1_000)?, runs: next(5)? })
}

#[tokio::main]
async fn main() -> ExitCode {
    let counts = match tallrow_bench::options("mock", HELP, |args| counts(args)) {
        Ok(counts) => counts,
        Err(exit) => return exit,
    };
    match measure(&counts).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mock: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Starts the program `tallrow-mock`, and returns it with the URL for clients.
fn start() -> Result<(Program, String), String> {
    let program = std::env::current_exe().map_err(|e| format!("where this program is: {e}"))?;
    let mut command = Command::new(program.with_file_name("tallrow-mock"));
    let mock = Program::start(command.args(["--zk-port", "0"]), "hbase_zk")
        .map_err(|e| format!("{e}; --help says how it is built"))?;
    let url = format!("hbase+zk://{}/hbase", mock.address());
    Ok((mock, url))
}

/// Connects a client, and lets a region server answer it once.
async fn first_answer(url: &str) -> Result<(), tallrow::Error> {
    let client = Client::connect(url).await?;
    client.admin().table_exists("hbase:meta").await?;
    Ok(())
}

fn median<T: Copy + PartialOrd>(mut values: Vec<T>) -> Option<T> {
    values.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    values.get(values.len() / 2).copied()
}

/// Returns the median of times in ms.
fn median_ms(times: Vec<Duration>) -> f64 {
    median(times).unwrap_or_default().as_secs_f64() * 1e3
}

async fn measure(counts: &Counts) -> Result<(), Box<dyn std::error::Error>> {
    let (mut ready, mut answered, mut in_process) = (Vec::new(), Vec::new(), Vec::new());
    let (mut resident, mut own) = (Vec::new(), Vec::new());
    for _ in 0..counts.starts {
        let begun = Instant::now();
        let (mock, url) = start()?;
        ready.push(begun.elapsed());
        first_answer(&url).await?;
        answered.push(begun.elapsed());
        resident.push(memory_kib_of(mock.id()));
        own.push(own_memory_kib_of(mock.id()));

        let begun = Instant::now();
        let mock = MockCluster::start().await?;
        first_answer(&mock.url()).await?;
        in_process.push(begun.elapsed());
    }
    println!("| measured | |");
    println!("|---|--:|");
    println!("| program until its ready line, ms | {:.2} |", median_ms(ready));
    println!("| program until the first answer, ms | {:.2} |", median_ms(answered));
    println!("| in this process until the first answer, ms | {:.2} |", median_ms(in_process));
    println!("| memory after the first answer, KiB | {} |", median(resident).unwrap_or(0));
    println!("| its own part of it, KiB | {} |", median(own).unwrap_or(0));
    rows(counts.rows).await?;
    tables(counts.tables, counts.runs).await
}

/// Puts `rows` rows of one cell with a value of 100 bytes into a new table.
async fn fill(client: &Client, name: &str, rows: u32) -> Result<(), tallrow::Error> {
    let table = TableDescriptor::new(name)?.family(FamilyDescriptor::new("f"));
    client.admin().create_table(&table).await?;
    let table = client.raw_table(name)?;
    for first in (0..rows).step_by(BATCH as usize) {
        let puts = (first..rows.min(first + BATCH))
            .map(|row| Put::new(format!("row-{row:012}")).cell("f", "q", [7; 100]));
        table.put_all(puts).await.into_result()?;
    }
    Ok(())
}

async fn rows(rows: u32) -> Result<(), Box<dyn std::error::Error>> {
    let (mock, url) = start()?;
    let client = Client::connect(&url).await?;
    fill(&client, "before", BATCH).await?;
    let before = memory_kib_of(mock.id());
    fill(&client, "rows", rows).await?;
    let bytes = memory_kib_of(mock.id()).saturating_sub(before) * 1024;
    println!(
        "| memory of a row with a key of 16 and a value of 100 bytes, bytes | {} |",
        bytes / u64::from(rows)
    );
    Ok(())
}

/// Creates, fills and drops tables in new processes, and prints how much their memory grows.
async fn tables(tables: u32, runs: u32) -> Result<(), Box<dyn std::error::Error>> {
    let (mut before, mut after, mut growth) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..runs {
        let (first, last) = dropped_tables(tables).await?;
        before.push(first);
        after.push(last);
        growth.push((last as f64 / first.max(1) as f64 - 1.0) * 100.0);
    }
    let largest = growth.iter().copied().fold(f64::MIN, f64::max);
    println!(
        "| memory after {FIRST_TABLES} tables of {ROWS_OF_A_TABLE} rows are dropped, KiB | {} |",
        median(before).unwrap_or(0)
    );
    println!(
        "| memory after {tables} such tables are dropped, KiB | {} |",
        median(after).unwrap_or(0)
    );
    println!("| growth in between, % | {:.1} |", median(growth).unwrap_or(0.0));
    println!("| largest growth of {runs} runs, % | {largest:.1} |");
    Ok(())
}

/// Returns the memory of a new process after the first tables were dropped and after all were, in
/// KiB.
async fn dropped_tables(tables: u32) -> Result<(u64, u64), Box<dyn std::error::Error>> {
    let (mock, url) = start()?;
    let client = Client::connect(&url).await?;
    let mut after_first = 0;
    for i in 0..tables {
        let name = format!("t{i}");
        fill(&client, &name, ROWS_OF_A_TABLE).await?;
        client.admin().hbase()?.disable_table(name.as_str()).await?;
        client.admin().delete_table(name.as_str()).await?;
        if i == FIRST_TABLES.min(tables) - 1 {
            after_first = memory_kib_of(mock.id());
        }
    }
    Ok((after_first, memory_kib_of(mock.id())))
}
