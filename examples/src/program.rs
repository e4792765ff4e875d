//! Runs the programs, as `cargo run --example` does.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Once;

/// An example, as it was built with these tests.
pub struct Program {
    path: PathBuf,
}

/// The results of a run.
pub struct Run {
    /// The exit code of the program.
    pub code: Option<i32>,
    /// The text that the program printed on standard output.
    pub output: String,
    /// The text that the program printed on standard error.
    pub errors: String,
}

impl Program {
    /// Returns the program with this name.
    ///
    /// # Panics
    /// If the program is not built. Every function here panics if the program cannot be run.
    pub fn named(name: &str) -> Self {
        // Tests are built in deps/, examples in examples/ next to it.
        let tests = std::env::current_exe().unwrap();
        let profile = tests.parent().and_then(|deps| deps.parent()).unwrap();
        let path =
            profile.join("examples").join(name).with_extension(std::env::consts::EXE_EXTENSION);
        assert!(
            path.exists(),
            "{} is not built; run `cargo build --examples` first",
            path.display()
        );
        if let Some(source) = newer_source(&path) {
            let (path, source) = (path.display(), source.display());
            panic!("{path} is older than {source}; run `cargo build --examples` first");
        }
        Self { path }
    }

    /// Runs the program without a cluster in the environment.
    pub fn run(&self, arguments: &[&str]) -> Run {
        self.fed(arguments, "")
    }

    /// Runs the program on the cluster with this URL.
    pub fn on(&self, url: &str, arguments: &[&str]) -> Run {
        let mut command = Command::new(&self.path);
        command.args(arguments).env("TALLROW_URL", url);
        finish(command, "")
    }

    /// Runs the program with `input` on its standard input.
    pub fn fed(&self, arguments: &[&str], input: &str) -> Run {
        let mut command = Command::new(&self.path);
        command.args(arguments).env_remove("TALLROW_URL");
        finish(command, input)
    }
}

/// Returns a source file that was changed after a program was built: if only a single test is run,
/// the examples are not built again.
fn newer_source(program: &Path) -> Option<PathBuf> {
    let changed = |path: &Path| fs::metadata(path).and_then(|about| about.modified()).ok();
    let built = changed(program)?;
    // The file next to the program lists its sources, as a rule of make.
    let rule = fs::read_to_string(program.with_extension("d")).ok()?;
    let (_, sources) = rule.trim_end().split_once(": ")?;
    let sources = sources.replace("\\ ", "\0");
    let mut sources = sources.split(' ').map(|name| PathBuf::from(name.replace('\0', " ")));
    sources.find(|source| changed(source).is_none_or(|changed| changed > built))
}

fn finish(mut command: Command, input: &str) -> Run {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.as_bytes().to_vec();
    // Writes in another thread, because the pipes cannot hold all of it. A program that does not
    // read closes the pipe.
    let feeding = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let out = child.wait_with_output().unwrap();
    feeding.join().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: out.status.code(), output: text(out.stdout), errors: text(out.stderr) }
}

/// Returns the URL of the real cluster that the environment names; `None` if the run is to be
/// skipped.
///
/// # Panics
/// If the environment names no cluster, and nothing may be skipped.
pub fn real() -> Option<String> {
    const REAL: &str = "TALLROW_REAL_ZK";
    const MUST: &str = "TALLROW_SKIP_NOTHING";
    static SAID: Once = Once::new();
    let url = std::env::var(REAL).ok().filter(|url| !url.is_empty());
    assert!(url.is_some() || std::env::var_os(MUST).is_none(), "{REAL} is not set, and {MUST} is");
    if url.is_none() {
        // The test harness captures what `eprintln!` writes. If standard error is closed, this
        // cannot be reported.
        SAID.call_once(|| drop(writeln!(std::io::stderr(), "skipped: {REAL} is not set")));
    }
    url
}

/// Asserts that a program prints on this cluster the output that the comment at its head shows.
///
/// # Panics
/// If the output differs.
pub fn prints_what_its_head_shows(name: &str, source: &str, url: &str) {
    let run = Program::named(name).on(url, &[]);
    assert_eq!(run.code, Some(0), "{}", run.errors);
    let printed: Vec<_> = run.output.lines().map(str::trim).collect();
    assert_eq!(printed, shown(source));
}

/// Tests that each of these programs, whose sources are given, prints the output that the comment
/// at its head shows: on its own mock, and on the cluster that the environment names.
#[macro_export]
macro_rules! print_what_their_heads_show {
    ($($name:ident: $source:literal,)*) => {
        mod on_mock {
            $(
                #[test]
                fn $name() {
                    let source = include_str!($source);
                    $crate::program::prints_what_its_head_shows(stringify!($name), source, "mock:");
                }
            )*
        }

        /// Runs if the environment names a cluster.
        mod on_real {
            $(
                #[test]
                fn $name() {
                    let Some(url) = $crate::program::real() else { return };
                    let source = include_str!($source);
                    $crate::program::prints_what_its_head_shows(stringify!($name), source, &url);
                }
            )*
        }
    };
}

/// Returns the block marked `text` in the comment at the head of a program, which is the documented
/// output.
pub fn shown(source: &str) -> Vec<&str> {
    let head = source.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
    head.skip_while(|line| *line != "```text").skip(1).take_while(|line| *line != "```").collect()
}
