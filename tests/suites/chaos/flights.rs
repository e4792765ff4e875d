//! The example `flights` in a process of its own, which is stopped at a percentage of its rows
//! until the cluster has been disturbed.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use tokio::sync::watch;

/// The example `flights`, and the file that it loads.
pub(crate) struct Flights {
    program: PathBuf,
    csv: PathBuf,
}

/// What a run printed.
pub(crate) struct Answers {
    pub(crate) digest: String,
    pub(crate) verdict: String,
}

/// A run in progress.
pub(crate) struct Load {
    child: Child,
    progress: watch::Receiver<Progress>,
    gate: Arc<Mutex<Gate>>,
    reader: Option<JoinHandle<Option<String>>>,
}

/// The percentage of a load that is not stopped.
pub(crate) const TO_ITS_END: u64 = 101;

/// How far a load may come before it is stopped, so that what is done to the cluster is done before
/// the load is over, however slow the cluster is.
struct Gate {
    process: u32,
    /// A percentage of the rows.
    at: u64,
    is_shut: bool,
}

impl Gate {
    /// Stops the program, as a machine that is suspended does.
    fn shut(&mut self) {
        if !std::mem::replace(&mut self.is_shut, true) {
            self.signal("-STOP");
        }
    }

    fn open(&mut self) {
        if std::mem::replace(&mut self.is_shut, false) {
            self.signal("-CONT");
        }
    }

    fn passed(&mut self, progress: Progress) {
        if progress.is_at(self.at) {
            self.shut();
        }
    }

    fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.process.to_string()]).status();
        assert!(sent.unwrap().success(), "kill {signal} of the load");
    }
}

/// What the last line of a load says that has ended with an outcome that nobody knows.
const UNKNOWN: &str = "it may or may not be on the server";

/// How many rows are acknowledged, of how many.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Progress {
    pub(crate) rows: u64,
    pub(crate) total: u64,
}

impl Progress {
    fn is_at(self, percent: u64) -> bool {
        self.total > 0 && self.rows * 100 >= self.total * percent
    }
}

impl Flights {
    /// Builds the example with the profile of this test.
    pub(crate) fn build(csv: &Path) -> Self {
        let test = std::env::current_exe().unwrap();
        let profile = test.parent().and_then(Path::parent).unwrap();
        let name = match profile.file_name().and_then(|name| name.to_str()) {
            Some("debug") | None => "dev",
            Some(name) => name,
        };
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        // Beside this package, for its features: nothing is compiled again.
        cargo.args(["build", "--quiet", "-p", "tallrow-tests", "-p", "tallrow-examples"]);
        cargo.args(["--example", "flights"]);
        cargo.args(["--profile", name, "--target-dir"]).arg(profile.parent().unwrap());
        let built = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap();
        assert!(built.success(), "{cargo:?}: {built}");
        Self { program: profile.join("examples/flights"), csv: csv.to_owned() }
    }

    /// Runs it to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Answers {
        self.start(arguments, TO_ITS_END).end().unwrap()
    }

    /// Starts it; it may come to this percentage of the rows.
    pub(crate) fn start(&self, arguments: &[&str], percent: u64) -> Load {
        let mut command = Command::new(&self.program);
        command.arg("--csv").arg(&self.csv).args(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let (sender, progress) = watch::channel(Progress::default());
        let gate = Gate { process: child.id(), at: percent, is_shut: false };
        let gate = Arc::new(Mutex::new(gate));
        let passing = gate.clone();
        let reader = std::thread::spawn(move || {
            let mut last = None;
            for line in lines.map_while(Result::ok) {
                match read_progress(&line) {
                    Some(progress) => {
                        passing.lock().unwrap().passed(progress);
                        sender.send_replace(progress);
                    }
                    None => {
                        eprintln!("flights: {line}");
                        last = Some(line);
                    }
                }
            }
            last
        });
        Load { child, progress, gate, reader: Some(reader) }
    }
}

/// `loaded 300 of 452 rows`
fn read_progress(line: &str) -> Option<Progress> {
    let (rows, total) = line.strip_prefix("loaded ")?.strip_suffix(" rows")?.split_once(" of ")?;
    Some(Progress { rows: rows.parse().ok()?, total: total.parse().ok()? })
}

impl Load {
    /// Waits until this percentage of the rows is acknowledged.
    pub(crate) async fn reach(&mut self, percent: u64) {
        let there = self.progress.wait_for(|progress| progress.is_at(percent));
        assert!(there.await.is_ok(), "the load ended before {percent} % of its rows");
    }

    /// Stops it until it [may go on](Self::go_on_to).
    pub(crate) fn suspend(&self) {
        self.gate.lock().unwrap().shut();
    }

    /// Lets it go on, if it is stopped, to this percentage of the rows.
    pub(crate) fn go_on_to(&self, percent: u64) {
        let mut gate = self.gate.lock().unwrap();
        gate.at = percent;
        gate.open();
    }

    /// The rows that are acknowledged so far.
    pub(crate) fn progress(&self) -> Progress {
        *self.progress.borrow()
    }

    /// Asserts that the load is still running, as otherwise a disturbance would test nothing.
    pub(crate) fn must_go_on(&self) {
        let progress = self.progress();
        assert!(progress.rows < progress.total, "the load is over; give it more rows");
    }

    /// Waits for the end of the load; every answer must be right. An error: an increment whose
    /// outcome is unknown.
    pub(crate) fn end(mut self) -> Result<Answers, String> {
        let mut output = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
        let status = self.child.wait().unwrap();
        let last = self.reader.take().map(JoinHandle::join).transpose().unwrap().flatten();
        if let Some(line) = last.filter(|line| line.contains(UNKNOWN)) {
            return Err(line);
        }
        assert!(status.success(), "flights: {status}, {output}");
        let mut lines = output.lines();
        let digest = lines.next().and_then(|line| line.strip_prefix("digest of all answers: "));
        let verdict = lines.next().filter(|line| line.ends_with(", 0 wrong"));
        match (digest, verdict) {
            (Some(digest), Some(verdict)) => {
                Ok(Answers { digest: digest.into(), verdict: verdict.into() })
            }
            _ => panic!("flights printed {output:?}"),
        }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
