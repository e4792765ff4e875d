//! Times the build of a crate with 50 derived row keys, and the build of the same crate with
//! serde's derives.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use std::{env, fs, io};

use tallrow_bench::children_cpu_time;

const HELP: &str = "derive-cost: times the build of a crate with 50 derived row keys, and of the same crate with serde's derives

  --rounds N     builds of each crate, of which the median counts   (5)
  --keys N       number of keys                                     (50)
  --into DIR     where the crates are written                       (a temporary folder)

A line: derive=.. keys=.. dependencies=prebuilt|scratch seconds=.. cpu=..
seconds is the elapsed time and cpu the CPU time of all processes, for `cargo build` of the crate, without or with its
dependencies.

  cargo run --release -p tallrow-bench --bin derive-cost";

/// A crate under test.
struct Subject {
    derive: &'static str,
    place: PathBuf,
}

impl Drop for Subject {
    fn drop(&mut self) {
        // If this fails, only the crate and its target folder are left behind.
        let _ = fs::remove_dir_all(&self.place);
    }
}

impl Subject {
    fn write(derive: &'static str, into: &Path, keys: usize) -> io::Result<Self> {
        let place = into.join(format!("derive-cost-{derive}"));
        fs::create_dir_all(place.join("src"))?;
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
        let (dependency, head, attribute) = match derive {
            "serde" => (
                "serde = { version = \"1\", features = [\"derive\"] }".to_owned(),
                "use serde::{Deserialize, Serialize};\n",
                "#[derive(Serialize, Deserialize)]",
            ),
            _ => (
                format!("tallrow-codec.path = {:?}", root.join("codec")),
                "use tallrow_codec::RowKey;\n",
                "#[derive(RowKey)]",
            ),
        };
        let manifest = format!(
            "[package]\nname = \"subject\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n{dependency}\n"
        );
        let mut source = head.to_owned();
        for number in 0..keys {
            let shape = SHAPES[number % SHAPES.len()];
            let shape = match derive {
                "serde" => without_attributes(shape),
                _ => shape.to_owned(),
            };
            let _ =
                writeln!(source, "{attribute}\n{}", shape.replace("NAME", &format!("Key{number}")));
        }
        fs::write(place.join("Cargo.toml"), manifest)?;
        fs::write(place.join("src/lib.rs"), source)?;
        // This gives the crate the dependency versions of this workspace.
        fs::copy(root.join("Cargo.lock"), place.join("Cargo.lock"))?;
        Ok(Self { derive, place })
    }

    fn cargo(&self, arguments: &[&str]) -> io::Result<()> {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.current_dir(&self.place).args(arguments).arg("--quiet").arg("--target-dir");
        let status = cargo.arg(self.place.join("target")).status()?;
        match status.success() {
            true => Ok(()),
            false => Err(io::Error::other(format!("{cargo:?}: {status}"))),
        }
    }

    /// Builds the crate, either with all its dependencies (`scratch`) or after they were built, and
    /// returns the elapsed time and the CPU time.
    fn build(&self, scratch: bool) -> io::Result<(Duration, Duration)> {
        if scratch {
            self.cargo(&["clean"])?;
        } else {
            self.cargo(&["build"])?;
            self.cargo(&["clean", "-p", "subject"])?;
        }
        let (cpu, start) = (children_cpu_time(), Instant::now());
        self.cargo(&["build"])?;
        Ok((start.elapsed(), children_cpu_time().saturating_sub(cpu)))
    }
}

/// Typical keys, each of which is repeated ten times.
const SHAPES: [&str; 5] = [
    "pub struct NAME { pub host: [u8; 16], pub event: u64, #[key(rev_ts)] pub at: i64 }",
    "pub struct NAME { #[key(escaped)] pub user: String, pub number: i64, pub part: u32 }",
    "#[row_key(salt(buckets = 16, fields = (user)))]\npub struct NAME { pub user: u64, #[key(desc)] pub at: i64 }",
    "pub struct NAME { #[key(width = 8)] pub code: String, pub day: u16, pub part: Option<u32>, pub open: bool }",
    "#[row_key(hash_prefix(md5, hex = 4, fields = (tenant)))]\n\
     pub struct NAME { #[key(nul_terminated)] pub tenant: String, #[key(floor = 3600)] pub hour: u32, pub name: String }",
];

/// Returns the struct without the attributes of row keys, for serde's derives.
fn without_attributes(shape: &str) -> String {
    let mut plain = String::new();
    let mut rest = shape;
    while let Some((before, attribute)) = rest.split_once("#[") {
        plain.push_str(before);
        rest = attribute.split_once(']').map_or("", |(_, after)| after);
    }
    plain + rest
}

fn middle(times: &mut [f64]) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

fn run(options: &Options) -> io::Result<()> {
    let Options { rounds, keys, ref into } = *options;
    let subjects = [Subject::write("tallrow", into, keys)?, Subject::write("serde", into, keys)?];
    for (dependencies, scratch) in [("prebuilt", false), ("scratch", true)] {
        let mut times = [(Vec::new(), Vec::new()), (Vec::new(), Vec::new())];
        for _ in 0..rounds {
            for (subject, (wall, cpu)) in subjects.iter().zip(&mut times) {
                let took = subject.build(scratch)?;
                wall.push(took.0.as_secs_f64());
                cpu.push(took.1.as_secs_f64());
            }
        }
        for (subject, (wall, cpu)) in subjects.iter().zip(&mut times) {
            let derive = subject.derive;
            let (seconds, cpu) = (middle(wall), middle(cpu));
            println!(
                "derive={derive} keys={keys} dependencies={dependencies} seconds={seconds:.2} cpu={cpu:.2}"
            );
        }
    }
    Ok(())
}

struct Options {
    rounds: usize,
    keys: usize,
    into: PathBuf,
}

impl Options {
    fn parse(arguments: &mut dyn Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self { rounds: 5, keys: 50, into: env::temp_dir() };
        while let Some(flag) = arguments.next() {
            let value = arguments.next().unwrap_or_default();
            let number = value.parse::<usize>().ok().filter(|number| *number > 0);
            match (flag.as_str(), number) {
                ("--rounds", Some(number)) => options.rounds = number,
                ("--keys", Some(number)) => options.keys = number,
                ("--into", _) if !value.is_empty() => options.into = value.into(),
                _ => return Err(format!("{flag} {value:?} is not understood; see --help")),
            }
        }
        Ok(options)
    }
}

fn main() -> ExitCode {
    let options = match tallrow_bench::options("derive-cost", HELP, |args| Options::parse(args)) {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("derive-cost: build the crates in {}: {error}", options.into.display());
            ExitCode::FAILURE
        }
    }
}
