use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
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
    reader: Option<JoinHandle<Option<String>>>,
}

/// What the last line of a load says that has ended with an outcome that nobody knows.
const UNKNOWN: &str = "it may or may not be on the server";

/// How many rows are acknowledged, of how many.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Progress {
    pub(crate) rows: u64,
    pub(crate) total: u64,
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
        cargo.args(["build", "--quiet", "-p", "tallrow-examples", "--example", "flights"]);
        cargo.args(["--profile", name, "--target-dir"]).arg(profile.parent().unwrap());
        let built = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap();
        assert!(built.success(), "{cargo:?}: {built}");
        Self { program: profile.join("examples/flights"), csv: csv.to_owned() }
    }

    /// Runs it to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Answers {
        self.start(arguments).end().unwrap()
    }

    /// Starts it.
    pub(crate) fn start(&self, arguments: &[&str]) -> Load {
        let mut command = Command::new(&self.program);
        command.arg("--csv").arg(&self.csv).args(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let (sender, progress) = watch::channel(Progress::default());
        let reader = std::thread::spawn(move || {
            let mut last = None;
            for line in lines.map_while(Result::ok) {
                match read_progress(&line) {
                    Some(progress) => drop(sender.send(progress)),
                    None => {
                        eprintln!("flights: {line}");
                        last = Some(line);
                    }
                }
            }
            last
        });
        Load { child, progress, reader: Some(reader) }
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
        let there = self.progress.wait_for(|p| p.total > 0 && p.rows * 100 >= p.total * percent);
        assert!(there.await.is_ok(), "the load ended before {percent} % of its rows");
    }

    /// Stops the program, as a machine that is suspended does.
    ///
    /// Its rows would otherwise be written before the cluster is ready for the next disturbance.
    pub(crate) fn suspend(&self) {
        self.signal("-STOP");
    }

    /// Lets the program go on that was [suspended](Self::suspend).
    pub(crate) fn resume(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(sent.unwrap().success(), "kill {signal} of the load");
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

    /// Waits for the end of the load; every answer must be right. An error: an increment whose outcome is unknown.
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
