//! Opens files, and defines the formats of files with rows.

pub(crate) mod lines;
pub(crate) mod state_file;

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::failure::{Failure, Result};

/// Opens a file to read it.
pub(crate) fn open(path: &Path) -> Result<File> {
    let failed = || Failure::new(format!("open {}", path.display()));
    let file = File::open(path).map_err(|error| failed().caused_by(error))?;
    // Opening a folder succeeds; only reading it fails.
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        let failure = failed().caused_by(io::Error::from(io::ErrorKind::IsADirectory));
        return Err(failure.advise("give one of the files in it"));
    }
    Ok(file)
}

/// Opens a file for writing, truncates it to this length, and seeks to its end; fails if the file
/// is shorter. If the length is 0 and the file does not exist, it is created.
pub(crate) fn open_truncated_to(path: &Path, length: u64) -> io::Result<File> {
    let mut file = OpenOptions::new().write(true).create(length == 0).truncate(false).open(path)?;
    if file.metadata()?.len() < length {
        return Err(io::Error::other(format!(
            "it is shorter than the {length} bytes that were written to it"
        )));
    }
    file.set_len(length)?;
    file.seek(SeekFrom::Start(length))?;
    Ok(file)
}

/// Returns the path with a suffix added to the file name.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FileFormat {
    /// Comma-separated values, with the names of the columns in the first line
    Csv,
    /// A JSON object on each line
    Json,
}

impl FileFormat {
    /// Returns the format that the name of a file indicates.
    pub(crate) fn from_extension(file: &Path) -> Self {
        let extension = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match &*extension {
            "json" | "jsonl" | "ndjson" => Self::Json,
            _ => Self::Csv,
        }
    }
}

/// Parses the character between two values of CSV; `\t` is a tab.
pub(crate) fn parse_delimiter(text: &str) -> std::result::Result<u8, String> {
    match text.as_bytes() {
        b"\\t" => Ok(b'\t'),
        [byte] if *byte != b'"' && !matches!(byte, b'\r' | b'\n') => Ok(*byte),
        _ => Err("it is not one character of ASCII, or \\t".into()),
    }
}
