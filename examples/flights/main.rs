//! All flights that left New York in 2013, loaded into three tables and queried.
//!
//! Every answer is checked against the CSV file. README.md describes where the file comes from;
//! `fetch` downloads all 336,776 lines of it.
//!
//! Run: `cargo run --example flights` loads the committed sample into a mock cluster inside the
//! program; `-- --csv flights.csv --url hbase+zk://localhost:2181/hbase` loads the whole file into
//! a real cluster, and `--url bigtable://project/instance` loads it into Bigtable. It prints:
//!
//! ```text
//! digest of all answers: bfc8cd7c231534dd
//! 452 rows loaded, 357 answers and 893 rows checked, 0 wrong
//! ```

mod answers;
mod arguments;
mod ask;
mod check;
mod csv;
mod day;
mod digest;
mod expected;
mod load;
mod progress;
mod tables;

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tallrow::{Client, Config, DeliveryGuarantee};

use crate::arguments::{Arguments, Request};
use crate::check::Verdict;
use crate::expected::Expected;
use crate::tables::Tables;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = match Arguments::parse(std::env::args().skip(1)) {
        Ok(Request::Run(arguments)) => arguments,
        Ok(Request::Help) => {
            print!("{}", arguments::HELP);
            return ExitCode::SUCCESS;
        }
        Err(why) => {
            eprintln!("error: {why}\n\n{}", arguments::HELP);
            return ExitCode::from(2);
        }
    };
    match run(&arguments).await {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {}", chain(&*error));
            ExitCode::FAILURE
        }
    }
}

/// Loads, queries and checks; returns the number of wrong answers.
async fn run(arguments: &Arguments) -> Result<usize, Box<dyn Error>> {
    let flights: Arc<[_]> = csv::read(&arguments.csv)?.into();
    let client = Client::connect_with(&arguments.url, patient()).await?;
    let tables = Tables::of(&client);

    let loaded = if arguments.load {
        tables::create(&client, &flights).await?;
        let started = Instant::now();
        load::all(&tables, flights.clone(), arguments.concurrency).await?;
        let seconds = started.elapsed().as_secs_f64();
        eprintln!("loaded in {seconds:.1} s, {:.0} rows/s", flights.len() as f64 / seconds);
        flights.len()
    } else {
        0
    };

    let started = Instant::now();
    let verdict = check::all(&tables, &Expected::of(&flights), arguments.concurrency).await?;
    eprintln!("checked in {:.1} s", started.elapsed().as_secs_f64());
    if !arguments.keep {
        tables::drop_all(&client).await?;
    }
    println!("digest of all answers: {}", verdict.digest);
    let Verdict { answers, rows, wrong, .. } = verdict;
    println!("{loaded} rows loaded, {answers} answers and {rows} rows checked, {wrong} wrong");
    Ok(wrong)
}

/// Returns timeouts that are long enough for a region server to die and its regions to open
/// elsewhere. No other program writes these rows, so it does no harm to write a row twice.
fn patient() -> Config {
    Config::new()
        .delivery(DeliveryGuarantee::AtLeastOnce)
        .operation_timeout(Duration::from_secs(600))
        .attempt_timeout(Duration::from_secs(30))
        .page_timeout(Duration::from_secs(600))
}

fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
