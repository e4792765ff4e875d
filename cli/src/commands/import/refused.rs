//! The file to which an import writes the lines that it refuses.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};
use crate::files::open_truncated_to;

/// The file of refused lines, which begins with the first line of a CSV input.
#[derive(Debug)]
pub(super) struct RefusedLines {
    path: PathBuf,
    file: File,
    /// Whether anything was written that may not be on the disk yet.
    dirty: bool,
}

impl RefusedLines {
    /// Creates the file with the first line of the input, and returns the length of the file.
    pub(super) fn create(path: &Path, first_line: &[u8]) -> Result<(Self, u64)> {
        // An import that ended before it wrote anything else may have left a file with the first
        // line or a part of it.
        let head = [line_of(first_line), b"\n"].concat();
        let is_begun = |found: Vec<u8>| head.starts_with(&found);
        if path.exists() && !fs::read(path).is_ok_and(is_begun) {
            return Err(Failure::new(format!("{} exists already", path.display()))
                .advise("remove it, or give another file to --skip-bad"));
        }
        let file = open_truncated_to(path, 0)
            .map_err(|error| Failure::new(format!("create {}", path.display())).caused_by(error))?;
        let mut lines = Self { path: path.into(), file, dirty: false };
        let length = if first_line.is_empty() { 0 } else { lines.add(first_line)? };
        Ok((lines, length))
    }

    /// Opens the file of a resumed import, and truncates the file to this length.
    pub(super) fn resume(path: &Path, length: u64) -> Result<Self> {
        let file = open_truncated_to(path, length).map_err(|error| {
            Failure::new(format!("open the refused lines {}", path.display()))
                .caused_by(error)
                .advise("restore the file that the import was begun with")
        })?;
        Ok(Self { path: path.into(), file, dirty: false })
    }

    /// Adds a line, and returns the number of bytes that were written.
    pub(super) fn add(&mut self, raw: &[u8]) -> Result<u64> {
        let line = [line_of(raw), b"\n"].concat();
        self.dirty = true;
        self.file.write_all(&line).map_err(|error| self.failed(error))?;
        Ok(line.len() as u64)
    }

    /// Waits until all lines are on the disk.
    pub(super) fn sync(&mut self) -> Result<()> {
        if std::mem::take(&mut self.dirty) {
            self.file.sync_all().map_err(|error| self.failed(error))?;
        }
        Ok(())
    }

    fn failed(&self, error: io::Error) -> Failure {
        Failure::new(format!("write the refused lines {}", self.path.display()))
            .caused_by(error)
            .advise("make room; the same command goes on after the last line that was acknowledged")
    }
}

/// Returns a line without the line feeds and carriage returns around it.
fn line_of(raw: &[u8]) -> &[u8] {
    let is_text = |byte: &u8| !matches!(byte, b'\r' | b'\n');
    let start = raw.iter().position(is_text).unwrap_or(raw.len());
    let end = raw.iter().rposition(is_text).map_or(start, |last| last + 1);
    raw.get(start..end).unwrap_or_default()
}
