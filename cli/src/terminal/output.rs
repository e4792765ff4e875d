//! Writes results to standard output, as text or as JSON.

use std::io::{self, Stdout, Write};

use serde_json::Value;

use crate::failure::Result;

/// Standard output, and whether results are JSON.
#[derive(Debug)]
pub(crate) struct Output {
    json: bool,
    out: Stdout,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        Self { json, out: io::stdout() }
    }

    /// Whether results are JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Writes one result: a line of text, or a JSON object on its own line.
    pub(crate) fn write_result(
        &mut self,
        text: impl AsRef<str>,
        json: impl FnOnce() -> Value,
    ) -> Result<()> {
        let line = if self.json { json().to_string() } else { text.as_ref().to_owned() };
        // The line is written in one piece, so that a reader never gets half of a result.
        self.write_text(&(line + "\n"))
    }

    /// Writes what a command has done to standard error; with `--json`, also writes an object to
    /// standard output.
    pub(crate) fn write_summary(
        &mut self,
        text: impl AsRef<str>,
        json: impl FnOnce() -> Value,
    ) -> Result<()> {
        say(text);
        if self.json { self.write_result("", json) } else { Ok(()) }
    }

    /// Writes a text that is the same with and without `--json`.
    pub(crate) fn write_text(&mut self, text: &str) -> Result<()> {
        self.write_bytes(text.as_bytes())
    }

    /// Writes bytes.
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.write_all(bytes)?;
        Ok(self.out.flush()?)
    }
}

/// Writes a line to standard error, for the user.
pub(crate) fn say(text: impl AsRef<str>) {
    // If standard error is closed, nobody can read the line.
    let _ = writeln!(io::stderr(), "{}", text.as_ref());
}

/// Returns a count with its noun: `1 row`, `2 rows`.
pub(crate) fn count_with_noun(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
