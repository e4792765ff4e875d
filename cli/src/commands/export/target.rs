//! The file or stream that an export writes to, and the progress of the export.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Result};
use crate::files::state_file::StateFile;
use crate::files::{open_truncated_to, with_suffix};
use crate::terminal::output::{Output, count_with_noun};

/// The version of the format of state files. Files without a version, which are older, contain the
/// arguments in another form.
const VERSION: u32 = 1;

/// The size of the collected lines, in bytes, at which they are written.
const CHUNK: usize = 1 << 20;

/// A file or standard output, to which whole lines are written.
pub(super) struct ExportTarget<'a> {
    to: To<'a>,
    lines: Vec<u8>,
    /// The number of rows in `lines`, and the number of rows at which the lines are written.
    rows: u64,
    save_every: u64,
    state: ExportState,
}

enum To<'a> {
    Output(&'a mut Output),
    /// A target that cannot be truncated and continued, such as a device or a pipe.
    Stream(PathBuf, File),
    File {
        path: PathBuf,
        file: File,
        state: StateFile,
    },
}

impl<'a> ExportTarget<'a> {
    pub(super) fn output(output: &'a mut Output, save_every: u64) -> Self {
        Self::new(To::Output(output), save_every, ExportState::new(Vec::new()))
    }

    fn new(to: To<'a>, save_every: u64, state: ExportState) -> Self {
        Self { to, lines: Vec::new(), rows: 0, save_every, state }
    }

    /// Opens the file at `path`: a new file, the file of an earlier export that is resumed, or a
    /// device or pipe. `arguments` are those of the export, and `save_every` is the number of rows
    /// at which lines are written.
    pub(super) fn open_file(path: &Path, save_every: u64, arguments: Vec<String>) -> Result<Self> {
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            let file = OpenOptions::new().write(true).open(path);
            let file = file.map_err(|error| failed("open", path, error))?;
            let to = To::Stream(path.into(), file);
            return Ok(Self::new(to, save_every, ExportState::new(arguments)));
        }
        let (mut file_of_state, found) = StateFile::open::<ExportState>(ExportState::path(path))?;
        let state = match found {
            Some(state) => {
                state.check(&arguments, path)?;
                state
            }
            None if path.exists() => {
                return Err(Failure::new(format!("{} exists already", path.display()))
                    .advise("remove it, or give the name of a new file"));
            }
            None => {
                let state = ExportState::new(arguments);
                file_of_state.save(&state)?;
                state
            }
        };
        let file = open_truncated_to(path, state.bytes).map_err(|error| {
            failed("open", path, error).advise(format!(
                "restore the file to go on; to begin again, remove {}",
                ExportState::path(path).display()
            ))
        })?;
        let to = To::File { path: path.into(), file, state: file_of_state };
        Ok(Self::new(to, save_every, state))
    }

    /// Returns the progress of the export.
    pub(super) fn state(&self) -> &ExportState {
        &self.state
    }

    /// Adds the first line of a file.
    pub(super) fn add_header(&mut self, line: &[u8]) {
        self.lines.extend_from_slice(line);
    }

    /// Adds the line of a row. `range` is the index of the range that contains the row, and
    /// `hex_key` is the row key in hex.
    pub(super) fn add_row(&mut self, line: &[u8], range: usize, hex_key: String) -> Result<()> {
        self.lines.extend_from_slice(line);
        self.state.rows += 1;
        (self.state.range, self.state.last) = (range, Some(hex_key));
        self.rows += 1;
        if self.rows >= self.save_every || self.lines.len() >= CHUNK {
            self.write()
        } else {
            Ok(())
        }
    }

    /// Writes the lines that were added. If the target is a file that can be resumed, the lines are
    /// on the disk when this returns.
    pub(super) fn write(&mut self) -> Result<()> {
        let lines = std::mem::take(&mut self.lines);
        let rows = self.state.rows - std::mem::take(&mut self.rows);
        match &mut self.to {
            To::Output(output) => output.write_bytes(&lines),
            To::Stream(path, file) => {
                file.write_all(&lines).map_err(|error| failed("write", path, error))
            }
            To::File { path, file, state } => {
                let written = file.write_all(&lines).and_then(|()| file.sync_all());
                if let Err(error) = written {
                    let whole = match file.set_len(self.state.bytes) {
                        Ok(()) => "the file ends with a whole line",
                        Err(_) => "the file ends with a part of a line, which the next run removes",
                    };
                    return Err(failed("write", path, error)
                        .with_done_so_far(format!(
                            "{} are written; {whole}",
                            count_with_noun(rows, "row")
                        ))
                        .advise("make room; the same command goes on after the last line"));
                }
                self.state.bytes += lines.len() as u64;
                state.save(&self.state)
            }
        }
    }

    /// Writes the remaining lines, and removes the state file, because nothing is left to resume.
    pub(super) fn finish(mut self) -> Result<()> {
        self.write()?;
        match self.to {
            To::File { state, .. } => state.remove(),
            To::Output(_) | To::Stream(..) => Ok(()),
        }
    }

    /// Returns advice on how to go on after an export that was stopped.
    pub(super) fn resume_advice(&self) -> &'static str {
        match self.to {
            To::File { .. } => "the same command goes on after the last row",
            To::Output(_) | To::Stream(..) => "an export to a file can be resumed",
        }
    }
}

fn failed(what: &str, path: &Path, error: io::Error) -> Failure {
    Failure::new(format!("{what} {}", path.display())).caused_by(error)
}

/// The progress of an export.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ExportState {
    #[serde(default)]
    version: u32,
    /// The arguments that must be the same when the export is resumed.
    #[serde(rename = "parts")]
    arguments: Vec<String>,
    /// The length of the file in bytes. The file consists of whole lines, which are all on the
    /// disk.
    pub(super) bytes: u64,
    /// The number of rows in the file.
    pub(super) rows: u64,
    /// The index of the range of rows that is being read.
    pub(super) range: usize,
    /// The key, in hex, of the last row of this range that is in the file.
    pub(super) last: Option<String>,
}

impl ExportState {
    pub(super) fn new(arguments: Vec<String>) -> Self {
        Self { version: VERSION, arguments, bytes: 0, rows: 0, range: 0, last: None }
    }

    /// Returns the path of the state file of an export, which is next to the exported file.
    pub(super) fn path(file: &Path) -> PathBuf {
        with_suffix(file, ".export")
    }

    /// Fails unless an export to `file` with these arguments can be resumed from this state.
    pub(super) fn check(&self, arguments: &[String], file: &Path) -> Result<()> {
        let path = Self::path(file);
        let (file, path) = (file.display(), path.display());
        if self.version != VERSION {
            let text = format!("{path} was written by another version of this program");
            return Err(Failure::new(text).advise(format!(
                "finish with that one; to begin again, remove {file} and {path}"
            )));
        }
        if self.arguments == arguments {
            return Ok(());
        }
        let begun = self.arguments.join(", ").replace('\n', "; ");
        let text = format!("the export to {file} that was begun has other arguments: {begun}");
        Err(Failure::usage(text).advise(format!(
            "give the same arguments to go on; to begin again, remove {file} and {path}"
        )))
    }
}
