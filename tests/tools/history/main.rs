//! Tasks get, put, delete, check and add on a few rows of a disturbed cluster. Every call is
//! logged, and the checker decides whether the log is linearizable.
//!
//! See README.md for how to run it and read its output.

mod arguments;
mod checker;
mod delivery;
mod fault_plan;
mod load;
mod log;
mod mock;
mod real;
mod rows;
mod table;

use std::process::ExitCode;
use std::time::Instant;

use arguments::{Arguments, Target};
use checker::Checker;
use delivery::DeliveryGuarantee;

/// The number of logs that are checked at a time.
const BATCH: usize = 10;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("history: {why}");
            ExitCode::from(2)
        }
    }
}

/// Whether all histories are as expected.
fn run() -> Result<bool, String> {
    let Some(arguments) = Arguments::of_the_process()? else { return Ok(true) };
    let checker = Checker::build(&arguments.logs)?;
    let mut good = checker.controls()?;
    match &arguments.target {
        Target::Mock { seeds, calls } => {
            for &delivery in &arguments.deliveries {
                let seeds: Vec<u64> = seeds.clone().collect();
                for seeds in seeds.chunks(BATCH) {
                    let started = Instant::now();
                    let mut logs = Vec::new();
                    for &seed in seeds {
                        let log = mock::run(delivery, seed, *calls)?;
                        logs.push(checker.write(&format!("mock-{delivery}-{seed}"), &log)?);
                    }
                    println!("{} runs in {:.1} s", seeds.len(), started.elapsed().as_secs_f64());
                    // About a quarter of the seeds show no repeated write.
                    let repeats = delivery == DeliveryGuarantee::AtLeastOnce && seeds.len() >= 3;
                    good &= checker.judge(&logs, repeats, arguments.keep)?;
                }
            }
        }
        Target::Real { runs, lasting, servers } => {
            let cluster = real::Real::up(*servers);
            let runtime = tokio::runtime::Runtime::new().map_err(|e| e.to_string())?;
            for &delivery in &arguments.deliveries {
                for run in 0..*runs {
                    let log = cluster.run(delivery, run, *lasting);
                    let log = runtime.block_on(log)?;
                    let log = checker.write(&format!("real-{delivery}-{run}"), &log)?;
                    good &= checker.judge(&[log], false, arguments.keep)?;
                }
            }
        }
    }
    Ok(good)
}
