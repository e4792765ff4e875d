//! Measures the cost of a row in a scan that merges buckets, and the cost of reading a single large
//! row, on a mock in this process.
//!
//! The first table of results is for the same rows with salted keys of 2, 16 and 256 buckets, and
//! with keys without a salt. `merged` reads the rows in the order of their keys, and `unordered` as
//! they arrive: the difference is the cost of merging. The second table is for one row of many
//! cells: read by a get, by a scan that puts the row together from pages, and by a scan that
//! returns the row in batches. All values are CPU times of client and mock together, the medians of
//! several rounds in turns.

use std::process::ExitCode;
use std::time::Duration;

use tallrow::{
    Client, Config, FamilyDescriptor, Put, RawTable, Result, RowKey, Scan, Table, TableDescriptor,
};
use tallrow_bench::cpu_time;

const HELP: &str = "scans: what a row costs in a scan that merges buckets, and in one large row

  scans [ROWS [CELLS]]    rows of each table (200000), and cells of the large row (400000)

  cargo run --release -p tallrow-bench --bin scans";

const ROUNDS: usize = 5;
/// The number of rows or cells that a call writes.
const AT_ONCE: u32 = 10_000;

fn numbers(arguments: &mut dyn Iterator<Item = String>) -> Result<(u32, u32), String> {
    let mut next = |default| match arguments.next().map(|text| (text.parse(), text)) {
        None => Ok(default),
        Some((Ok(number), _)) if number > 0 => Ok(number),
        Some((_, text)) => Err(format!("{text:?} is no number above 0; see --help")),
    };
    Ok((next(200_000)?, next(400_000)?))
}

#[tokio::main]
async fn main() -> ExitCode {
    let (rows, cells) = match tallrow_bench::options("scans", HELP, |args| numbers(args)) {
        Ok(numbers) => numbers,
        Err(exit) => return exit,
    };
    match measure(rows, cells).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("scans: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Defines rows whose key is a number, salted with this number of buckets.
macro_rules! bucketed {
    ($($buckets:literal $key:ident $row:ident),*) => {$(
        #[derive(RowKey)]
        #[row_key(salt(buckets = $buckets))]
        struct $key {
            number: u64,
        }

        #[derive(Table)]
        #[table(name = "scans")]
        #[family("f")]
        struct $row {
            #[key]
            key: $key,
            #[cell("f:q")]
            value: u64,
        }
    )*};
}

bucketed!(2 Key2 Row2, 16 Key16 Row16, 256 Key256 Row256);

#[derive(RowKey)]
struct Key1 {
    number: u64,
}

#[derive(Table)]
#[table(name = "scans")]
#[family("f")]
struct Row1 {
    #[key]
    key: Key1,
    #[cell("f:q")]
    value: u64,
}

/// Prints the CPU time of a row, in us, of scans that are merged and unordered.
macro_rules! buckets {
    ($name:literal, $key:ident, $row:ident, $rows:ident) => {{
        let client = Client::connect_with("mock:", patient()).await?;
        client.admin().create::<$row>().await?;
        let table = client.table::<$row>();
        for first in (0..$rows).step_by(AT_ONCE as usize) {
            let numbers = (first..$rows.min(first + AT_ONCE)).map(u64::from);
            let rows: Vec<_> =
                numbers.map(|n| $row { key: $key { number: n << 32 }, value: n }).collect();
            table.put_all(&rows).await.into_result()?;
        }
        let (mut merged, mut unordered) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            for is_merged in [true, false] {
                let scan = table.scan($key::scan());
                let scan = if is_merged { scan } else { scan.unordered() };
                let cpu = cpu_time();
                let (mut found, mut sum, mut rows) = (0, 0, scan.rows());
                while let Some(row) = rows.next_row().await? {
                    assert!(!is_merged || row.value == found, "in the order of the keys");
                    sum += row.key.number >> 32;
                    found += 1;
                }
                assert_eq!((found, sum), (u64::from($rows), sum_below($rows)), "every row once");
                let took = cpu_time().saturating_sub(cpu);
                if is_merged { &mut merged } else { &mut unordered }.push(took);
            }
        }
        let each = |took| median(took).as_secs_f64() * 1e6 / f64::from($rows);
        println!("| {} | {:.2} | {:.2} |", $name, each(merged), each(unordered));
    }};
}

async fn measure(rows: u32, cells: u32) -> Result<()> {
    println!("{rows} rows of one cell\n| buckets | merged us | unordered us |\n|---|---|---|");
    buckets!("none", Key1, Row1, rows);
    buckets!("2", Key2, Row2, rows);
    buckets!("16", Key16, Row16, rows);
    buckets!("256", Key256, Row256, rows);
    large_row(cells).await
}

async fn large_row(cells: u32) -> Result<()> {
    let client = Client::connect_with("mock:", patient()).await?;
    let table = TableDescriptor::new("large")?.family(FamilyDescriptor::new("f"));
    client.admin().create_table(&table).await?;
    let table = client.raw_table("large")?;
    for first in (0..cells).step_by(AT_ONCE as usize) {
        let numbers = first..cells.min(first + AT_ONCE);
        let put = numbers.fold(Put::new("r"), |put, n| put.cell("f", n.to_be_bytes(), "value"));
        table.put(put).await?;
    }
    println!("\na row of {cells} cells\n| read by | CPU s | us a cell |\n|---|---|---|");
    let (mut get, mut whole, mut batches) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let cpu = cpu_time();
        let row = table.get("r").await?;
        assert_eq!(row.map(|row| row.cells().len()), Some(cells as usize));
        get.push(cpu_time().saturating_sub(cpu));
        whole.push(scan(&table, Scan::all(), cells).await?);
        batches.push(scan(&table, Scan::all().batch(1_000), cells).await?);
    }
    for (name, took) in [("get", get), ("scan", whole), ("scan in batches of 1,000", batches)] {
        let took = median(took).as_secs_f64();
        println!("| {name} | {took:.3} | {:.2} |", took * 1e6 / f64::from(cells));
    }
    Ok(())
}

async fn scan(table: &RawTable, scan: Scan, cells: u32) -> Result<Duration> {
    let cpu = cpu_time();
    let (mut found, mut rows) = (0, table.scan(scan)?);
    while let Some(row) = rows.next_row().await? {
        found += row.cells().len();
    }
    assert_eq!(found, cells as usize, "every cell once");
    Ok(cpu_time().saturating_sub(cpu))
}

fn patient() -> Config {
    let minute = Duration::from_secs(60);
    Config::new().operation_timeout(minute).attempt_timeout(minute).page_timeout(minute)
}

fn sum_below(count: u32) -> u64 {
    let count = u64::from(count);
    count * (count - 1) / 2
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
