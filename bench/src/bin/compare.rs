//! Runs a measuring program of two builds in turns, and prints the medians of each of its lines for
//! both builds.

use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use tallrow_bench::Program;

const HELP: &str = "compare: runs a measuring program of two builds in turns; prints the medians of both, a line each

  compare PROGRAM BEFORE AFTER [--rounds N] [--mock BEFORE,AFTER] [-- ARGUMENTS..]

  PROGRAM        load, codec or derive-cost
  BEFORE, AFTER  folders with the programs of a build, such as target/release
  --rounds N     how often each build runs                                  (9)
  --mock B,A     folders with the tallrow-mock that each build's load talks to over TCP; its CPU time is a line too
  ARGUMENTS      of the program

What is compared is CPU time: cpu_us_op of load, ns of codec, cpu of derive-cost, and CPU time in ms of the mock.

  git worktree add ../before COMMIT
  (cd ../before && cargo build --release -p tallrow-bench -p tallrow-mock --bins --features peers)
  cargo build --release -p tallrow-bench -p tallrow-mock --bins --features peers
  target/release/compare load ../before/target/release target/release -- --n 20000
  target/release/compare codec ../before/target/release target/release";

/// The names of the fields that are compared; each line has one of them.
const METRICS: [&str; 3] = ["cpu_us_op", "ns", "cpu"];

struct Options {
    program: String,
    builds: [PathBuf; 2],
    mocks: Option<[PathBuf; 2]>,
    rounds: usize,
    arguments: Vec<String>,
}

impl Options {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let (mut words, mut mocks, mut rounds) = (Vec::new(), None, 9);
        while let Some(arg) = args.next().filter(|arg| arg != "--") {
            let mut value =
                || args.next().ok_or_else(|| format!("{arg} needs a value; see --help"));
            match arg.as_str() {
                "--rounds" => {
                    let value = value()?;
                    rounds = value.parse().map_err(|e| format!("{arg} {value:?}: {e}"))?;
                }
                "--mock" => {
                    let value = value()?;
                    let both =
                        value.split_once(',').ok_or("--mock needs two folders; see --help")?;
                    mocks = Some([both.0.into(), both.1.into()]);
                }
                flag if flag.starts_with('-') => {
                    return Err(format!("unknown flag {flag}; see --help"));
                }
                _ => words.push(arg),
            }
        }
        let [program, before, after] = <[String; 3]>::try_from(words)
            .map_err(|_| "a program and two folders are needed; see --help")?;
        let builds = [before.into(), after.into()];
        Ok(Self { program, builds, mocks, rounds, arguments: args.collect() })
    }
}

/// The measured values, in the order of the lines, for each build.
#[derive(Default)]
struct Measured(Vec<(String, [Vec<f64>; 2])>);

impl Measured {
    fn add(&mut self, side: usize, name: String, value: f64) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sides)) => sides[side].push(value),
            None => {
                let mut sides = [Vec::new(), Vec::new()];
                sides[side].push(value);
                self.0.push((name, sides));
            }
        }
    }
}

/// Runs one build once.
fn run(options: &Options, side: usize, measured: &mut Measured) -> io::Result<()> {
    let start = |folders: &[PathBuf; 2]| {
        let mut mock = Command::new(folders[side].join("tallrow-mock"));
        Program::start(&mut mock, "hbase_rpc").map_err(io::Error::other)
    };
    let mock = options.mocks.as_ref().map(start).transpose()?;
    let mut command = Command::new(options.builds[side].join(&options.program));
    if let Some(mock) = &mock {
        command.args(["--url", &format!("hbase+rpc://{}", mock.address())]);
    }
    let output = command.args(&options.arguments).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(io::Error::other(format!("{command:?}: {}", output.status)));
    }
    for (name, value) in String::from_utf8_lossy(&output.stdout).lines().filter_map(read) {
        measured.add(side, name, value);
    }
    if let Some(mock) = mock {
        measured.add(side, "tallrow-mock".into(), mock.cpu_time().as_secs_f64() * 1e3);
    }
    Ok(())
}

/// Returns the name of a line, which is made of all its values that are not numbers, and the value
/// that is compared.
fn read(line: &str) -> Option<(String, f64)> {
    let fields: Vec<_> = line.split(' ').filter_map(|field| field.split_once('=')).collect();
    let metric = METRICS.iter().find_map(|name| fields.iter().find(|(key, _)| key == name))?;
    let words: Vec<_> =
        fields.iter().map(|(_, value)| *value).filter(|v| v.parse::<f64>().is_err()).collect();
    Some((words.join(" "), metric.1.parse().ok()?))
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn compare(options: &Options) -> io::Result<()> {
    let mut measured = Measured::default();
    for round in 0..options.rounds {
        // The build that runs first alternates.
        for side in [round % 2, 1 - round % 2] {
            run(options, side, &mut measured)?;
        }
    }
    println!("| | before | after | ratio |\n|---|---|---|---|");
    for (name, [mut before, mut after]) in measured.0 {
        let (before, after) = (median(&mut before), median(&mut after));
        println!("| {name} | {before:.2} | {after:.2} | {:.3} |", after / before);
    }
    Ok(())
}

fn main() -> ExitCode {
    let options =
        match tallrow_bench::options("compare", HELP, |arguments| Options::parse(arguments)) {
            Ok(options) => options,
            Err(exit) => return exit,
        };
    match compare(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("compare: {error}");
            ExitCode::FAILURE
        }
    }
}
