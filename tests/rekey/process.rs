//! A process that writes or copies, until it is killed.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// If this variable is set, the test below is such a process.
const TASK: &str = "TALLROW_REKEY_TASK";
/// The prefix of what it tells, which distinguishes it from the output of the test harness.
const TOLD: &str = "@";

pub(crate) enum Role {
    /// Copies what is left.
    Copy,
    /// Writes random rows.
    Write(u64),
}

pub(crate) struct Process(Child);

impl Process {
    pub(crate) fn start(role: Role, url: &str, state: &Path) -> Self {
        let role = match role {
            Role::Copy => "copy".to_owned(),
            Role::Write(seed) => seed.to_string(),
        };
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "process::run_as_process", "--nocapture"])
            .env(TASK, format!("{role} {url} {}", state.display()))
            .stdout(Stdio::piped())
            .spawn();
        Self(child.unwrap())
    }

    /// Whether it ends by itself in this time.
    pub(crate) fn ended_within(&mut self, time: Duration) -> bool {
        let started = Instant::now();
        while started.elapsed() < time {
            if self.0.try_wait().unwrap().is_some() {
                return true;
            }
            sleep(Duration::from_millis(2));
        }
        false
    }

    /// Waits until it ends by itself; returns whether it did what it had to.
    pub(crate) fn wait(&mut self) -> bool {
        self.0.wait().unwrap().success()
    }

    /// Kills it; returns the rows that it has told of.
    pub(crate) fn kill(mut self) -> Vec<u32> {
        self.0.kill().unwrap();
        let mut text = String::new();
        self.0.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        // The last line may be cut off.
        let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
        let told = whole.lines().filter_map(|line| line.strip_prefix(TOLD));
        told.map(|row| row.parse().unwrap()).collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn run_as_process() {
    let Some(task) = std::env::var_os(TASK) else { return };
    let task = task.into_string().unwrap();
    let [role, url, state] = task.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{task}") };
    match role {
        "copy" => crate::copy(url, Path::new(state)).await,
        seed => {
            // One write for each line, so that a line is whole or absent.
            let tell = |row| {
                let line = format!("\n{TOLD}{row}\n");
                std::io::stdout().write_all(line.as_bytes()).unwrap();
            };
            crate::write(url, Path::new(state), seed.parse().unwrap(), tell).await;
        }
    }
}
