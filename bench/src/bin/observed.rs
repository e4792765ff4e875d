//! Measures what observing a client costs: runs the same load without metrics and spans, with
//! metrics, and with spans.
//!
//! `load` is built once for each set of features, and the builds run in turns against a mock
//! cluster in this process. The CPU time is that of the client alone. On a machine with other load,
//! only instructions can be compared: valgrind counts them in two runs of different lengths, so
//! that the cost of the start cancels out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use tallrow_mock::MockCluster;

const HELP: &str = "observed: what observing a client costs

  --rounds R        times that each variant runs; medians count  (5)
  --n N             operations of a stage                        (40000)
  --conc C          concurrent operations                        (64)
  --ops LIST        stages of `load`                             (put,get,inc,batchput,scan)
  --instructions    count instructions with valgrind; --n 4000 takes minutes

  cargo run --release -p tallrow-bench --bin observed
  cargo run --release -p tallrow-bench --bin observed -- --instructions --rounds 1 --n 2000 --conc 1 --ops put,get";

/// The variants that are compared with the first: a name, the features of this package, and who
/// listens to spans.
const VARIANTS: [(&str, &str, &str); 4] = [
    ("off", "", "nobody"),
    ("metrics", "metrics", "nobody"),
    ("metrics, spans refused", "metrics,tracing", "refused"),
    ("metrics, spans kept", "metrics,tracing", "spans"),
];

struct Options {
    rounds: usize,
    count: u64,
    concurrency: u64,
    stages: Vec<String>,
    instructions: bool,
}

impl Options {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let stages = "put,get,inc,batchput,scan".split(',').map(str::to_owned).collect();
        let (rounds, count, concurrency, instructions) = (5, 40_000, 64, false);
        let mut options = Self { rounds, count, concurrency, stages, instructions };
        while let Some(flag) = args.next() {
            if flag == "--instructions" {
                options.instructions = true;
                continue;
            }
            let value = args.next().ok_or_else(|| format!("{flag} needs a value; see --help"))?;
            let number = || value.parse::<u64>().map_err(|e| format!("{flag} {value:?}: {e}"));
            match flag.as_str() {
                "--rounds" => options.rounds = number()?.max(1) as usize,
                "--n" => options.count = number()?.max(1_000),
                "--conc" => options.concurrency = number()?.max(1),
                "--ops" => options.stages = value.split(',').map(str::to_owned).collect(),
                _ => return Err(format!("unknown flag {flag}; see --help")),
            }
        }
        Ok(options)
    }
}

/// Builds `load` with these features, and returns the path of a copy of the program.
fn build(features: &str) -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|e| format!("where this program is: {e}"))?;
    let folder = program.parent().ok_or("this program is in no folder")?;
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--release", "--package", "tallrow-bench", "--bin", "load"])
        .args(["--no-default-features", "--features", features])
        .status()
        .map_err(|e| format!("cargo: {e}"))?;
    if !status.success() {
        return Err(format!("load was not built with features {features:?}"));
    }
    let copy = folder.join(format!("load-{}", features.replace(',', "-")));
    std::fs::copy(folder.join("load"), &copy).map_err(|e| format!("{}: {e}", copy.display()))?;
    Ok(copy)
}

/// The results of one run: CPU time (in µs) or instructions per operation, and operations per
/// second.
struct Run {
    cost: f64,
    rate: f64,
}

struct Load<'a> {
    program: &'a Path,
    observe: &'a str,
    url: &'a str,
    options: &'a Options,
}

impl Load<'_> {
    fn run(&self, stage: &str) -> Result<Run, String> {
        if !self.options.instructions {
            let (text, _) = self.output(stage, self.options.count, false)?;
            let (cost, rate) =
                (number(&text, stage, "cpu_us_op=")?, number(&text, stage, "ops_s=")?);
            return Ok(Run { cost, rate });
        }
        let count = self.options.count;
        let (_, short) = self.output(stage, count, true)?;
        let (_, long) = self.output(stage, count * 2, true)?;
        let refs = |text: &str| -> Result<f64, String> {
            let line =
                text.lines().find(|line| line.contains("I   refs") || line.contains("I refs"));
            let digits = line.and_then(|line| line.rsplit(' ').next()).unwrap_or_default();
            digits.replace(',', "").parse().map_err(|_| format!("no count of valgrind in: {text}"))
        };
        // `inc` runs half as many operations, and a stage of batches a hundredth.
        let divided = match stage {
            "inc" => 2.0,
            "batchput" | "batchget" => 100.0,
            _ => 1.0,
        };
        Ok(Run { cost: (refs(&long)? - refs(&short)?) / (count as f64 / divided), rate: 0.0 })
    }

    fn output(&self, stage: &str, count: u64, counted: bool) -> Result<(String, String), String> {
        let mut command = match counted {
            true => Command::new("valgrind"),
            false => Command::new(self.program),
        };
        if counted {
            command.args([
                "--tool=cachegrind",
                "--cache-sim=no",
                "--cachegrind-out-file=/dev/null",
            ]);
            command.arg(self.program);
        }
        // A scan reads what an earlier stage has written.
        let stages = if stage == "scan" { "put,scan" } else { stage };
        let output = command
            .args(["--url", self.url, "--ops", stages, "--observe", self.observe])
            .args(["--n", &count.to_string(), "--conc", &self.options.concurrency.to_string()])
            .output()
            .map_err(|e| format!("{command:?}: {e}"))?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match output.status.success() {
            true => Ok((text(&output.stdout), text(&output.stderr))),
            false => Err(format!("{command:?}: {}", text(&output.stderr))),
        }
    }
}

fn number(text: &str, stage: &str, name: &str) -> Result<f64, String> {
    let line = text.lines().rfind(|line| line.contains(&format!("op={stage} ")));
    let word = line.and_then(|line| line.split(' ').find_map(|word| word.strip_prefix(name)));
    word.and_then(|n| n.parse().ok()).ok_or_else(|| format!("no {name} of {stage} in: {text}"))
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
}

async fn measure(options: &Options) -> Result<(), String> {
    let mut programs = BTreeMap::new();
    for (_, features, _) in VARIANTS {
        if !programs.contains_key(features) {
            programs.insert(features, build(features)?);
        }
    }
    let mock = MockCluster::start().await.map_err(|e| format!("the mock did not start: {e}"))?;
    let url = mock.url();
    let what = if options.instructions { "instructions" } else { "cpu_us" };
    for stage in &options.stages {
        let mut runs: Vec<Vec<Run>> = VARIANTS.iter().map(|_| Vec::new()).collect();
        for round in 0..options.rounds {
            for turn in 0..VARIANTS.len() {
                let at = (round + turn) % VARIANTS.len();
                let (_, features, observe) = VARIANTS[at];
                let load = Load { program: &programs[features], observe, url: &url, options };
                runs[at].push(tokio::task::block_in_place(|| load.run(stage))?);
            }
        }
        let medians: Vec<(f64, f64)> = runs
            .iter()
            .map(|runs| {
                let of = |value: fn(&Run) -> f64| median(runs.iter().map(value).collect());
                (of(|run| run.cost), of(|run| run.rate))
            })
            .collect();
        for ((name, ..), (cost, rate)) in VARIANTS.iter().zip(&medians) {
            let (of_off, rate_of_off) = medians[0];
            print!("op={stage} observed=\"{name}\" {what}={cost:.2} ratio={:.3}", cost / of_off);
            match options.instructions {
                true => println!(),
                false => println!(" ops_s={rate:.0} rate_ratio={:.3}", rate / rate_of_off),
            }
        }
    }
    Ok(())
}

#[tokio::main]
async fn main() -> ExitCode {
    let options = tallrow_bench::options("observed", HELP, |arguments| Options::parse(arguments));
    let options = match options {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    match measure(&options).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("observed: {why}");
            ExitCode::FAILURE
        }
    }
}
