//! Builds the programs that are not written in Rust: the load programs of other clients, and
//! Google's emulator.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the Go package `package` of a folder into the file `program`.
pub(crate) fn go_build(folder: &str, package: &str, program: &Path) -> Result<PathBuf, String> {
    let mut go = Command::new("go");
    run(go.current_dir(folder).args(["build", "-o"]).arg(program).arg(package))?;
    Ok(program.to_owned())
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|e| format!("{command:?}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}
