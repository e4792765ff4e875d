//! A test in a process of its own, which is given a task and tells what it finds.

use std::fmt::Display;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The variable that holds the task of a process.
const TASK: &str = "TALLROW_TEST_TASK";
/// The prefix of what a process tells, which distinguishes it from the output of the test harness.
const TOLD: &str = "@";

/// A test of this program that runs in a process of its own. Dropping it kills the process.
///
/// The test returns immediately unless it has a [`task`], and [`tell`]s what it finds.
pub struct Process {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Process {
    /// Starts the test of this name, with its modules, with a task.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start(test: &str, task: &str) -> Self {
        Self::start_by(test, task, |command| command)
    }

    /// The same by a command that is changed before, for one with another environment.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start_by(
        test: &str,
        task: &str,
        change: impl FnOnce(&mut Command) -> &mut Command,
    ) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", test, "--nocapture"]).env(TASK, task);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = change(&mut command).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, output }
    }

    /// Writes a line to its standard input.
    ///
    /// # Panics
    /// If it has ended.
    pub fn send(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Waits for the next text that it tells; none if it has ended.
    pub fn told(&mut self) -> Option<String> {
        let mut line = String::new();
        loop {
            line.clear();
            self.output.read_line(&mut line).unwrap();
            // The last line of a process that was killed may be cut off.
            if let Some(text) = line.strip_suffix('\n')?.strip_prefix(TOLD) {
                return Some(text.to_owned());
            }
        }
    }

    /// Whether it ends by itself in this time.
    pub fn ended_within(&mut self, time: Duration) -> bool {
        let started = Instant::now();
        while started.elapsed() < time {
            if self.child.try_wait().unwrap().is_some() {
                return true;
            }
            sleep(Duration::from_millis(2));
        }
        false
    }

    /// Waits until it ends by itself; returns what it has told.
    ///
    /// # Panics
    /// If its test fails.
    pub fn finish(mut self) -> Vec<String> {
        let told = self.rest();
        assert!(self.child.wait().unwrap().success(), "the process has told {told:?}");
        told
    }

    /// Kills it; returns what it has told.
    pub fn kill(mut self) -> Vec<String> {
        self.child.kill().unwrap();
        self.rest()
    }

    fn rest(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.told()).collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The task of this process; none if it is not a [`Process`].
pub fn task() -> Option<String> {
    std::env::var(TASK).ok()
}

/// Passes a text of one line to the program that started this process.
///
/// # Panics
/// If that program does not read it.
pub fn tell(text: impl Display) {
    // One write for each line, so that a line is whole or absent.
    let line = format!("\n{TOLD}{text}\n");
    std::io::stdout().write_all(line.as_bytes()).unwrap();
}
