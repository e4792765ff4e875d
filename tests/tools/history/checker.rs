//! The program in Go that decides whether a log is linearizable: built, tried on histories whose
//! verdict is known, and run on the logs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tools/history/checker");
const CONTROLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tools/history/controls");

/// The program that decides whether logs are linearizable, and the folder of the logs.
pub(crate) struct Checker {
    program: PathBuf,
    logs: PathBuf,
}

impl Checker {
    /// Builds the checker, which needs Go.
    pub(crate) fn build(logs: &Path) -> Result<Self, String> {
        let failed = |what: &str, e: std::io::Error| format!("{what}: {e}");
        fs::create_dir_all(logs).map_err(|e| failed(&format!("make {}", logs.display()), e))?;
        let logs = logs.canonicalize().map_err(|e| failed("find the folder of the logs", e))?;
        let program = logs.join("checker");
        let mut go = Command::new("go");
        go.args(["build", "-o"]).arg(&program).arg(".").current_dir(SOURCES);
        let built = go.status().map_err(|e| failed("run `go build`; the checker needs Go", e))?;
        if !built.success() {
            return Err(format!("`go build` in {SOURCES}: {built}"));
        }
        Ok(Self { program, logs })
    }

    /// Checks the hand-written legal and illegal histories; false if the checker is wrong about one
    /// of them.
    pub(crate) fn controls(&self) -> Result<bool, String> {
        self.run(Command::new(&self.program).args(["-controls", CONTROLS]))
    }

    /// Writes a log.
    pub(crate) fn write(&self, name: &str, lines: &str) -> Result<PathBuf, String> {
        let path = self.logs.join(format!("{name}.jsonl"));
        fs::write(&path, lines).map_err(|e| format!("write {}: {e}", path.display()))?;
        Ok(path)
    }

    /// Whether all of these logs are legal. Legal logs are deleted unless they are kept by an
    /// option.
    pub(crate) fn judge(
        &self,
        logs: &[PathBuf],
        must_repeat: bool,
        keep: bool,
    ) -> Result<bool, String> {
        let mut command = Command::new(&self.program);
        let flags = [(must_repeat, "-must-repeat"), (!keep, "-delete-legal")];
        command.args(flags.iter().filter(|(set, _)| *set).map(|(_, flag)| flag)).args(logs);
        self.run(&mut command)
    }

    fn run(&self, command: &mut Command) -> Result<bool, String> {
        let status =
            command.status().map_err(|e| format!("run {}: {e}", self.program.display()))?;
        match status.code() {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => Err(format!("the checker ended with {status}")),
        }
    }
}
