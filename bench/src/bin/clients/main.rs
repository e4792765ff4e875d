//! The same work through Tallrow, the official Java client and gohbase.

mod cluster;
mod measured;
mod options;
mod program;
mod sweep;
mod table;

use std::process::ExitCode;

use cluster::Cluster;
use measured::Measured;
use options::{HELP, Options};
use program::Program;

fn run(options: &Options) -> Result<(), String> {
    let cluster = Cluster::find()?;
    let programs: Vec<Program> =
        options.clients.iter().map(|client| Program::build(client)).collect::<Result<_, _>>()?;
    // The servers are compiled while they work: what runs first is not measured.
    if let Some(first) = programs.first() {
        eprintln!("the first run is not counted");
        first.run(&cluster, options, 64, &options.stages)?;
    }
    if let Some(file) = &options.sweep {
        let first = programs.first().ok_or("--clients names none")?;
        let mut points: Vec<(u64, Measured)> =
            sweep::IN_FLIGHT.map(|in_flight| (in_flight, Measured::default())).into();
        for _ in 0..options.rounds {
            for (in_flight, measured) in &mut points {
                measured.add(first.run(&cluster, options, *in_flight, &["get".into()])?);
            }
        }
        sweep::print(&points);
        return sweep::draw(file, &points).map_err(|e| format!("{}: {e}", file.display()));
    }
    for concurrency in &options.concurrency {
        let mut clients: Vec<(String, Measured)> =
            options.clients.iter().map(|client| (client.clone(), Measured::default())).collect();
        for round in 0..options.rounds {
            // Each round starts with another client, so that none always runs on the table of the same one before it.
            for i in 0..programs.len() {
                let at = (round + i) % programs.len();
                let lines = programs[at].run(&cluster, options, *concurrency, &options.stages)?;
                clients[at].1.add(lines);
            }
        }
        table::print(options, *concurrency, &clients);
    }
    Ok(())
}

fn main() -> ExitCode {
    let options = match tallrow_bench::options("clients", HELP, |args| Options::parse(args)) {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("clients: {why}");
            ExitCode::FAILURE
        }
    }
}
