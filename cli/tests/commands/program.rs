//! Runs the program with arguments, input and files of a test, and returns its output and exit
//! code.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

use serde_json::Value;

/// The results of a run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) output: String,
    pub(crate) errors: String,
}

impl Run {
    /// The output of a run that succeeded.
    #[track_caller]
    pub(crate) fn done(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.errors);
        self.output
    }

    /// The document that a run with `--json` wrote.
    #[track_caller]
    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.done()).unwrap()
    }

    /// The errors of a run that ended with this exit code.
    #[track_caller]
    pub(crate) fn failed(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}", self.errors);
        self.errors
    }
}

/// Fails with the whole text unless `part` is in it.
#[track_caller]
pub(crate) fn has(text: &str, part: &str) {
    assert!(text.contains(part), "{part:?} is not in:\n{text}");
}

/// Fails with the whole text unless it begins with `part`.
#[track_caller]
pub(crate) fn begins(text: &str, part: &str) {
    assert!(text.starts_with(part), "{part:?} does not begin:\n{text}");
}

/// Fails with the whole text unless it ends with `part`.
#[track_caller]
pub(crate) fn ends(text: &str, part: &str) {
    assert!(text.ends_with(part), "{part:?} does not end:\n{text}");
}

/// The program, without the variables of the environment that it reads.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tallrow"));
    command.env_remove("TALLROW_URL").env_remove("HBASE_CONF_DIR");
    command.env_remove("BIGTABLE_EMULATOR_HOST");
    command
}

pub(crate) fn tallrow(arguments: &[&str]) -> Run {
    fed(arguments, "")
}

/// The arguments of a command line, some of which are in single quotes.
pub(crate) fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (at, part) in line.split('\'').enumerate() {
        match at % 2 {
            0 => words.extend(part.split_whitespace()),
            _ => words.push(part),
        }
    }
    words
}

/// Runs it with `input` on its standard input.
pub(crate) fn fed(arguments: &[&str], input: &str) -> Run {
    let mut command = command();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.as_bytes().to_vec();
    // In another thread, because the pipes cannot hold all of it. A program that does not read
    // closes the pipe.
    let feeding = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let out = child.wait_with_output().unwrap();
    feeding.join().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: out.status.code(), output: text(out.stdout), errors: text(out.stderr) }
}

/// Presses Ctrl-C.
pub(crate) fn interrupt(program: &Child) {
    let pid = program.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
}

/// The folder for the files of this run: another one at the same time has its own.
pub(crate) fn folder() -> &'static Path {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(tallrow_tests::scratch_dir);
    &FOLDER
}

/// Writes a file of this name, which is that of one test only, and returns its path.
pub(crate) fn file(name: &str, text: &str) -> String {
    let path = folder().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A key with a salt and a reverse timestamp.
pub(crate) const EVENT: &str = "row key Event\ntable events\nsalt of user: buckets = 16, width = \
                                1, hash = java_arrays_hash\nuser: u32\nat: i64, rev_ts, \
                                display_time = ms\n";
