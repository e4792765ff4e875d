//! Formats of files with rows.

use std::path::Path;

use clap::ValueEnum;

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FileFormat {
    /// Comma-separated values, with the names of the columns in the first line
    Csv,
    /// A JSON object on each line
    Json,
}

impl FileFormat {
    /// Returns the format that the name of a file says.
    pub(crate) fn of(file: &Path) -> Self {
        let extension = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match &*extension {
            "json" | "jsonl" | "ndjson" => Self::Json,
            _ => Self::Csv,
        }
    }
}

/// Reads the character between two values of CSV.
pub(crate) fn delimiter(text: &str) -> std::result::Result<u8, String> {
    match text.as_bytes() {
        b"\\t" => Ok(b'\t'),
        [byte] if *byte != b'"' && !matches!(byte, b'\r' | b'\n') => Ok(*byte),
        _ => Err("it is not one character of ASCII, or \\t".into()),
    }
}
