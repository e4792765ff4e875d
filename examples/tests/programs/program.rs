use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// An example, as it was built with these tests.
pub(crate) struct Program {
    path: PathBuf,
}

/// The results of a run.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) output: String,
    pub(crate) errors: String,
}

impl Program {
    pub(crate) fn named(name: &str) -> Self {
        // Tests lie in deps/, examples in examples/ next to it.
        let tests = std::env::current_exe().unwrap();
        let profile = tests.parent().and_then(|deps| deps.parent()).unwrap();
        let path =
            profile.join("examples").join(name).with_extension(std::env::consts::EXE_EXTENSION);
        assert!(
            path.exists(),
            "{} is not built; run `cargo build --examples` first",
            path.display()
        );
        Self { path }
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.fed(arguments, "")
    }

    /// Runs it on the cluster with this URL.
    pub(crate) fn on(&self, url: &str, arguments: &[&str]) -> Run {
        let mut command = Command::new(&self.path);
        command.args(arguments).env("TALLROW_URL", url);
        finish(command, "")
    }

    /// Runs it with `input` on its standard input.
    pub(crate) fn fed(&self, arguments: &[&str], input: &str) -> Run {
        let mut command = Command::new(&self.path);
        command.args(arguments).env_remove("TALLROW_URL");
        finish(command, input)
    }
}

fn finish(mut command: Command, input: &str) -> Run {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.as_bytes().to_vec();
    // Writes in another thread, because the pipes cannot hold all of it. A program that does not read closes the pipe.
    let feeding = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let out = child.wait_with_output().unwrap();
    feeding.join().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: out.status.code(), output: text(out.stdout), errors: text(out.stderr) }
}

/// The URL of the real cluster of the environment; none if the run is to be skipped.
pub(crate) fn real() -> Option<String> {
    const REAL: &str = "TALLROW_REAL_ZK";
    const MUST: &str = "TALLROW_SKIP_NOTHING";
    let url = std::env::var(REAL).ok().filter(|url| !url.is_empty());
    assert!(url.is_some() || std::env::var_os(MUST).is_none(), "{REAL} is not set, and {MUST} is");
    url
}

/// The block marked `text` in the head of a program: the output that it documents.
pub(crate) fn shown(source: &str) -> Vec<&str> {
    let head = source.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
    head.skip_while(|line| *line != "```text").skip(1).take_while(|line| *line != "```").collect()
}
