//! How far an export came: the content of the file that it is resumed from.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Result};
use crate::files::with_suffix;

/// How far an export came.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct State {
    /// What must be the same when it is resumed.
    parts: Vec<String>,
    /// How long the file is: whole lines, all on the disk.
    pub(super) bytes: u64,
    /// How many rows are in it.
    pub(super) rows: u64,
    /// The range of rows that is read.
    pub(super) range: usize,
    /// The last row of it that is in the file, in hex.
    pub(super) last: Option<String>,
}

impl State {
    pub(super) fn new(parts: Vec<String>) -> Self {
        Self { parts, bytes: 0, rows: 0, range: 0, last: None }
    }

    /// Returns the file of the state of an export: next to what is written.
    pub(super) fn path(file: &Path) -> PathBuf {
        with_suffix(file, ".export")
    }

    /// Fails unless an export with these arguments can go on from here.
    pub(super) fn check(&self, parts: &[String], file: &Path) -> Result<()> {
        if self.parts == parts {
            return Ok(());
        }
        let text = format!("the export to {} that was begun has other arguments", file.display());
        Err(Failure::usage(text).advise(format!(
            "give the same arguments to go on; to begin again, remove {} and {}",
            file.display(),
            Self::path(file).display()
        )))
    }
}
