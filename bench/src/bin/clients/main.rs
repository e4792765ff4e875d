//! Measures the same work with Tallrow and with other clients: the official Java client and gohbase
//! on HBase, and Google's client for Go on Bigtable.

mod build;
mod layer;
mod layers;
mod measured;
mod options;
mod program;
mod server;
mod sweep;
mod table;

use std::process::ExitCode;

use layer::Layer;
use measured::Measured;
use options::{HELP, Options};
use program::Program;
use server::Server;

fn run(options: &Options) -> Result<(), String> {
    let servers: Vec<Server> =
        options.servers.iter().map(|name| Server::find(name)).collect::<Result<_, _>>()?;
    let programs: Vec<Program> =
        options.clients.iter().map(|client| Program::build(client)).collect::<Result<_, _>>()?;
    let mut pairs: Vec<(&Server, &Program)> = Vec::new();
    for server in &servers {
        pairs.extend(programs.iter().map(|program| (server, program)));
    }
    let (server, first) = *pairs.first().ok_or("--clients or --on names none")?;
    // The servers are compiled while they run, so the first run is not measured.
    eprintln!("the first run is not counted");
    first.run(server, options, 64, &options.stages)?;
    if let Some(file) = &options.sweep {
        let mut points: Vec<(u64, Measured)> =
            sweep::IN_FLIGHT.map(|in_flight| (in_flight, Measured::default())).into();
        for _ in 0..options.rounds {
            for (in_flight, measured) in &mut points {
                measured.add(first.run(server, options, *in_flight, &["get".into()])?);
            }
        }
        sweep::print(&points);
        return sweep::draw(file, &points).map_err(|e| format!("{}: {e}", file.display()));
    }
    let layers: Vec<&str> = match options.servers.iter().all(|name| Layer::parse(name).is_some()) {
        true => options.servers.iter().map(String::as_str).collect(),
        false => Vec::new(),
    };
    let name = |(server, program): &(&Server, &Program)| match servers.len() {
        1 => program.client.clone(),
        _ => format!("{} on {}", program.client, server.name),
    };
    for concurrency in &options.concurrency {
        let mut clients: Vec<(String, Measured)> =
            pairs.iter().map(|pair| (name(pair), Measured::default())).collect();
        for round in 0..options.rounds {
            // Each round starts with a different client, so that no client always runs after the
            // same other client.
            for i in 0..pairs.len() {
                let at = (round + i) % pairs.len();
                let (server, program) = pairs[at];
                let lines = program.run(server, options, *concurrency, &options.stages)?;
                clients[at].1.add(lines);
            }
        }
        match layers.as_slice() {
            [] => table::print(options, *concurrency, &clients),
            layers => layers::print(options, *concurrency, layers, &clients),
        }
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
